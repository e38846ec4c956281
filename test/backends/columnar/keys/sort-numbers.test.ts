import { describe, expect, test } from 'vitest'
import { sortNumbers } from '../../../../src/backends/columnar/keys/sort-numbers.ts'
import { seededRandom, runWithBudget } from '../../../../src/base/index.ts'

const numbers = (length: number, below: number): Float64Array<ArrayBuffer> => {
  const random = seededRandom(length)
  return Float64Array.from({ length }, () => random.below(below) - below / 4)
}

describe('sorted numbers', () => {
  test.each([0, 1, 16_384, 16_385, 32_768, 100_000])('are as the built-in sort leaves %i of them', (length) => {
    for (const below of [10, 1e9]) {
      const values = numbers(length, below)
      const wanted = values.toSorted()
      sortNumbers(values)
      expect(values).toEqual(wanted)
    }
  })

  test('look at the limits of the query with each run of every pass', () => {
    let looks = 0
    runWithBudget({ checkpoint: () => looks++ }, () => sortNumbers(numbers(200_000, 1e9)))
    const runs = Math.floor(200_000 / 16_384)
    expect(looks).toBeGreaterThanOrEqual(runs * 5)
  })
})
