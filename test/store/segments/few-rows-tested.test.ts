import { expect, test } from 'vitest'
import { ColumnTest } from '../../../src/backends/columnar/expr/test-column.ts'
import { Counters } from '../../../src/backends/columnar/expr/counters.ts'
import { segmentFrame } from '../../../src/backends/columnar/segment-frame.ts'
import { present } from '../../../src/base/index.ts'
import { createBitmap, rowsOfBitmap, setBit, type Bitmap, type ValueTest } from '../../../src/data/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { fileOf, manyKinds, opened, sealedTable, sourceOf } from './read-all.ts'

const table = sealedTable(manyKinds(3000))
const segment = present(table.view.snapshot()[0])
const { file, summary } = fileOf(table, segment, { bits: 64, packed: 128 })

function maskOf(rows: readonly number[]): Bitmap {
  const mask = createBitmap(segment.rowCount)
  for (const row of rows) setBit(mask, row)
  return mask
}

const range = { kind: 'range', min: 3, max: 60, isMinIncluded: true, isMaxIncluded: true } as const
const tests: readonly (readonly [string, ValueTest])[] = [
  ['level', { kind: 'equals', value: 'error', isFolded: false, isTyped: false }],
  ['level', { kind: 'contains', text: 'r', isFolded: false }],
  ['duration_ms', range],
]

test.each(tests)('few rows of %s are tested without the rest of the column', (name, valueTest) => {
  const cache = new BlockCache(1 << 30)
  const read = opened(table, sourceOf(file), summary, cache)
  const { column } = present(read.columns.get(name))
  const few = new ColumnTest(valueTest, new Counters())
  const passing = new Set<number>()
  const all = maskOf(Array.from({ length: segment.rowCount }, (_, row) => row))
  new ColumnTest(valueTest, new Counters()).narrow(present(segment.columns.get(name)).column, all)
  for (const row of rowsOfBitmap(all)) passing.add(row)

  // Load the contents, which include the list of pieces, and the dictionary, so that they are not counted below.
  few.narrow(column, maskOf([0]))
  const before = { ...cache.counts }
  few.narrow(column, maskOf([]))
  expect(cache.counts.blocks).toBe(before.blocks)
  for (const rows of [[1500], [1501, 1502, 1503], [0, 1, 2, 3, 4], [2999]]) {
    const mask = maskOf(rows)
    few.narrow(column, mask)
    expect([...rowsOfBitmap(mask)]).toEqual(rows.filter((row) => passing.has(row)))
  }
  const fewBytes = cache.counts.bytes - before.bytes
  few.narrow(column, maskOf(Array.from({ length: 200 }, (_, i) => i * 15)))
  expect(cache.counts.bytes - before.bytes - fewBytes).toBeGreaterThan(fewBytes * 2)
})

test('a range of numbers that are listed is counted, and its rows are found, without the column', () => {
  const cache = new BlockCache(1 << 30)
  const read = opened(table, sourceOf(file), summary, cache)
  const name = 'duration_ms'
  const field = present(read.columns.get(name))
  const { numbers } = present(segment.columns.get(name)?.tops).highest
  const above = { ...range, min: present(numbers[20]), max: Infinity, isMinIncluded: false }
  const listed = new ColumnTest(above, new Counters())
  const all = (): Bitmap => maskOf(Array.from({ length: segment.rowCount }, (_, row) => row))
  const mask = all()
  const before = { ...cache.counts }
  listed.narrowStored(field, mask)
  // Two blocks: the rows of the list and their numbers.
  expect(cache.counts.blocks - before.blocks).toBe(2)
  const expected = all()
  new ColumnTest(above, new Counters()).narrow(present(segment.columns.get(name)).column, expected)
  expect([...rowsOfBitmap(mask)]).toEqual([...rowsOfBitmap(expected)])
  expect(rowsOfBitmap(mask).length).toBeGreaterThan(0)
  expect(listed.count(segmentFrame(read), name)).toBe(rowsOfBitmap(expected).length)
  expect(cache.counts.blocks - before.blocks).toBe(2)

  // For few rows, only the column piece that contains them is read, not the list.
  const otherCache = new BlockCache(1 << 30)
  const other = present(opened(table, sourceOf(file), summary, otherCache).columns.get(name))
  listed.narrow(other.column, maskOf([1500]))
  const first = otherCache.counts.blocks
  const few = maskOf([0, 1])
  listed.narrowStored(other, few)
  expect([...rowsOfBitmap(few)]).toEqual([...rowsOfBitmap(expected)].filter((row) => row < 2))
  // One block for the piece, and two for the bounds.
  expect(otherCache.counts.blocks - first).toBe(3)
})

test('a condition that all numbers of a field meet is known without its zones', () => {
  const cache = new BlockCache(1 << 30)
  const field = present(opened(table, sourceOf(file), summary, cache).columns.get('duration_ms'))
  const { blocks } = cache.counts
  const { zones } = present(segment.columns.get('duration_ms'))
  const { min, max, hasNan, isInteger } = present(field.zones)
  expect({ min, max, hasNan, isInteger }).toEqual({
    min: zones?.min,
    max: zones?.max,
    hasNan: zones?.hasNan,
    isInteger: zones?.isInteger,
  })
  expect(new ColumnTest({ ...range, min: max + 1, max: Infinity }, new Counters()).isNone(field)).toBe(true)
  expect(cache.counts.blocks).toBe(blocks)
  expect(field.zones?.mins).toEqual(zones?.mins)
  expect(cache.counts.blocks).toBeGreaterThan(blocks)
})
