import { kahanStep, kahanTotal, type KahanSum } from '../../data/index.ts'
import type { WindowSeries } from './definition.ts'

/**
 * Returns the prefix sums of a series of integers, if all sums are exact and so do not depend on the order of addition.
 * `undefined` for other series.
 */
function exactSums(values: Float64Array): Float64Array | undefined {
  const sums = new Float64Array(values.length + 1)
  let sum = 0
  let size = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (!Number.isInteger(value)) return undefined
    sum += value
    size += Math.abs(value)
    sums[i + 1] = sum
  }
  return size <= Number.MAX_SAFE_INTEGER ? sums : undefined
}

export function movingTotal({ values }: WindowSeries): (from: number, to: number) => number {
  const sums = exactSums(values)
  if (sums === undefined) return (from, to) => kahanTotal(values, from, to)
  return (from, to) => sums[to] - sums[from]
}

/** Returns the mean of `values[from…to)`. Switches to incremental computation when the sum would overflow. */
export function meanOf(values: ArrayLike<number>, from: number, to: number): number {
  let sum = values[from]
  let compensation = 0
  for (let i = from + 1; i < to; i++) {
    const value = values[i]
    const total = sum + value
    if (total === Infinity || total === -Infinity) return incrementalMean(values, from, i, to, sum, compensation)
    if (Math.abs(sum) >= Math.abs(value)) compensation += sum - total + value
    else compensation += value - total + sum
    sum = total
  }
  return sum / (to - from) + compensation / (to - from)
}

/** Continues the computation of a mean incrementally from index `at`, given the sum of the values before it. */
function incrementalMean(
  values: ArrayLike<number>,
  from: number,
  at: number,
  to: number,
  sum: number,
  compensation: number,
): number {
  let count = at - from
  const mean: KahanSum = { sum: sum / count, compensation: compensation / count }
  for (let i = at; i < to; i++) {
    count++
    const weight = (count - 1) / count
    mean.sum *= weight
    mean.compensation *= weight
    kahanStep(mean, values[i] / count)
  }
  return mean.sum + mean.compensation
}

export function movingMean({ values }: WindowSeries): (from: number, to: number) => number {
  const sums = exactSums(values)
  if (sums === undefined) return (from, to) => meanOf(values, from, to)
  return (from, to) => (sums[to] - sums[from]) / (to - from)
}

/**
 * Returns a function that computes the greatest (`direction` 1) or least (−1) value of successive windows. The result
 * is NaN only if all values are NaN.
 */
export function movingExtreme({ values }: WindowSeries, direction: 1 | -1): (from: number, to: number) => number {
  /** Returns the better of two values; of equal values, such as 0 and −0, the first. */
  const better = (a: number, b: number): number => {
    if (a !== a) return b
    if (direction === 1) return b > a ? b : a
    return b < a ? b : a
  }
  // `bests` holds the best value from each sample up to `middle`, and `best` the best value from `middle` on, so that
  // most windows need one comparison.
  const bests = new Float64Array(values.length)
  let first = 0
  let middle = 0
  let end = 0
  let best = NaN
  return (from, to) => {
    if (from >= middle || from < first || to < end) {
      let running = NaN
      for (let i = to - 1; i >= from; i--) {
        running = running !== running ? values[i] : better(values[i], running)
        bests[i] = running
      }
      middle = to
      best = NaN
    } else {
      for (let i = end; i < to; i++) best = better(best, values[i])
    }
    first = from
    end = to
    return better(bests[from], best)
  }
}
