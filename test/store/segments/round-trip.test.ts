import { describe, expect, test } from 'vitest'
import { atOnce, present } from '../../../src/base/index.ts'
import { Instant, JsonText, valueAt, type Value } from '../../../src/data/index.ts'
import { MemoryTable, sequenceAt, standardCatalog, timeNsAt, type Segment } from '../../../src/store/index.ts'
import { BlockCache, openSegment, writeSegment } from '../../../src/store/segments/index.ts'

function sealedTable(rows: readonly (readonly [bigint, Iterable<readonly [string, Value]>])[]): MemoryTable {
  const definition = present(standardCatalog.tables.get('logs'))
  const table = new MemoryTable(definition)
  table.appendRows(rows.map(([timeNs, row]) => ({ timeNs, row: new Map(row) })))
  table.seal()
  return table
}

function stored(table: MemoryTable, segment: Segment, cache = new BlockCache(1 << 20)): Segment {
  const pieces: Uint8Array[] = []
  const { timeField, textField, name } = table.definition
  const summary = atOnce(writeSegment(segment, { table: name, timeField }, (bytes) => pieces.push(Buffer.from(bytes))))
  const file = Buffer.concat(pieces)
  expect(file.length).toBe(summary.bytes)
  const source = {
    name: 'test.segment',
    bytes: file.length,
    read: (into: Uint8Array, at: number) => file.copy(into, 0, at, at + into.length),
  }
  return openSegment({
    id: 1,
    source,
    summary: structuredClone(summary),
    textField,
    dictionaryOf: (field) => table.dictionary(field),
    cache,
  })
}

function rowsOf(segment: Segment): unknown[] {
  return Array.from({ length: segment.rowCount }, (_, row) => [
    timeNsAt(segment, row),
    sequenceAt(segment, row),
    ...[...segment.columns].map(([name, { column }]) => [name, valueAt(column, row)]),
  ])
}

describe('a segment file', () => {
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
  const rows = Array.from({ length: 3000 }, (_, i): [bigint, [string, Value][]] => [
    1_700_000_000_000_000_000n + BigInt((i * 7919) % 3000) * 1_000_003n,
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
  const table = sealedTable(rows)
  const [memory] = table.snapshot()

  test('gives the same rows', () => {
    const segment = present(memory)
    expect(rowsOf(stored(table, segment))).toEqual(rowsOf(segment))
  })

  test('gives the same encodings', () => {
    const segment = present(memory)
    const read = stored(table, segment)
    for (const [name, column] of segment.columns) {
      const other = present(read.columns.get(name))
      expect(other.column.kind).toBe(column.column.kind)
      expect([name, other.counts]).toEqual([name, column.counts])
      expect([name, other.order]).toEqual([name, column.order])
      expect([name, other.zones]).toEqual([name, column.zones])
      expect([name, other.zonesByCode]).toEqual([name, column.zonesByCode])
      expect(other.missingCount).toBe(column.missingCount)
    }
  })
})
