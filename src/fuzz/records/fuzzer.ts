import type { JsonValue, Random } from '../../base/index.ts'
import { Instant, JsonText, valueAt, type Value } from '../../data/index.ts'
import {
  emptyReport,
  countedLines,
  inputFormat,
  recordFormat,
  textFormat,
  type FormatName,
} from '../../ingest/index.ts'
import {
  createMemoryStore,
  sequenceAt,
  standardCatalog,
  timeNsAt,
  type MemoryTable,
  type RecordFormat,
} from '../../store/index.ts'
import { defineFuzzer, type FuzzerDefinition } from '../runner/fuzzer.ts'
import { lineWriters } from './lines.ts'

/** The lines of a file, and where the file is cut into pieces. */
export interface RecordsCase {
  readonly writer: string
  readonly format: FormatName
  readonly lines: readonly string[]
  readonly lineEnd: string
  /** Size of each piece, bytes; the last size repeats. */
  readonly pieceBytes: number
  /** Names of the fields to store. Default: all. */
  readonly kept?: readonly string[]
}

interface Read {
  readonly rows: readonly string[]
  readonly counts: string
}

const NOW_NS = 1_767_225_600_000_000_000n

function shown(value: Value): string {
  if (value instanceof Instant) return `time ${value.ns}`
  if (value instanceof JsonText) return `JSON ${value.json}`
  return `${typeof value} ${String(value)}`
}

/**
 * Returns the rows of each stream and container in their order. Rows of different streams may be stored in any order.
 */
function rowsOf(table: MemoryTable): string[] {
  const rows = table.view.snapshot().flatMap((segment) =>
    Array.from({ length: segment.rowCount }, (_, row) => {
      const fields = Array.from(segment.columns, ([name, { column }]) => [name, valueAt(column, row)] as const)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}=${shown(value)}`)
        .toSorted()
      const stream = fields.find((field) => /^(?:stream|container)=/.test(field)) ?? ''
      return { stream, sequence: sequenceAt(segment, row), text: `${timeNsAt(segment, row)} ${fields.join(' ')}` }
    }),
  )
  return rows
    .toSorted((a, b) => (a.stream === b.stream ? a.sequence - b.sequence : a.stream < b.stream ? -1 : 1))
    .map(({ text }) => text)
}

async function* cut(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

async function read(given: RecordsCase, hasTemplates: boolean): Promise<Read> {
  const { lines, lineEnd, format: name, kept, pieceBytes } = given
  const text = `${lines.join(lineEnd)}${lineEnd}`
  const bytes = Buffer.from(text)
  const context = { nowNs: NOW_NS }
  const options = kept === undefined ? {} : { keptFields: new Set(kept) }
  const table = createMemoryStore(standardCatalog, options).table('logs')
  const input = inputFormat(name, text, true, textFormat(context))
  if (input === undefined) return { rows: [], counts: '' }
  const format = recordFormat(input, name, undefined)
  const used: RecordFormat = hasTemplates ? format : { ...format, templateOf: () => undefined }
  const reader = table.writer.reader(used, context)
  for await (const piece of countedLines(cut(bytes, hasTemplates ? pieceBytes : bytes.length), emptyReport()))
    reader.append(piece, context)
  reader.flush()
  const { lines: lineCount, rows, badLines, unreadableTimes, examples } = reader.take()
  return {
    rows: rowsOf(table),
    counts: JSON.stringify({
      lineCount,
      rows,
      badLines,
      unreadableTimes,
      examples: examples.map(({ reason }) => reason),
    }),
  }
}

/** Inserts, removes or changes one character. */
function mutated(random: Random, line: string): string {
  const at = random.below(line.length + 1)
  const char = random.pick(['"', '\\', ',', ' ', '=', ':', '{', '}', '[', ']', '\t', '\u0001', '\r', 'é', '0', '-', ''])
  return line.slice(0, at) + char + line.slice(at + random.below(2))
}

interface Prepared {
  readonly templates: Read
  readonly general: Read
}

const prepare = async (given: RecordsCase): Promise<Prepared> => ({
  templates: await read(given, true),
  general: await read(given, false),
})

function faultOf({ templates, general }: Prepared): string | undefined {
  const at = general.rows.findIndex((row, i) => row !== templates.rows[i])
  if (at !== -1)
    return `row ${at + 1} is\n  ${templates.rows[at] ?? 'missing'}\nby templates, not\n  ${general.rows[at]}`
  if (templates.rows.length > general.rows.length) return `${templates.rows.length} rows, not ${general.rows.length}`
  return templates.counts === general.counts ? undefined : `counts ${templates.counts}, not ${general.counts}`
}

export const recordsDefinition: FuzzerDefinition<RecordsCase, Prepared> = {
  name: 'records',
  casesPerBlock: 20_000,
  laws: [{ law: { name: 'templates-mean-the-same', check: faultOf }, share: 1 }],
  block: () => ({
    prepare,
    draw: (random) => {
      const writer = random.pick(lineWriters)
      const isMutated = random.next() < 0.4
      const lines = writer
        .lines(random, 1 + random.below(24))
        .map((line) => (isMutated && random.next() < 0.3 ? mutated(random, line) : line))
      const given: RecordsCase = {
        writer: writer.name,
        format: writer.name === 'CSV' ? 'csv' : writer.name === 'logfmt' && random.next() < 0.5 ? 'logfmt' : 'auto',
        lines,
        lineEnd: random.next() < 0.2 ? '\r\n' : '\n',
        pieceBytes: 1 + random.below(random.next() < 0.5 ? 64 : 4096),
        ...(random.next() < 0.2 ? { kept: ['_time', 'stream', 'container', 'level', 'content', 'a', 'status'] } : {}),
      }
      return { given, uses: new Set([`as ${writer.name}`, isMutated ? 'mutated' : 'as written']) }
    },
  }),
  ground: () => ({ prepare }),
  notes: ({ general }) => (general.rows.length === 0 ? ['empty'] : []),
  show: ({ writer, lines }) => `${writer}: ${JSON.stringify(lines).slice(0, 300)}`,
  *smaller(given) {
    for (let i = 0; i < given.lines.length && given.lines.length > 1; i++)
      yield { ...given, lines: given.lines.toSpliced(i, 1) }
    if (given.lineEnd !== '\n') yield { ...given, lineEnd: '\n' }
    if (given.pieceBytes < 65_536) yield { ...given, pieceBytes: 65_536 }
    for (const [i, line] of given.lines.entries())
      for (let at = 0; at < Math.min(line.length, 120); at++)
        yield { ...given, lines: given.lines.with(i, line.slice(0, at) + line.slice(at + 1)) }
  },
  write: (given) => ({ ...given, lines: [...given.lines], kept: given.kept === undefined ? null : [...given.kept] }),
  read: (kept: JsonValue) => {
    const { kept: fields, ...given } = kept as unknown as Omit<RecordsCase, 'kept'> & { kept: readonly string[] | null }
    return fields === null ? given : { ...given, kept: fields }
  },
}

/**
 * Fuzzer of record readers. Records of every format, split anywhere, give the same rows whether they are read by
 * template or by the general reader.
 */
export const records = defineFuzzer(recordsDefinition)
