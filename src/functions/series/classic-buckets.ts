/** One bucket of a classic histogram: observations at or below the bound. */
export interface ClassicBucket {
  bound: number
  count: number
}

/** Differences this small come from rounding and do not count as a drop. */
const TOLERANCE = 1e-12

function isAlmostEqual(a: number, b: number): boolean {
  const sum = Math.abs(a) + Math.abs(b)
  if (a === 0 || b === 0 || sum < 2.2250738585072014e-308) return Math.abs(a - b) < TOLERANCE * 2.2250738585072014e-308
  return Math.abs(a - b) / Math.min(sum, Number.MAX_VALUE) < TOLERANCE
}

/** Lifts counts that fall below the one before; says whether any fell by more than rounding. */
function makeMonotonic(buckets: ClassicBucket[]): boolean {
  let isForced = false
  let previous = buckets[0].count
  for (const bucket of buckets) {
    if (bucket.count === previous) continue
    if (isAlmostEqual(previous, bucket.count)) {
      bucket.count = previous
    } else if (bucket.count < previous) {
      bucket.count = previous
      isForced = true
    } else {
      previous = bucket.count
    }
  }
  return isForced
}

/** Buckets of one histogram at one step, by ascending bound, the last of which is +Inf. */
export interface ClassicHistogram {
  readonly buckets: ClassicBucket[]
}

/** The buckets of a histogram at one step after the other; what one step has is gone with the next. */
export class StepBuckets implements ClassicHistogram {
  readonly buckets: ClassicBucket[] = []
  readonly #made: ClassicBucket[] = []
  #count = 0

  clear(): void {
    this.#count = 0
  }

  /** Joins buckets of one bound; bounds ascend. */
  add(bound: number, count: number): void {
    const last = this.#made[this.#count - 1]
    if (this.#count > 0 && last.bound === bound) {
      last.count += count
      return
    }
    const bucket = (this.#made[this.#count] ??= { bound, count })
    bucket.bound = bound
    bucket.count = count
    this.buckets[this.#count++] = bucket
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Undefined when the last bound is not +Inf, so that nothing can be said. */
  get histogram(): ClassicHistogram | undefined {
    // Mostly there are as many at every step.
    if (this.buckets.length !== this.#count) this.buckets.length = this.#count
    return this.buckets[this.#count - 1].bound === Infinity ? this : undefined
  }
}

export interface ClassicQuantile {
  readonly value: number
  /** Counts had to be lifted. */
  readonly isForced: boolean
}

/** The φ-quantile, φ in [0, 1]: linear inside a bucket, the first one starting at 0. Lifts counts that drop. */
export function classicQuantile(phi: number, { buckets }: ClassicHistogram): ClassicQuantile {
  const isForced = makeMonotonic(buckets)
  return { value: quantileOfMonotonic(phi, buckets), isForced }
}

function quantileOfMonotonic(phi: number, buckets: readonly ClassicBucket[]): number {
  const total = buckets[buckets.length - 1].count
  if (buckets.length < 2 || total === 0 || total !== total) return NaN
  const rank = phi * total
  let at = 0
  while (at < buckets.length - 1 && !(buckets[at].count >= rank)) at++
  if (at === buckets.length - 1) return buckets[at - 1].bound
  const { bound, count } = buckets[at]
  if (at === 0) return bound <= 0 ? bound : bound * (rank / count)
  const { bound: start, count: below } = buckets[at - 1]
  return start + (bound - start) * ((rank - below) / (count - below))
}

function rankOf(value: number, buckets: readonly ClassicBucket[], total: number): number {
  let rank = 0
  let lower = buckets[0].bound > 0 ? 0 : -Infinity
  for (const { bound, count } of buckets) {
    if (lower >= value) return Math.min(rank, total)
    if (bound > value) {
      // Nothing is interpolated in a bucket without a lower end.
      if (lower === -Infinity) return Math.min(count, total)
      return Math.min(rank + ((count - rank) * (value - lower)) / (bound - lower), total)
    }
    rank = count
    lower = bound
  }
  return total
}

/** The share of observations between two bounds, of counts as they are. */
export function classicFraction(lower: number, upper: number, { buckets }: ClassicHistogram): number {
  const total = buckets[buckets.length - 1].count
  if (total === 0 || lower !== lower || upper !== upper) return NaN
  if (lower >= upper) return 0
  return (rankOf(upper, buckets, total) - rankOf(lower, buckets, total)) / total
}
