import { present } from '../../base/index.ts'
import { groupTupleText, Instant, isEmptyValue, toTimeNs, type Row, type Value } from '../../data/index.ts'
import { defineTableFunction, KeptRows } from './define.ts'

interface Params {
  readonly before: number
  readonly after: number
  readonly windowNs: string
  /** A field that is `true` in the rows whose surroundings are wanted; it is taken off. */
  readonly hit: string
  /** Fields that make up a stream. */
  readonly streamFields: readonly string[]
  readonly timeField: string
  readonly textField: string
}

interface Place {
  readonly row: Row
  readonly timeNs: bigint
}

const DELIMITER = '---'

/** Rows of one stream, oldest first: those around each hit, each once, and a delimiter after those of a hit. */
function* aroundHits(places: readonly Place[], params: Params): Generator<Row> {
  const windowNs = BigInt(params.windowNs)
  let next = 0
  for (const [i, { row, timeNs }] of places.entries()) {
    if (row.get(params.hit) !== true) continue
    const last = Math.min(i + params.after, places.length - 1)
    for (let k = Math.max(i - params.before, next); k <= last; k++) {
      const place = present(places[k])
      const distanceNs = place.timeNs - timeNs
      if (distanceNs > windowNs || -distanceNs > windowNs) continue
      yield new Map([...place.row].filter(([name]) => name !== params.hit))
      next = k + 1
    }
    const delimiter = new Map<string, Value>([
      [params.timeField, new Instant(present(places[Math.max(next - 1, i)]).timeNs)],
    ])
    for (const name of params.streamFields) {
      const value = row.get(name) ?? null
      if (!isEmptyValue(value)) delimiter.set(name, value)
    }
    yield delimiter.set(params.textField, DELIMITER)
  }
}

function* withContext(rows: readonly Row[], params: Params): Generator<Row> {
  const streams = new Map<string, Place[]>()
  for (const row of rows) {
    const key = groupTupleText(params.streamFields.map((name) => row.get(name) ?? null))
    const place = { row, timeNs: toTimeNs(row.get(params.timeField) ?? null) ?? 0n }
    const places = streams.get(key)
    if (places === undefined) streams.set(key, [place])
    else places.push(place)
  }
  for (const places of streams.values()) {
    // Rows come newest first; of one instant the latest ingested.
    const oldestFirst = places.toReversed().sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0))
    yield* aroundHits(oldestFirst, params)
  }
}

export const streamContext = defineTableFunction<Params>({
  name: 'stream_context',
  needsStreamFields: true,
  compile: (params, { meter }) => new KeptRows(meter, (rows) => withContext(rows, params)),
  doc: {
    summary: 'The rows before and after each row in its stream, oldest first, with a `---` after each group.',
    parameters: [
      { name: 'before, after', text: 'how many rows' },
      { name: 'time_window', text: 'how far they may be away; one hour unless given' },
    ],
    examples: [{ query: 'level:error | stream_context before 1 after 1 | limit 10' }],
  },
})
