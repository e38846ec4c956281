import { ROW_WORK, present, sortedBy, work } from '../../base/index.ts'
import { groupTupleText, Instant, isEmptyValue, toTimeNs, type Row, type Value } from '../../data/index.ts'
import type { CompileTable, TableFunction } from '../definition.ts'
import { KeptRows } from './define.ts'

interface Params {
  readonly before: number
  readonly after: number
  readonly windowNs: string
  /** Name of the field that is `true` in matching rows. The field is removed from the output. */
  readonly hit: string
  /** Names of the stream fields. */
  readonly streamFields: readonly string[]
  /** True if a delimiter also follows the last chunk. */
  readonly endsWithDelimiter: boolean
  readonly timeField: string
  readonly textField: string
}

interface TimedRow {
  readonly row: Row
  readonly timeNs: bigint
}

const DELIMITER = '---'

/**
 * Yields the rows of one stream in chunks, oldest first. A chunk consists of matching rows and their neighbours. Chunks
 * do not overlap.
 */
function* chunksOf(timedRows: readonly TimedRow[], params: Params): Generator<readonly TimedRow[]> {
  const windowNs = BigInt(params.windowNs)
  const hits = timedRows.flatMap(({ row }, i) => (isHit(row, params) ? [i] : []))
  let next = 0
  for (const [n, hit] of hits.entries()) {
    const { timeNs } = present(timedRows[hit])
    let from = Math.max(hit - params.before, next)
    while (timeNs - present(timedRows[from]).timeNs > windowNs) from++
    const most = Math.min(hit + params.after + 1, hits[n + 1] ?? timedRows.length)
    next = hit + 1
    while (next < most && present(timedRows[next]).timeNs - timeNs <= windowNs) next++
    yield timedRows.slice(from, next)
  }
}

function isHit(row: Row, params: Params): boolean {
  return row.get(params.hit) === true
}

/** Returns the delimiter row between two chunks. */
function delimiterAfter({ row, timeNs }: TimedRow, params: Params): Row {
  const delimiter = new Map<string, Value>([[params.timeField, new Instant(timeNs)]])
  for (const name of params.streamFields) {
    const value = row.get(name) ?? null
    if (!isEmptyValue(value)) delimiter.set(name, value)
  }
  return delimiter.set(params.textField, DELIMITER)
}

/** Yields the rows of all streams, in the order of each stream's first match. The rows of a stream are oldest first. */
function* withContext(rows: readonly Row[], params: Params): Generator<Row> {
  const streams = new Map<string, TimedRow[]>()
  for (const row of rows) {
    work(ROW_WORK)
    const key = groupTupleText(params.streamFields.map((name) => row.get(name) ?? null))
    const timedRow = { row, timeNs: toTimeNs(row.get(params.timeField) ?? null) ?? 0n }
    const timedRows = streams.get(key)
    if (timedRows === undefined) streams.set(key, [timedRow])
    else timedRows.push(timedRow)
  }
  const found: { readonly oldestFirst: readonly TimedRow[]; readonly firstNs: bigint }[] = []
  for (const timedRows of streams.values()) {
    work(ROW_WORK * timedRows.length)
    // Input rows are newest first; of rows with equal times, the one ingested last comes first.
    const oldestFirst = sortedBy(timedRows.toReversed(), (a, b) => compareTimes(a.timeNs, b.timeNs))
    const first = oldestFirst.find(({ row }) => isHit(row, params))
    if (first !== undefined) found.push({ oldestFirst, firstNs: first.timeNs })
  }
  let last: TimedRow | undefined
  let count = 0
  for (const { oldestFirst } of found.sort((a, b) => compareTimes(a.firstNs, b.firstNs))) {
    for (const chunk of chunksOf(oldestFirst, params)) {
      if (last !== undefined) yield delimiterAfter(last, params)
      for (const { row } of chunk) yield new Map([...row].filter(([name]) => name !== params.hit))
      last = chunk.at(-1)
      count++
    }
  }
  if (last !== undefined && count > 1 && params.endsWithDelimiter) yield delimiterAfter(last, params)
}

function compareTimes(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export const streamContext: TableFunction = {
  name: 'stream_context',
  needsStreamFields: true,
  doc: {
    summary: 'The rows before and after each row in its stream, oldest first; `---` stands between two such groups.',
    parameters: [
      { name: 'before, after', text: 'how many rows' },
      { name: 'time_window', text: 'how far they may be away; one hour unless given' },
    ],
    examples: [{ query: 'level:error | stream_context before 1 after 1 | limit 10' }],
  },
}

export const compileStreamContext: CompileTable<Params> = (params, { meter }) =>
  new KeptRows(meter, (rows) => withContext(rows, params))
