import { describe, expect, test } from 'vitest'
import { firstBy, runWithBudget, seededRandom, sortedBy, sortedIndexes } from '../../src/base/index.ts'

describe('sorted places', () => {
  test.each([0, 1, 2, 4095, 4096, 4097, 12_288, 50_000])('are those of a stable sort of %i values', (length) => {
    const random = seededRandom(length)
    const values = Array.from({ length }, () => random.below(1 + (length >> 3)))
    const compare = (a: number, b: number): number => (values[a] ?? 0) - (values[b] ?? 0)
    const wanted = values.map((_, i) => i).sort(compare)
    expect([...sortedIndexes(length, compare)]).toEqual(wanted)
  })

  test('look at the limits of the query again and again', () => {
    let looks = 0
    let compared = 0
    runWithBudget({ checkpoint: () => looks++ }, () => {
      sortedIndexes(100_000, (a, b) => {
        compared++
        return ((a * 7919) % 1009) - ((b * 7919) % 1009)
      })
    })
    expect(looks).toBeGreaterThanOrEqual(Math.floor(compared / 10_000))
  })

  test('take one comparison for each value that is in order already', () => {
    let compared = 0
    sortedIndexes(65_536, (a, b) => {
      compared++
      return a - b
    })
    expect(compared).toBeLessThan(65_536 + 32)
  })
})

describe('the first values', () => {
  test.each([0, 1, 3, 100, 999, 1000, 1001, Infinity])('%d of 1000 are those of a stable sort', (count) => {
    const random = seededRandom(count)
    const values = Array.from({ length: 1000 }, (_, place) => ({ place, key: random.below(200) }))
    const order = (a: { key: number }, b: { key: number }): number => a.key - b.key
    expect(firstBy(values, order, count)).toEqual(sortedBy(values, order).slice(0, count))
  })

  test('take one comparison for each value that comes behind them', () => {
    let compared = 0
    const order = (a: number, b: number): number => {
      compared++
      return a - b
    }
    firstBy(Array.from({ length: 10_000 }).keys(), order, 10)
    expect(compared).toBeLessThan(10_000 + 200)
  })
})
