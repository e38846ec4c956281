import { kahanStep, kahanTotal, type KahanSum } from '../../data/index.ts'
import type { WindowSeries } from './definition.ts'

/**
 * Compensated sums of windows that only move forward, in constant time a step on average: what lies before `#middle` is
 * kept as sums from each sample up to there, what lies behind it as one running sum.
 */
class SlidingSum {
  readonly #values: Float64Array
  readonly #sums: Float64Array
  readonly #rests: Float64Array
  #from = 0
  #middle = 0
  #to = 0
  #sum = 0
  #rest = 0

  constructor(values: Float64Array) {
    this.#values = values
    this.#sums = new Float64Array(values.length)
    this.#rests = new Float64Array(values.length)
  }

  /** The sum of `[from, to)`; NaN or infinite when a part of it ran over, and then it must be added up anew. */
  total(from: number, to: number): number {
    if (from >= this.#middle || from < this.#from || to < this.#to) this.#restart(from, to)
    else this.#extend(to)
    this.#from = from
    const front = this.#sums[from]
    const sum = front + this.#sum
    const lost = Math.abs(front) >= Math.abs(this.#sum) ? front - sum + this.#sum : this.#sum - sum + front
    return sum + (lost + this.#rests[from] + this.#rest)
  }

  #restart(from: number, to: number): void {
    let sum = 0
    let rest = 0
    for (let i = to - 1; i >= from; i--) {
      const value = this.#values[i]
      const total = sum + value
      if (Math.abs(sum) >= Math.abs(value)) rest += sum - total + value
      else rest += value - total + sum
      sum = total
      this.#sums[i] = sum
      this.#rests[i] = rest
    }
    this.#middle = to
    this.#to = to
    this.#sum = 0
    this.#rest = 0
  }

  #extend(to: number): void {
    let sum = this.#sum
    let rest = this.#rest
    for (let i = this.#to; i < to; i++) {
      const value = this.#values[i]
      const total = sum + value
      if (Math.abs(sum) >= Math.abs(value)) rest += sum - total + value
      else rest += value - total + sum
      sum = total
    }
    this.#sum = sum
    this.#rest = rest
    this.#to = to
  }
}

export function movingTotal({ values }: WindowSeries): (from: number, to: number) => number {
  const sliding = new SlidingSum(values)
  return (from, to) => {
    const total = sliding.total(from, to)
    return Number.isFinite(total) ? total : kahanTotal(values, from, to)
  }
}

/** The mean of `values[from…to)`; once the sum would overflow, the incremental mean. */
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

/** Goes on from `at`, where the sum of those before is known. */
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
  const sliding = new SlidingSum(values)
  return (from, to) => {
    const total = sliding.total(from, to)
    return Number.isFinite(total) ? total / (to - from) : meanOf(values, from, to)
  }
}

/** The greatest (`direction` 1) or least (−1) value; NaN only when there is nothing else. Windows only move forward. */
export function movingExtreme({ values }: WindowSeries, direction: 1 | -1): (from: number, to: number) => number {
  const better = (a: number, b: number): number => {
    if (a !== a) return b
    if (direction === 1) return b > a ? b : a
    return b < a ? b : a
  }
  // As for sums: the best from each sample up to `middle`, and one running best behind it.
  const bests = new Float64Array(values.length)
  let first = 0
  let middle = 0
  let end = 0
  let best = NaN
  return (from, to) => {
    if (from >= middle || from < first || to < end) {
      let running = NaN
      for (let i = to - 1; i >= from; i--) {
        running = better(running, values[i])
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
