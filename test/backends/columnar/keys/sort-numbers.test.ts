import { describe, expect, test } from 'vitest'
import { sortNumbers } from '../../../../src/backends/columnar/keys/sort-numbers.ts'
import { atOnce, seededRandom, workFor } from '../../../../src/base/index.ts'

const numbers = (length: number, below: number): Float64Array<ArrayBuffer> => {
  const random = seededRandom(length)
  return Float64Array.from({ length }, () => random.below(below) - below / 4)
}

describe('numbers sorted in turns', () => {
  test.each([0, 1, 16_384, 16_385, 32_768, 100_000])('are as the built-in sort leaves %i of them', (length) => {
    for (const below of [10, 1e9]) {
      const values = numbers(length, below)
      const wanted = values.toSorted()
      atOnce(sortNumbers(values))
      expect(values).toEqual(wanted)
    }
  })

  test('take turns, and look at the limits of the query, with each run of every pass', () => {
    let looks = 0
    let turns = 0
    workFor({ checkpoint: () => looks++ }, () => {
      for (const sorting = sortNumbers(numbers(200_000, 1e9)); sorting.next().done !== true;) turns++
    })
    const runs = Math.floor(200_000 / 16_384)
    expect(turns).toBeGreaterThanOrEqual(runs * 5)
    expect(looks).toBeGreaterThanOrEqual(runs * 5)
  })
})
