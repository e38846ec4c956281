import {
  allBuckets,
  exponentialBound,
  isCustom,
  kahanStep,
  narrowZeroBucket,
  type BucketList,
  type Histogram,
  type HistogramBucket,
  type KahanSum,
} from '../../../data/index.ts'

/** The part of a bucket's observations at or below a bound that lies inside it. */
function shareBelow(bucket: HistogramBucket, bound: number, isLinear: boolean): number {
  const { lower, upper } = bucket
  if (isLinear) return (bound - lower) / (upper - lower)
  const logLower = Math.log2(Math.abs(lower))
  const logUpper = Math.log2(Math.abs(upper))
  const logBound = Math.log2(Math.abs(bound))
  return bound > 0 ? (logBound - logLower) / (logUpper - logLower) : 1 - (logBound - logUpper) / (logLower - logUpper)
}

/** The value that stands for the observations between two bounds of one bucket. */
function middle(lower: number, upper: number, isLinear: boolean): number {
  if (lower === -Infinity) return upper
  if (upper === Infinity) return lower
  if (isLinear) return (lower + upper) / 2
  const mean = Math.sqrt(Math.abs(lower * upper))
  return lower < 0 ? -mean : mean
}

interface Kept {
  readonly count: number
  readonly sum: number
}

/** What remains of a bucket, and what it adds to the sum. */
function keep(
  bucket: HistogramBucket,
  bound: number,
  side: 'below' | 'above',
  isLinear: boolean,
  custom: boolean,
): Kept {
  let { lower, upper } = bucket
  const { count } = bucket
  // The first bucket of custom ones starts at 0 when it can.
  if (custom && lower === -Infinity && upper > 0 && (side === 'below' || bound >= 0)) lower = 0
  const whole = { count, sum: count * middle(lower, upper, isLinear) }
  const none = { count: 0, sum: 0 }
  if (side === 'below') {
    if (upper <= bound) return whole
    if (lower === -Infinity && bound < upper) return { count, sum: count * bound }
    if (lower >= bound) return none
    if (upper === Infinity) return none
  } else {
    if (lower >= bound) return whole
    if (upper === Infinity) return { count, sum: count * bound }
    if (upper <= bound) return none
    if (lower === -Infinity) return none
  }
  const below = shareBelow({ ...bucket, lower, upper }, bound, isLinear)
  const kept = side === 'below' ? count * below : count * (1 - below)
  if (side === 'below') upper = bound
  else lower = bound
  return { count: kept, sum: kept * middle(lower, upper, isLinear) }
}

/** Keeps the observations at or below, or above, a bound: the cut bucket is interpolated, the sum made anew. */
export function trimHistogram(histogram: Histogram, bound: number, side: 'below' | 'above'): Histogram {
  if (bound === (side === 'below' ? Infinity : -Infinity)) return histogram
  const custom = isCustom(histogram)
  const sum: KahanSum = { sum: 0, compensation: 0 }
  let count = 0
  let isChanged = false
  const take = (bucket: HistogramBucket, isLinear: boolean): number => {
    const kept = keep(bucket, bound, side, isLinear, custom)
    if (kept.count !== bucket.count) isChanged = true
    kahanStep(sum, kept.sum)
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
  let zeroCount = 0
  if (!custom && histogram.zeroCount !== 0) {
    const width = histogram.zeroThreshold
    const zero: HistogramBucket = { lower: -width, upper: width, count: histogram.zeroCount, isZero: true }
    narrowZeroBucket(histogram, zero)
    zeroCount = take(zero, true)
  }
  if (!isChanged) return histogram
  return { ...histogram, positive, negative, zeroCount, count, sum: sum.sum + sum.compensation }
}
