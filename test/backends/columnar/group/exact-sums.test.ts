import { describe, expect, test } from 'vitest'
import { ExactSums } from '../../../../src/backends/columnar/group/exact-sums.ts'
import { ExactSum, float, nearestFloat } from '../../../../src/data/index.ts'
import { Draw } from '../random-plans.ts'

function exactMean(sum: ExactSum, count: number): number {
  const { mantissa, exponent } = sum.scaled()
  return float(nearestFloat(mantissa << BigInt(Math.max(0, exponent)), BigInt(count) << BigInt(Math.max(0, -exponent))))
}

/** Sums the same numbers with `ExactSums` and one by one, and expects equal results. */
function compare(values: readonly number[], groupCount: number, magnitude: number): void {
  const sums = new ExactSums(magnitude)
  sums.reserve(groupCount)
  const groups = Uint32Array.from(values, (_, i) => i % groupCount)
  const rows = Uint32Array.from(values.keys())
  // Adds the values in two halves, one with a list of rows and one without.
  const half = values.length >> 1
  const doubles = Float64Array.from(values)
  sums.addAll(doubles, rows.subarray(0, half), groups.subarray(0, half), half)
  sums.addAll(doubles.subarray(half), undefined, groups.subarray(half), values.length - half)
  for (let group = 0; group < groupCount; group++) {
    const own = values.filter((value, i) => i % groupCount === group && value === value)
    const sum = new ExactSum()
    for (const value of own) sum.addNumber(value)
    if (!sum.isInteger) sums.noteFraction(group)
    expect(sums.sum(group)).toBe(own.length === 0 ? NaN : sum.value())
    if (!sum.hasInfinities && own.length > 0) expect(sums.mean(group)).toBe(exactMean(sum, own.length))
  }
}

describe('sums in exact parts', () => {
  const draw = new Draw(99)
  const unit = (): number => draw.below(2 ** 31) / 2 ** 31
  test.each([
    ['thousandths', () => Math.round(unit() * 1e6) / 1000, 1000],
    ['both signs', () => (unit() - 0.5) * 1e5, 1e5],
    ['integers', () => draw.below(2 ** 31) - 2 ** 30, 2 ** 31],
    ['many magnitudes', () => (unit() - 0.5) * 10 ** (draw.below(60) - 30), 1e30],
    ['larger than announced', () => unit() * 10 ** draw.below(30), 10],
    ['tiny', () => unit() * 2 ** -1060, 1],
    ['huge', () => (unit() - 0.5) * 1e307, 1e307],
    ['with infinities and NaN', () => draw.pick([1.5, Infinity, -2, NaN, 0]), 2],
    ['that cancel', () => draw.pick([1e16, -1e16, 1, -1, 0.1]), 1e16],
  ])('%s', (_, make, magnitude) => {
    for (const groups of [1, 3, 50]) {
      compare(Array.from({ length: 1 + draw.below(400) }, make), groups, magnitude)
    }
  })

  test('more values than a part holds', () => {
    compare(
      Array.from({ length: 600_000 }, () => Math.round(unit() * 1e7) / 1000),
      2,
      10_000,
    )
  })

  test('means right below a power of two, where floats lie closer', () => {
    for (const rest of [2 ** -52, 2 ** -53, 3 * 2 ** -53]) compare([1, 1, 1 - rest], 1, 1)
    compare([2 ** -20, 2 ** -20, 2 ** -20 - 2 ** -73], 1, 1)
  })

  test('integers stay exact beyond 2^53', () => {
    compare(Array<number>(40).fill(2 ** 52 + 1), 1, 2 ** 52 + 1)
  })

  test('a size that turns out larger', () => {
    const sums = new ExactSums(8)
    const sum = new ExactSum()
    for (const size of [1, 1000, 1e9, 1e15]) {
      const values = Float64Array.from({ length: 300 }, () => (unit() - 0.4) * size)
      if (size > sums.limit) sums.widen(size)
      sums.addAll(values, undefined, new Uint32Array(300), 300)
      for (const value of values) sum.addNumber(value)
    }
    sums.noteFraction(0)
    expect(sums.sum(0)).toBe(sum.value())
    expect(sums.mean(0)).toBe(exactMean(sum, 1200))
  })

  test('order does not matter', () => {
    const values = Array.from({ length: 1000 }, () => (unit() - 0.3) * 1e3)
    const total = (list: readonly number[]): number | bigint => {
      const sums = new ExactSums(1e3)
      sums.addAll(Float64Array.from(list), undefined, new Uint32Array(list.length), list.length)
      return sums.sum(0)
    }
    expect(total(values.toReversed())).toBe(total(values))
    expect(total(values.toSorted((a, b) => a - b))).toBe(total(values))
  })
})
