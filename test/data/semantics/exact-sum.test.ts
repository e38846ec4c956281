import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { ExactSum, nearestFloat } from '../../../src/data/index.ts'

function sumOf(values: readonly (number | bigint)[]): number | bigint {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum.value()
}

/** Returns a seeded pseudo-random number generator. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

describe('ExactSum', () => {
  test.each<[(number | bigint)[], number | bigint]>([
    [[], 0],
    [[1, 2, 3], 6],
    [[0.1, 0.2, 0.3], 0.6],
    [Array.from({ length: 10 }, () => 0.1), 1],
    [[1e100, 1, -1e100], 1],
    [[1e16, 1, 1e-16], 10000000000000002],
    [[9007199254740991, 2], 9007199254740993n],
    [[2 ** 53, 1], 9007199254740993n],
    [[2n ** 63n, 2n ** 63n], 2n ** 64n],
    [[9007199254740991, 9007199254740991, 0.5], 18014398509481982],
    [[1.7976931348623157e308, 1.7976931348623157e308, -1.7976931348623157e308], 1.7976931348623157e308],
    [[1.7976931348623157e308, 1.7976931348623157e308], Infinity],
    [[5e-324, 5e-324], 1e-323],
    [[1, 2 ** -53, 2 ** -53], 1.0000000000000002],
    [[1, 2 ** -53, 2 ** -106], 1.0000000000000002],
    [[1, -1, -0], 0],
    [[0.1, -0.1], 0],
    [[Infinity, 1], Infinity],
    [[Infinity, -Infinity], NaN],
  ])('%s', (values, expected) => {
    expect(sumOf(values)).toEqual(expected)
    expect(sumOf(values.toReversed())).toEqual(expected)
  })

  test('a mean is finite where the sum is not', () => {
    const sum = new ExactSum()
    for (const value of [1.7e308, 1.7e308, 1n]) sum.add(value)
    expect([sum.value(), sum.mean(2), sum.mean(3)]).toEqual([Infinity, 1.7e308, 1.1333333333333334e308])
  })

  test('does not depend on order or on how it is split', () => {
    const next = generator(7)
    for (let round = 0; round < 200; round++) {
      const values = Array.from({ length: 40 }, () => {
        const kind = next()
        if (kind < 0.2) return Math.floor((next() - 0.5) * 2 ** 53)
        if (kind < 0.3) return BigInt(Math.floor(next() * 2 ** 53)) * 1024n
        return (next() - 0.5) * 10 ** Math.floor((next() - 0.5) * (round % 2 === 0 ? 40 : 600))
      })
      const expected = sumOf(values)
      const shuffled = values.map((value) => ({ value, at: next() })).toSorted((a, b) => a.at - b.at)
      expect(sumOf(shuffled.map((entry) => entry.value))).toBe(expected)
      const parts = [new ExactSum(), new ExactSum(), new ExactSum()]
      for (const value of values) present(parts[Math.floor(next() * 3)]).add(value)
      const merged = ExactSum.import(JSON.parse(JSON.stringify(present(parts[0]).export())))
      merged.merge(present(parts[1]))
      merged.merge(ExactSum.import(present(parts[2]).export()))
      expect(merged.value()).toBe(expected)
    }
  })

  test('nearestFloat rounds once, ties to even', () => {
    expect(nearestFloat(1n, 3n)).toBe(1 / 3)
    expect(nearestFloat(-2n, 3n)).toBe(-2 / 3)
    expect(nearestFloat(2n ** 53n + 1n, 1n)).toBe(2 ** 53)
    expect(nearestFloat(2n ** 53n + 3n, 1n)).toBe(2 ** 53 + 4)
    expect(nearestFloat(1n, 2n ** 1074n)).toBe(5e-324)
    expect(nearestFloat(1n, 2n ** 1075n)).toBe(0)
    expect(nearestFloat(3n, 2n ** 1075n)).toBe(1e-323)
    expect(nearestFloat(10n ** 400n, 1n)).toBe(Infinity)
    const next = generator(3)
    for (let i = 0; i < 2000; i++) {
      const a = Math.floor(next() * 2 ** 53)
      const b = Math.floor(next() * 2 ** 40) + 1
      expect(nearestFloat(BigInt(a), BigInt(b))).toBe(a / b)
      const digits = Math.floor(next() * 330)
      expect(nearestFloat(BigInt(a), 10n ** BigInt(digits))).toBe(Number(`${a}e-${digits}`))
    }
  })
})
