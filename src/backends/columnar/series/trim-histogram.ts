import {
  allBuckets,
  exponentialBound,
  exponentialShare,
  isCustom,
  narrowZeroBucket,
  zeroBucket,
  type BucketList,
  type Histogram,
  type HistogramBucket,
} from '../../../data/index.ts'

/** The observations that are kept: those at or below the bound (`below`), or those above it. */
type TrimSide = 'below' | 'above'

/** Returns the estimated number of observations at or below a bound inside the bucket. */
function countBelow(bucket: HistogramBucket, bound: number, isLinear: boolean): number {
  const { lower, upper, count } = bucket
  if (isLinear) return count * ((bound - lower) / (upper - lower))
  return count * exponentialShare(bucket, bound)
}

/** Returns the mean value of the observations between two bounds in one bucket. */
function middle(lower: number, upper: number, isLinear: boolean): number {
  if (lower === -Infinity) return upper === Infinity ? 0 : upper > 0 ? upper / 2 : upper
  if (upper === Infinity) return lower
  if (isLinear) return (lower + upper) / 2
  const mean = Math.sqrt(Math.abs(lower * upper))
  return lower < 0 ? -mean : mean
}

interface Kept {
  readonly count: number
  /** Value of each kept observation when the sum is computed. */
  readonly middle: number
}

const NOTHING: Kept = { count: 0, middle: 0 }

/**
 * Returns the kept part of a bucket with an infinite bound. If the lower bound is infinite and the upper one is above
 * 0, the bucket is treated as starting at 0. In other buckets the values are unknown: either all observations are kept,
 * if the infinite side is kept, or none.
 */
function keepEndless({ lower, upper, count }: HistogramBucket, bound: number, side: TrimSide): Kept {
  if (lower === -Infinity) {
    if (upper === Infinity) return NOTHING
    if (upper <= 0) return side === 'below' ? { count, middle: bound } : NOTHING
    if (side === 'below') return bound > 0 ? { count: (count * bound) / upper, middle: bound / 2 } : NOTHING
    return bound >= 0 ? { count: count * (1 - bound / upper), middle: (bound + upper) / 2 } : NOTHING
  }
  return side === 'below' ? NOTHING : { count, middle: bound }
}

/** Returns the part of a bucket that is kept; nothing if the bound is NaN. */
function keep(bucket: HistogramBucket, bound: number, side: TrimSide, isLinear: boolean): Kept {
  const { lower, upper, count } = bucket
  const isWhole = side === 'below' ? upper <= bound : lower >= bound
  if (isWhole) return { count, middle: middle(lower, upper, isLinear) }
  const isCut = side === 'below' ? lower < bound : upper > bound
  if (!isCut) return NOTHING
  if (lower === -Infinity || upper === Infinity) return keepEndless(bucket, bound, side)
  const below = countBelow(bucket, bound, isLinear)
  return side === 'below'
    ? { count: below, middle: middle(lower, bound, isLinear) }
    : { count: count - below, middle: middle(bound, upper, isLinear) }
}

/**
 * Returns the histogram with only the observations at or below a bound, or above it. The bucket that contains the bound
 * is interpolated, and the sum is recomputed.
 */
export function trimHistogram(histogram: Histogram, bound: number, side: TrimSide): Histogram {
  const custom = isCustom(histogram)
  let sum = 0
  let count = 0
  let isChanged = false
  const take = (bucket: HistogramBucket, isLinear: boolean): number => {
    const kept = keep(bucket, bound, side, isLinear)
    if (kept.count !== bucket.count) isChanged = true
    sum += kept.middle * kept.count
    count += kept.count
    return kept.count
  }
  const trimList = (list: BucketList, bucketAt: (index: number, count: number) => HistogramBucket): BucketList => {
    const indexes: number[] = []
    const counts: number[] = []
    for (let i = 0; i < list.indexes.length; i++) {
      const kept = take(bucketAt(list.indexes[i], list.counts[i]), custom)
      if (kept === 0) continue
      indexes.push(list.indexes[i])
      counts.push(kept)
    }
    return { indexes, counts }
  }
  const { schema } = histogram
  const customBuckets = custom ? allBuckets(histogram) : []
  const positive = trimList(histogram.positive, (index, bucketCount) =>
    custom
      ? customBuckets[histogram.positive.indexes.indexOf(index)]
      : {
          lower: exponentialBound(schema, index - 1),
          upper: exponentialBound(schema, index),
          count: bucketCount,
          isZero: false,
        },
  )
  const negative = trimList(histogram.negative, (index, bucketCount) => ({
    lower: -exponentialBound(schema, index),
    upper: -exponentialBound(schema, index - 1),
    count: bucketCount,
    isZero: false,
  }))
  let { zeroCount } = histogram
  if (!custom && zeroCount > 0) {
    const zero = zeroBucket(histogram)
    narrowZeroBucket(histogram, zero)
    zeroCount = take(zero, true)
  }
  if (!isChanged) return histogram
  return { ...histogram, positive, negative, zeroCount, count, sum }
}
