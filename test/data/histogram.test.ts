import { describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import {
  EMPTY_HISTOGRAM,
  HistogramSum,
  addHistograms,
  allBuckets,
  denseBuckets,
  divideHistogram,
  exponentialBound,
  isResetBetween,
  multiplyHistogram,
  subtractHistograms,
  withHint,
  type Histogram,
} from '../../src/data/index.ts'

function exponential(schema: number, counts: readonly number[], rest: Partial<Histogram> = {}): Histogram {
  const count = counts.reduce((total, value) => total + value, 0)
  return { ...EMPTY_HISTOGRAM, schema, count, sum: count, positive: denseBuckets(0, counts), ...rest }
}

function custom(bounds: readonly number[], counts: readonly number[]): Histogram {
  return exponential(-53, counts, { bounds })
}

test.each([
  [0, 0, 1],
  [0, 3, 8],
  [0, -2, 0.25],
  [1, 1, Math.SQRT2],
  [3, 8, 2],
  [-1, 1, 4],
  [-4, -1, 2 ** -16],
  [0, 1024, Number.MAX_VALUE],
  [0, -1074, 5e-324],
])('schema %i, index %i: upper bound %d', (schema, index, bound) => {
  expect(exponentialBound(schema, index)).toBeCloseTo(bound, 12)
})

describe('adding', () => {
  test('the finer schema is brought to the coarser', () => {
    const sum = addHistograms(exponential(1, [1, 2, 3, 4]), exponential(0, [10, 20]))?.histogram
    // Indexes 0 to 3 of schema 1 become 0, 1, 1, 2.
    expect(sum).toMatchObject({ schema: 0, count: 40, positive: { indexes: [0, 1, 2], counts: [11, 25, 4] } })
  })

  test('zero buckets are widened to the greater one, and on to the end of a bucket they would cut', () => {
    const a = exponential(0, [1, 2, 3], { zeroThreshold: 1.5, zeroCount: 5 })
    const b = exponential(0, [10, 20, 30], { zeroThreshold: 0.1, zeroCount: 7 })
    // 1.5 lies inside the populated bucket (1, 2], so the zero bucket absorbs that bucket completely.
    expect(addHistograms(a, b)?.histogram).toMatchObject({
      zeroThreshold: 2,
      zeroCount: 5 + 1 + 2 + 7 + 10 + 20,
      positive: { indexes: [2], counts: [33] },
    })
  })

  test('custom bounds are cut down to those in both', () => {
    const combined = addHistograms(custom([1, 2, 4], [1, 2, 3, 4]), custom([2, 3, 4], [10, 20, 30, 40]))
    expect(combined?.hasReconciledBounds).toBe(true)
    expect(combined?.histogram).toMatchObject({
      bounds: [2, 4],
      positive: { indexes: [0, 1, 2], counts: [13, 53, 44] },
    })
  })

  test('exponential and custom ones do not go together', () => {
    expect(addHistograms(exponential(0, [1]), custom([1], [1]))).toBeUndefined()
  })

  test.each([
    ['reset', 'reset', 'reset', false],
    ['gauge', 'reset', 'gauge', false],
    ['unknown', 'reset', 'unknown', false],
    ['not-reset', 'reset', 'unknown', true],
  ] as const)('hints %s and %s give %s', (a, b, hint, isCollision) => {
    const combined = addHistograms(withHint(exponential(0, [1]), a), withHint(exponential(0, [1]), b))
    expect([combined?.histogram.hint, combined?.hasResetCollision]).toEqual([hint, isCollision])
  })
})

test('subtracting equal histograms leaves a gauge without buckets', () => {
  const difference = subtractHistograms(exponential(0, [1, 2]), exponential(0, [1, 2]))?.histogram
  expect(difference).toMatchObject({ count: 0, hint: 'gauge', positive: { indexes: [], counts: [] } })
})

test('a negative factor makes a gauge; division by zero keeps no buckets', () => {
  expect(multiplyHistogram(exponential(0, [1]), -2)).toMatchObject({ count: -2, hint: 'gauge' })
  expect(divideHistogram(exponential(0, [1]), 0)).toMatchObject({ count: Infinity, positive: { indexes: [] } })
})

describe('resets', () => {
  const before = exponential(1, [2, 2], { zeroThreshold: 0.1, zeroCount: 1 })
  test.each([
    ['the same', exponential(1, [2, 2], { zeroThreshold: 0.1, zeroCount: 1 }), false],
    ['more', exponential(1, [3, 2, 1], { zeroThreshold: 0.1, zeroCount: 1 }), false],
    ['a lower count', exponential(1, [2, 1], { zeroThreshold: 0.1, zeroCount: 1 }), true],
    ['a bucket gone', exponential(1, [5, 0], { zeroThreshold: 0.1, zeroCount: 1 }), true],
    ['a finer schema', exponential(2, [9, 9], { zeroThreshold: 0.1, zeroCount: 1 }), true],
    ['a coarser schema', exponential(0, [2, 2], { zeroThreshold: 0.1, zeroCount: 1 }), false],
    ['a narrower zero bucket', exponential(1, [9, 9], { zeroThreshold: 0.01, zeroCount: 1 }), true],
    ['fewer zeros', exponential(1, [9, 9], { zeroThreshold: 0.1, zeroCount: 0 }), true],
    ['custom buckets', custom([1], [9, 9]), true],
    ['a stated reset', withHint(exponential(1, [9, 9], { zeroThreshold: 0.1, zeroCount: 1 }), 'reset'), true],
    ['a lower count of a gauge', withHint(exponential(1, [1]), 'gauge'), true],
    ['more of a gauge', withHint(exponential(1, [3, 2, 1], { zeroThreshold: 0.1, zeroCount: 1 }), 'gauge'), false],
    ['stated to be none', withHint(exponential(1, [1]), 'not-reset'), false],
  ])('%s', (_, after, isReset) => {
    expect(isResetBetween(before, after)).toBe(isReset)
  })
})

test('a sum of many keeps what single additions lose', () => {
  const parts = [1, 1e100, 1, -1e100].map((sum) => exponential(0, [1], { sum }))
  const total = new HistogramSum(present(parts[0]))
  for (const part of parts.slice(1)) expect(total.add(part)).toBe(true)
  expect(total.value).toMatchObject({ sum: 2, count: 4, positive: { indexes: [0], counts: [4] } })
})

test('buckets come in order of value, the zero bucket between both sides', () => {
  const both = exponential(0, [1], { negative: denseBuckets(0, [2, 3]), zeroThreshold: 0.25, zeroCount: 9 })
  expect(allBuckets(both).map(({ lower, upper, count }) => [lower, upper, count])).toEqual([
    [-2, -1, 3],
    [-1, -0.5, 2],
    [-0.25, 0.25, 9],
    [0.5, 1, 1],
  ])
})
