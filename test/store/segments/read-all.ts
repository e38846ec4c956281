import { runToEnd, present } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { Instant, JsonText, encodeText, gather, valueAt, type Value } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import {
  MemoryTable,
  addRowsOfWord,
  rowsOfCode,
  sequenceAt,
  standardCatalog,
  timeNsAt,
  type MemoryTableOptions,
  type Segment,
} from '../../../src/store/index.ts'
import type { PartSummary, RowGroupEntry } from '../../../src/store/durable/index.ts'
import {
  BlockCache,
  StoredPart,
  openSegment,
  writePart,
  type BlockSource,
  type PieceSizes,
  type StoredSegment,
} from '../../../src/store/segments/index.ts'

export type Rows = readonly (readonly [bigint, Iterable<readonly [string, Value]>])[]

export function sealedTable(rows: Rows, options?: MemoryTableOptions): MemoryTable {
  const table = new MemoryTable(present(standardCatalog.tables.get('logs')), options)
  table.writer.appendRows(rows.map(([timeNs, row]) => ({ timeNs, row: new Map(row) })))
  table.seal()
  return table
}

/** Returns a part with one segment of a table. By default, arrays are split into pieces even if they are short. */
export function partOf(
  { definition }: MemoryTable,
  segment: Segment,
  sizes: PieceSizes = { bits: 8, packed: 12 },
): { readonly file: Buffer; readonly summary: PartSummary } {
  const pieces: Uint8Array[] = []
  const { timeField, name: table } = definition
  const summary = runToEnd(writePart(segment, { table, timeField }, (bytes) => pieces.push(Buffer.from(bytes)), sizes))
  return { file: Buffer.concat(pieces), summary }
}

/** Returns the row group of such a part as a separate file. */
export function fileOf(
  table: MemoryTable,
  segment: Segment,
  sizes?: PieceSizes,
): { readonly file: Buffer; readonly summary: RowGroupEntry } {
  const { file, summary } = partOf(table, segment, sizes)
  const rowGroup = present(summary.rowGroups[0])
  const { at, bytes } = rowGroup
  return { file: file.subarray(at, at + bytes), summary: { ...rowGroup, at: 0 } }
}

export function sourceOf(file: Buffer, bytes = file.length): BlockSource {
  return { name: 'test.part', bytes, read: (into, at) => file.subarray(at, at + into.length).copy(into) }
}

export function opened(
  table: MemoryTable,
  source: BlockSource,
  summary: RowGroupEntry,
  cache = new BlockCache(1 << 20),
): StoredSegment {
  const { textField } = table.definition
  const dictionaryOf = (field: string) => table.fields.dictionary(field)
  return openSegment({ id: 1, source, summary, textField, dictionaryOf, cache })
}

/** Returns the row groups of a part as segments. */
export function rowGroupsOf(
  table: MemoryTable,
  source: BlockSource,
  { rowGroups }: Pick<PartSummary, 'rowGroups'>,
  cache = new BlockCache(1 << 20),
): readonly StoredSegment[] {
  const part = new StoredPart({ source, textField: table.definition.textField, cache })
  const dictionaryOf = (field: string) => table.fields.dictionary(field)
  return rowGroups.map((entry, number) => part.rowGroup(number, entry, { id: number, dictionaryOf }))
}

/** Returns a table with the rows of a table's first segment, read from a part. */
export function onDisk(table: MemoryTable, cache: BlockCache): MemoryTable {
  const { file, summary } = partOf(table, present(table.view.snapshot()[0]))
  const disk = new MemoryTable(table.definition)
  disk.segments.add(rowGroupsOf(table, sourceOf(file), summary, cache))
  return disk
}

/** Returns a function that counts the rows a query over logs returns. */
export function rowCounter(table: MemoryTable): (query: string) => Promise<number> {
  const backends = [columnarBackend({ tables: new Map([['logs', table.view]]) }, standardFunctions)]
  const engine = createEngine({ backends, lint: 'off' })
  return async (query) => {
    let rows = 0
    for await (const batch of engine.query(query).batches()) rows += batch.rowCount
    return rows
  }
}

/** Returns everything that a query can read of a segment. */
export function allOf(segment: Segment, words: readonly string[]): unknown {
  // Gather a few rows before any column is read as a whole.
  const some = Uint32Array.from([segment.rowCount - 1, segment.rowCount >>> 1, segment.rowCount >>> 1])
  const taken = [...segment.columns].map(([name, { column }]) => {
    const found = gather(column, some)
    return [name, Array.from(some, (_, i) => valueAt(found, i))]
  })
  const rows = Array.from({ length: segment.rowCount }, (_, row) => [
    timeNsAt(segment, row),
    sequenceAt(segment, row),
    ...[...segment.columns].map(([name, { column }]) => [name, valueAt(column, row)]),
  ])
  const fields = [...segment.columns].map(([name, stored]) => {
    const { column, counts, order, zones, missingCount, tops } = stored
    const listed =
      column.kind === 'dictionary' && order !== undefined && counts === undefined
        ? Array.from(column.codes, (code) => [...rowsOfCode(order, column.codes, code)])
        : undefined
    const whole = column.kind === 'text' ? [String(column.bytes), [...column.offsets]] : undefined
    const { hasNan, isInteger, mins, maxs, min, max } = zones ?? {}
    const bounds = [hasNan, isInteger, mins, maxs, min, max]
    return [name, column.kind, counts, order, bounds, missingCount, tops?.highest, tops?.lowest, listed, whole]
  })
  const found = words.map((word) =>
    [true, false].map((isPrefix) => {
      const bits = new Uint32Array((segment.rowCount + 31) >>> 5)
      const index = present(segment.words)
      for (const each of index.find(encodeText(word), isPrefix)) addRowsOfWord(index, each, bits)
      return [word, isPrefix, index.has(encodeText(word), isPrefix), bits]
    }),
  )
  return [taken, rows, fields, found]
}

const kinds: Value[] = [
  'text',
  'Ünïcode \ud800',
  '',
  1,
  -0,
  2.5,
  NaN,
  Infinity,
  true,
  false,
  2n ** 60n,
  new Instant(5n),
  new JsonText('{"a":1}'),
  null,
]
/** Returns rows with columns of every kind. */
export const manyKinds = (count: number): Rows =>
  Array.from({ length: count }, (_, i): [bigint, [string, Value][]] => [
    1_700_000_000_000_000_000n + BigInt((i * 7919) % count) * 1_000_003n,
    [
      [
        'content',
        i % 50 === 49 ? `wide ä${i}` : `request ${i} of user${i % 100} took ${i * 3} ms ${'x'.repeat(i % 300)}`,
      ],
      ['level', i % 7 === 0 ? 'error' : 'info'],
      ['mixed', kinds[i % kinds.length] ?? null],
      ['duration_ms', Math.round(i * 1.7 * 1000) / 1000],
      ['odd', Math.sqrt(i)],
      ['big', 2n ** 55n + BigInt(i)],
      ...(i % 100 === 0 ? [['rare', `r${i}`] as [string, Value]] : []),
      ['at', new Instant(BigInt(i) * 1_000_000_007n)],
    ],
  ])
