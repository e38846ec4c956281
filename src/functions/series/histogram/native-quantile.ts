import { exp2, log2 } from '../../../data/elementary/index.ts'
import {
  allBuckets,
  exponentialShare,
  isCustom,
  narrowZeroBucket,
  type Histogram,
  type HistogramBucket,
} from '../../../data/index.ts'

/** How NaN observations affect a value computed from a histogram. */
export type NaNEffect = 'none' | 'nan-result' | 'skewed'

export interface NativeQuantile {
  readonly value: number
  readonly nanEffect: NaNEffect
}

function answer(value: number, nanEffect: NaNEffect = 'none'): NativeQuantile {
  return { value, nanEffect }
}

function inside(bucket: HistogramBucket, fraction: number, isLinear: boolean): number {
  const { lower, upper } = bucket
  if (isLinear) return lower + (upper - lower) * fraction
  const logLower = log2(Math.abs(lower))
  const logUpper = log2(Math.abs(upper))
  if (lower > 0) return exp2(logLower + (logUpper - logLower) * fraction)
  return -exp2(logUpper + (logLower - logUpper) * (1 - fraction))
}

/**
 * Returns the φ-quantile of a native histogram. Interpolates exponentially in exponential buckets, and linearly in
 * others.
 */
export function nativeQuantile(phi: number, histogram: Histogram): NativeQuantile {
  if (phi < 0) return answer(-Infinity)
  if (phi > 1) return answer(Infinity)
  if (histogram.count === 0 || phi !== phi) return answer(NaN)
  const hasNaN = histogram.sum !== histogram.sum
  const isForward = hasNaN || phi < 0.5
  const buckets = allBuckets(histogram)
  if (!isForward) buckets.reverse()
  let rank = (isForward ? phi : 1 - phi) * histogram.count
  let count = 0
  // Without any bucket, all observations are NaN.
  let bucket: HistogramBucket = { lower: 0, upper: 0, count: 0, isZero: true }
  let next = 0
  while (next < buckets.length) {
    bucket = buckets[next++]
    count += bucket.count
    if (count >= rank) break
  }
  narrowZeroBucket(histogram, bucket)
  if (isCustom(histogram)) {
    if (bucket.lower === -Infinity) {
      if (bucket.upper <= 0) return answer(bucket.upper)
      bucket.lower = 0
    } else if (bucket.upper === Infinity) {
      return answer(bucket.lower)
    }
  }
  count = Math.min(count, histogram.count)
  if (count < rank) return hasNaN ? answer(NaN, 'nan-result') : answer(bucket.upper)
  rank = isForward ? rank - (count - bucket.count) : count - rank
  const isLinear = isCustom(histogram) || bucket.isZero
  for (; next < buckets.length; next++) count += buckets[next].count
  // A NaN sum can also result from +Inf and −Inf, which are in buckets and do not distort the quantile; so the counts
  // are compared too.
  return answer(inside(bucket, rank / bucket.count, isLinear), hasNaN && count < histogram.count ? 'skewed' : 'none')
}

function countBelow(bound: number, bucket: HistogramBucket, isLinear: boolean): number {
  const { lower, upper, count } = bucket
  // Where observations lie inside an infinite bucket is unknown.
  if (lower === -Infinity) return count
  if (isLinear) return (count * (bound - lower)) / (upper - lower)
  return count * exponentialShare(bucket, bound)
}

/** Returns the number of observations up to a bound; `undefined` if the bound is beyond the last bucket. */
function rankOf(bound: number, histogram: Histogram, buckets: readonly HistogramBucket[]): number | undefined {
  let rank = 0
  for (const bucket of buckets) {
    if (bucket.lower >= bound) return rank
    if (bucket.upper > bound) return rank + countBelow(bound, bucket, isCustom(histogram) || bucket.isZero)
    rank += bucket.count
  }
  return undefined
}

export interface NativeFraction {
  readonly value: number
  /** True if some observations are NaN. Such observations are counted, but are in no bucket. */
  readonly hasNaN: boolean
}

/** Returns the fraction of observations between two bounds. */
export function nativeFraction(lower: number, upper: number, histogram: Histogram): NativeFraction {
  if (histogram.count === 0 || lower !== lower || upper !== upper) return { value: NaN, hasNaN: false }
  if (lower >= upper) return { value: 0, hasNaN: false }
  const buckets = allBuckets(histogram)
  for (const bucket of buckets) {
    // A custom bucket that contains zero is treated as starting at zero.
    if (isCustom(histogram) && bucket.lower <= 0 && bucket.upper >= 0) bucket.lower = 0
    else narrowZeroBucket(histogram, bucket)
  }
  let limit = histogram.count
  if (histogram.sum !== histogram.sum) limit = buckets.reduce((total, bucket) => total + bucket.count, 0)
  const lowerRank = Math.min(rankOf(lower, histogram, buckets) ?? limit, limit)
  const upperRank = Math.min(rankOf(upper, histogram, buckets) ?? limit, limit)
  return { value: (upperRank - lowerRank) / histogram.count, hasNaN: limit < histogram.count }
}
