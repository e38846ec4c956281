import { describe, expect, test } from 'vitest'
import { bestNumbers } from '../../../../src/backends/columnar/keys/best-numbers.ts'
import { seededRandom, runWithBudget } from '../../../../src/base/index.ts'

type Numbers = Float64Array | Uint32Array

const ORDERS = {
  'in any order': (values: Numbers) => values,
  ascending: (values: Numbers) => values.toSorted(),
  descending: (values: Numbers) => values.toSorted((a, b) => b - a),
  'all the same': (values: Numbers) => values.fill(7),
}
const KINDS: Record<string, (numbers: readonly number[]) => Numbers> = {
  doubles: (numbers) => Float64Array.from(numbers),
  counts: (numbers) => Uint32Array.from(numbers),
}

/** Reference implementation that sorts all values. */
function sorted(values: Numbers, direction: 'asc' | 'desc', keep: number, absent: number): number[] {
  const there = Array.from(values, (value, place) => ({ value, place })).filter(({ value }) => value !== absent)
  const inOrder = there.toSorted((a, b) => (direction === 'asc' ? a.value - b.value : b.value - a.value))
  const last = inOrder[Math.min(keep, inOrder.length) - 1]?.value ?? NaN
  return there.filter(({ value }) => (direction === 'asc' ? value <= last : value >= last)).map(({ place }) => place)
}

describe('the best of some numbers', () => {
  for (const [order, ordered] of Object.entries(ORDERS))
    for (const [kind, valuesOf] of Object.entries(KINDS))
      test.each([1, 10, 2500, 6000, 9000])(`${kind} ${order}: the first %i are those of a sort`, (keep) => {
        const random = seededRandom(keep)
        for (const below of [3, 40, 1e9]) {
          const values = ordered(valuesOf(Array.from({ length: 6000 }, () => random.below(below))))
          for (const direction of ['asc', 'desc'] as const) {
            const best = bestNumbers(values, direction, keep, 0)
            expect(Array.from(best?.indexes ?? [])).toEqual(sorted(values, direction, keep, 0))
            expect(best?.count).toBe(values.filter((value) => value !== 0).length)
          }
        }
      })

  test('infinities have their places, and NaN has none', () => {
    const values = Float64Array.of(1, -Infinity, Infinity, 0, -Infinity, -0)
    expect(bestNumbers(values, 'desc', 1)?.indexes).toEqual(Uint32Array.of(2))
    expect(bestNumbers(values, 'asc', 1)?.indexes).toEqual(Uint32Array.of(1, 4))
    expect(bestNumbers(values, 'desc', 3)?.indexes).toEqual(Uint32Array.of(0, 2, 3, 5))
    expect(bestNumbers(values, 'desc', 5)?.indexes).toEqual(Uint32Array.of(0, 1, 2, 3, 4, 5))
    expect(bestNumbers(Float64Array.of(1, NaN), 'asc', 1)).toBeUndefined()
  })

  test('the limits of the query are looked at on the way', () => {
    let looks = 0
    const values = new Float64Array(3_000_000)
    runWithBudget({ checkpoint: () => looks++ }, () => bestNumbers(values, 'desc', 10))
    expect(looks).toBeGreaterThan(5)
  })
})
