import { expect, test } from 'vitest'
import { always } from '../../../../src/base/index.ts'
import { uncut } from '../../../../src/backends/columnar/segments/scan-task.ts'
import { cutRanges, segmentRanges } from '../../../../src/backends/columnar/segments/segment-range.ts'
import { createMemoryStore, standardCatalog } from '../../../../src/store/index.ts'

test('pieces tell the ranges that they were cut from, in their order', () => {
  const table = createMemoryStore(standardCatalog).table('logs')
  // Segments overlap in time.
  for (const from of [0, 300, 150]) {
    const lines = Array.from(
      { length: 600 },
      (_, i) => `{"_time":"${new Date((from + i) * 1000).toISOString()}","content":"x"}\n`,
    )
    table.writer.appendJsonLines(Buffer.from(lines.join('')), { nowNs: 0n })
    table.seal()
  }
  const ranges = segmentRanges(table.view.snapshot(), always)
  const pieces = cutRanges(ranges, () => 128)
  expect(ranges).toHaveLength(3)
  expect(pieces.length).toBeGreaterThan(9)
  expect(uncut(pieces)).toEqual(ranges)
  expect(uncut(ranges)).toBe(ranges)
})
