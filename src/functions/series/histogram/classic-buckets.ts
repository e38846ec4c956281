/** Relative difference up to which a decrease of counts is a rounding error. */
const TOLERANCE = 1e-12

function isAlmostEqual(a: number, b: number): boolean {
  const sum = Math.abs(a) + Math.abs(b)
  if (a === 0 || b === 0 || sum < 2.2250738585072014e-308) return Math.abs(a - b) < TOLERANCE * 2.2250738585072014e-308
  return Math.abs(a - b) / Math.min(sum, Number.MAX_VALUE) < TOLERANCE
}

/**
 * Buckets whose counts were raised so that no count is below the previous one: their bounds, and the largest increase.
 */
export interface Lifted {
  readonly minBound: number
  readonly maxBound: number
  readonly maxDifference: number
}

/**
 * Raises each count that is below the previous one. Returns the counts that decreased by more than a rounding error.
 */
function makeMonotonic({ bounds, counts, size }: ClassicHistogram): Lifted | undefined {
  let minBound = Infinity
  let maxBound = -Infinity
  let maxDifference = 0
  let previous = counts[0]
  for (let i = 1; i < size; i++) {
    const count = counts[i]
    if (count === previous) continue
    if (isAlmostEqual(previous, count)) {
      counts[i] = previous
    } else if (count < previous) {
      counts[i] = previous
      minBound = Math.min(minBound, bounds[i])
      maxBound = Math.max(maxBound, bounds[i])
      maxDifference = Math.max(maxDifference, previous - count)
    } else {
      previous = count
    }
  }
  return maxDifference > 0 ? { minBound, maxBound, maxDifference } : undefined
}

/**
 * The buckets of a classic histogram at one step, by ascending bound; the last bound is +Inf. Only the first `size`
 * array entries are used.
 */
export interface ClassicHistogram {
  readonly bounds: Float64Array
  /** Number of observations at or below each bound. */
  readonly counts: Float64Array
  readonly size: number
}

/** Collects the buckets of a histogram at one step. The object is reused for the next step. */
export class StepBuckets implements ClassicHistogram {
  readonly bounds: Float64Array
  readonly counts: Float64Array
  #size = 0

  /** `most` is the maximum number of buckets at a step. */
  constructor(most: number) {
    this.bounds = new Float64Array(most)
    this.counts = new Float64Array(most)
  }

  get size(): number {
    return this.#size
  }

  clear(): void {
    this.#size = 0
  }

  /** Adds a bucket. Bounds must be in ascending order; the counts of equal bounds are summed. */
  add(bound: number, count: number): void {
    const last = this.#size - 1
    if (last >= 0 && this.bounds[last] === bound) {
      this.counts[last] += count
      return
    }
    this.bounds[this.#size] = bound
    this.counts[this.#size++] = count
  }

  /** This histogram; `undefined` if its last bound is not +Inf. */
  get histogram(): ClassicHistogram | undefined {
    return this.bounds[this.#size - 1] === Infinity ? this : undefined
  }
}

export interface ClassicQuantile {
  readonly value: number
  /** Describes the raised counts; `undefined` if no count was raised. */
  readonly lifted: Lifted | undefined
}

/**
 * Returns the φ-quantile for φ in [0, 1]. Interpolates linearly inside a bucket; the first bucket starts at 0. Raises
 * counts that are below the previous one.
 */
export function classicQuantile(phi: number, histogram: ClassicHistogram): ClassicQuantile {
  const lifted = makeMonotonic(histogram)
  return { value: quantileOfMonotonic(phi, histogram), lifted }
}

function quantileOfMonotonic(phi: number, { bounds, counts, size }: ClassicHistogram): number {
  const last = size - 1
  const total = counts[last]
  if (size < 2 || total === 0 || total !== total) return NaN
  const rank = phi * total
  let at = 0
  while (at < last && !(counts[at] >= rank)) at++
  if (at === last) return bounds[at - 1]
  const bound = bounds[at]
  if (at === 0) return bound <= 0 ? bound : bound * (rank / counts[0])
  const start = bounds[at - 1]
  const below = counts[at - 1]
  return start + (bound - start) * ((rank - below) / (counts[at] - below))
}

function rankOf(value: number, { bounds, counts, size }: ClassicHistogram): number {
  const total = counts[size - 1]
  let rank = 0
  let lower = bounds[0] > 0 ? 0 : -Infinity
  for (let i = 0; i < size; i++) {
    const bound = bounds[i]
    const count = counts[i]
    if (lower >= value) return Math.min(rank, total)
    if (bound > value) {
      // A first bucket without a lower bound cannot be interpolated.
      if (lower === -Infinity) return Math.min(count, total)
      return Math.min(rank + ((count - rank) * (value - lower)) / (bound - lower), total)
    }
    rank = count
    lower = bound
  }
  return total
}

/** Returns the fraction of observations between two bounds. Does not raise counts. */
export function classicFraction(lower: number, upper: number, histogram: ClassicHistogram): number {
  const total = histogram.counts[histogram.size - 1]
  if (total === 0 || lower !== lower || upper !== upper) return NaN
  if (lower >= upper) return 0
  return (rankOf(upper, histogram) - rankOf(lower, histogram)) / total
}
