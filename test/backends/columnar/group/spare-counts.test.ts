import { expect, test } from 'vitest'
import { CountKernel } from '../../../../src/backends/columnar/group/count-kernel.ts'
import { keepCounts, takeCounts } from '../../../../src/backends/columnar/group/spare-counts.ts'

const MANY = 100_000

test('counts of many groups are used again, and are zeros', () => {
  const first = takeCounts(MANY)
  first.fill(7)
  keepCounts(first)
  const next = takeCounts(MANY - 1)
  expect(next.buffer).toBe(first.buffer)
  expect(next).toHaveLength(MANY - 1)
  expect(next.every((count) => count === 0)).toBe(true)
  expect(takeCounts(MANY).buffer).not.toBe(first.buffer)
})

test('what takes much memory is let go of', () => {
  const huge = takeCounts(2 ** 22 + 1)
  keepCounts(huge)
  expect(takeCounts(2 ** 22 + 1).buffer).not.toBe(huge.buffer)
})

test('counts that were exported to another thread are not used again', () => {
  const kernel = new CountKernel()
  kernel.reserve(MANY)
  kernel.addRows(Uint32Array.of(3, 3, 5), 3)
  const given = kernel.parts.give(MANY) as Uint32Array
  const meanwhile = takeCounts(MANY)
  expect(meanwhile.buffer).not.toBe(given.buffer)
  expect([given[3], given[5]]).toEqual([2, 1])
  kernel.release()
  expect(takeCounts(MANY).buffer).not.toBe(given.buffer)
})
