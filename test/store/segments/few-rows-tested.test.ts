import { expect, test } from 'vitest'
import { ColumnTest } from '../../../src/backends/columnar/expr/test-column.ts'
import { Counters } from '../../../src/backends/columnar/expr/counters.ts'
import { present } from '../../../src/base/index.ts'
import { createBitmap, rowsOfBitmap, setBit, type Bitmap, type ValueTest } from '../../../src/data/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { fileOf, manyKinds, opened, sealedTable, sourceOf } from './read-all.ts'

const table = sealedTable(manyKinds(3000))
const segment = present(table.snapshot()[0])
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

  // The contents, with which the list of pieces comes, and the dictionary.
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
