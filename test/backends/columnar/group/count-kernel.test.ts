import { expect, test } from 'vitest'
import { CountKernel } from '../../../../src/backends/columnar/group/count-kernel.ts'
import { seededRandom, type Random } from '../../../../src/base/index.ts'

/** Draws group ids below `bound`, most of them low. */
function groupsOf(bound: number, length: number, random: Random): Uint32Array {
  return Uint32Array.from({ length }, () => Math.min(random.below(bound), random.below(bound)))
}

test.each([
  { bound: 1, length: 1001 },
  { bound: 5, length: 40 },
  { bound: 5, length: 39 },
  { bound: 300, length: 4001 },
  { bound: 4096, length: 4096 * 8 },
  { bound: 4097, length: 4097 * 8 },
  { bound: 70_000, length: 1000 },
])('$length rows of $bound groups are counted once each, however groups are kept', ({ bound, length }) => {
  const random = seededRandom(bound + length)
  const kernel = new CountKernel()
  kernel.reserve(bound)
  const expected = Array.from({ length: bound }, () => 0)
  for (let round = 0; round < 3; round++) {
    const groups = groupsOf(bound, length, random)
    const used = length - round
    for (const group of groups.subarray(0, used)) expected[group] = (expected[group] ?? 0) + 1
    if (round === 2 && bound <= 2 ** 16) kernel.addRows(Uint16Array.from(groups), used)
    else kernel.addRows(groups, used)
  }
  expect(Array.from(kernel.counts.subarray(0, bound))).toEqual(expected)
})

test('counts of one query do not leak into the next', () => {
  const first = new CountKernel()
  first.reserve(4)
  first.addRows(new Uint32Array(100).fill(3), 100)
  const second = new CountKernel()
  second.reserve(4)
  second.addRows(new Uint32Array(100).fill(1), 100)
  expect([Array.from(first.counts), Array.from(second.counts)]).toEqual([
    [0, 0, 0, 100],
    [0, 100, 0, 0],
  ])
})
