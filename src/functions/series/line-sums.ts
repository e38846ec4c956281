import { work } from '../../base/index.ts'
import { lostOfProduct } from '../../data/index.ts'
import type { SeriesBudget, WindowSeries } from './definition.ts'

/** Least-squares line of one window: its slope per second, and its height at the requested time. */
export interface Line {
  readonly slope: number
  readonly intercept: number
}

/** Maximum number of samples of a window that is summed directly, because that is faster. */
const FEW_SAMPLES = 8
/** Minimum average number of windows per sample for which running sums are worthwhile. */
const OFTEN = 4
/** Maximum number of samples of a series, up to which differences of running sums are as exact as direct sums. */
const MOST_SAMPLES = 2 ** 16
const MOST_MS = 2 ** 28
const MOST_RATIO = 2 ** 24
const COLUMNS = 8

/** Returns the rounding error of `sum`, the floating-point sum of two numbers. */
function lostOfSum(a: number, b: number, sum: number): number {
  const part = sum - a
  return a - (sum - part) + (b - part)
}

/** A double-double number: a double, and the rounding error to add to it. */
type Long = readonly [upper: number, lower: number]

/** Running sums in double-double precision. */
class LongSums {
  readonly #upper: Float64Array
  readonly #lower: Float64Array

  constructor(size: number) {
    this.#upper = new Float64Array(size + 1)
    this.#lower = new Float64Array(size + 1)
  }

  /** Appends the value of the sample at `index`. `lost` is the rounding error of the value. */
  add(index: number, value: number, lost: number): void {
    const before = this.#upper[index]
    const sum = before + value
    const rest = this.#lower[index] + lost + lostOfSum(before, value, sum)
    const upper = sum + rest
    this.#upper[index + 1] = upper
    this.#lower[index + 1] = rest - (upper - sum)
  }

  /** Returns the sum of the samples `[from, to)`. */
  between(from: number, to: number): Long {
    const before = this.#upper[from]
    const after = this.#upper[to]
    const upper = after - before
    return [upper, lostOfSum(after, -before, upper) + (this.#lower[to] - this.#lower[from])]
  }
}

/**
 * Fits lines to the windows of a series, using differences of running sums. The cost of a window does not depend on its
 * length.
 */
export class LineSums {
  readonly #timesMs: Float64Array
  readonly #values: Float64Array
  readonly #firstMs: number
  /** Running sums of times, in ms since the first sample. Times are integers, so these sums are exact. */
  readonly #times: Float64Array
  readonly #squares: LongSums
  readonly #heights: LongSums
  readonly #products: LongSums
  /** For each sample, the index of the first sample in the run of equal values that contains it. */
  readonly #sameSince: Int32Array

  private constructor(series: WindowSeries) {
    const { timesMs, values } = series
    const size = timesMs.length
    this.#timesMs = timesMs
    this.#values = values
    this.#firstMs = timesMs[0]
    this.#times = new Float64Array(size + 1)
    this.#squares = new LongSums(size)
    this.#heights = new LongSums(size)
    this.#products = new LongSums(size)
    this.#sameSince = new Int32Array(size)
    for (let i = 0; i < size; i++) {
      const ms = timesMs[i] - this.#firstMs
      const value = values[i]
      this.#times[i + 1] = this.#times[i] + ms
      const square = ms * ms
      this.#squares.add(i, square, lostOfProduct(ms, ms, square))
      this.#heights.add(i, value, 0)
      const product = ms * value
      this.#products.add(i, product, lostOfProduct(ms, value, product))
      this.#sameSince[i] = i > 0 && values[i - 1] === value ? this.#sameSince[i - 1] : i
    }
    work(size)
  }

  /**
   * Returns running sums for a series; `undefined` if they would be slower than direct sums, or not exact enough.
   * Throws `budget/memory`.
   */
  static of(series: WindowSeries, budget: SeriesBudget): LineSums | undefined {
    const { timesMs, values, from, to } = series
    const size = timesMs.length
    if (size > MOST_SAMPLES || size <= FEW_SAMPLES || timesMs[size - 1] - timesMs[0] > MOST_MS) return undefined
    let inWindows = 0
    for (let step = 0; step < from.length; step++) inWindows += to[step] - from[step]
    if (inWindows < OFTEN * size) return undefined
    let [least, most] = [Infinity, 0]
    for (const value of values) {
      const height = Math.abs(value)
      if (!(height < Infinity)) return undefined
      if (height > most) most = height
      if (height > 0 && height < least) least = height
    }
    if (most > least * MOST_RATIO) return undefined
    const bytes = COLUMNS * Float64Array.BYTES_PER_ELEMENT * (size + 1)
    budget.charge(bytes)
    budget.charge(-bytes)
    return new LineSums(series)
  }

  /**
   * Returns the line of a window; `undefined` if a direct fit is faster. `originMs` is the time at which the height is
   * requested.
   */
  fit(from: number, to: number, originMs: number): Line | undefined {
    const count = to - from
    if (count <= FEW_SAMPLES) return undefined
    if (this.#sameSince[to - 1] <= from) return { slope: 0, intercept: this.#values[from] }
    // Times are relative to the first sample of the window, so that the products stay small.
    const startMs = this.#timesMs[from] - this.#firstMs
    const sinceFirst = this.#times[to] - this.#times[from]
    const times = sinceFirst - count * startMs
    const squares = since(this.#squares.between(from, to), startMs, [2 * sinceFirst - count * startMs, 0])
    const heights = this.#heights.between(from, to)
    const products = since(this.#products.between(from, to), startMs, heights)
    // The common part of both terms dominates them, so it is subtracted before rounding.
    const covariance = differenceOfProducts(count, products, times, heights)
    const variance = differenceOfProducts(count, squares, times, [times, 0])
    const slope = (covariance / variance) * 1000
    const meanSeconds = (this.#timesMs[from] - originMs + times / count) / 1000
    return { slope, intercept: (heights[0] + heights[1]) / count - slope * meanSeconds }
  }
}

/**
 * Shifts a sum of times, each multiplied by a factor, to times relative to `startMs`: subtracts `startMs` times the sum
 * of the factors.
 */
function since(sum: Long, startMs: number, factors: Long): Long {
  const [upper, lower] = timesLong(startMs, factors)
  return minus(sum, upper, lower)
}

/** Returns `a × b - c × d`. */
function differenceOfProducts(a: number, b: Long, c: number, d: Long): number {
  const [upper, lower] = timesLong(c, d)
  const [rest, lost] = minus(timesLong(a, b), upper, lower)
  return rest + lost
}

function timesLong(factor: number, [upper, lower]: Long): Long {
  const product = factor * upper
  return [product, lostOfProduct(factor, upper, product) + factor * lower]
}

function minus([upper, lower]: Long, otherUpper: number, otherLower: number): Long {
  const rest = upper - otherUpper
  return [rest, lostOfSum(upper, -otherUpper, rest) + (lower - otherLower)]
}
