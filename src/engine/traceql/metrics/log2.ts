/**
 * Returns the upper bound of a value's bucket, which is the smallest power of two not below the value; `undefined` for
 * values below 2, which have no bucket.
 */
export function bucketOf(value: bigint): number | undefined {
  return value < 2n ? undefined : 2 ** (value - 1n).toString(2).length
}

/**
 * Estimates a quantile from counts by the upper bounds of buckets. Interpolates exponentially within a bucket. Returns
 * 0 if there are no values.
 */
export function quantileOf(q: number, counts: ReadonlyMap<number, number>): number {
  const buckets = [...counts].sort(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  const wanted = Math.max(1, Math.ceil(q * total))
  let taken = 0
  let below: number | undefined
  for (const [bound, count] of buckets) {
    if (taken + count === wanted) return bound
    if (taken + count > wanted) {
      const upper = Math.log2(bound)
      const lower = below === undefined ? upper - 1 : Math.log2(below)
      return 2 ** (lower + ((upper - lower) * (wanted - taken)) / count)
    }
    taken += count
    below = bound
  }
  return 0
}
