import { bucketBound } from './elementary/bucket-bound.ts'
import { log2 } from './elementary/log.ts'
import { present } from '../base/index.ts'

/** Relation of a histogram to the previous sample, as far as it is known. */
export type ResetHint = 'unknown' | 'reset' | 'not-reset' | 'gauge'

/** The populated buckets, by ascending index. No count is zero. */
export interface BucketList {
  readonly indexes: readonly number[]
  readonly counts: readonly number[]
}

/** The schema of histograms with custom bucket bounds. */
export const CUSTOM_SCHEMA = -53

export const NO_BUCKETS: BucketList = { indexes: [], counts: [] }

/**
 * An immutable native histogram with float counts. In a schema n from −4 to 8, bucket i covers `(2^((i−1)/2^n),
 * 2^(i/2^n)]`; negative buckets mirror this. In the custom schema, `positive` buckets lie between successive `bounds`;
 * the first one starts at −Inf, the last one ends at +Inf.
 */
export interface Histogram {
  readonly schema: number
  readonly count: number
  readonly sum: number
  /** The bucket around zero covers `[−zeroThreshold, zeroThreshold]`. */
  readonly zeroThreshold: number
  readonly zeroCount: number
  readonly positive: BucketList
  readonly negative: BucketList
  /** Upper bounds, without the last +Inf; empty unless the schema is custom. */
  readonly bounds: readonly number[]
  readonly hint: ResetHint
}

export const EMPTY_HISTOGRAM: Histogram = {
  schema: 0,
  count: 0,
  sum: 0,
  zeroThreshold: 0,
  zeroCount: 0,
  positive: NO_BUCKETS,
  negative: NO_BUCKETS,
  bounds: [],
  hint: 'unknown',
}

export function isCustom(histogram: Histogram): boolean {
  return histogram.schema === CUSTOM_SCHEMA
}

/** Converts consecutive counts, the first for bucket `offset`, to buckets. Zero counts are dropped. */
export function denseBuckets(offset: number, counts: Iterable<number>): BucketList {
  const list = { indexes: [] as number[], counts: [] as number[] }
  let index = offset
  for (const count of counts) {
    if (count !== 0) {
      list.indexes.push(index)
      list.counts.push(count)
    }
    index++
  }
  return list
}

/**
 * Returns the upper bound of a positive bucket in an exponential schema. Its lower bound is the upper bound of the
 * bucket before.
 */
export function exponentialBound(schema: number, index: number): number {
  if (schema < 0) {
    const exponent = index * 2 ** -schema
    return exponent === 1024 ? Number.MAX_VALUE : 2 ** exponent
  }
  // The highest finite bound is 2^1024, which exceeds the range of doubles.
  return index === 1024 * 2 ** schema ? Number.MAX_VALUE : bucketBound(schema, index)
}

/** A bucket with its bounds; `isZero` marks the zero bucket. */
export interface HistogramBucket {
  lower: number
  upper: number
  readonly count: number
  readonly isZero: boolean
}

function customBucket(bounds: readonly number[], index: number, count: number): HistogramBucket {
  return {
    lower: bounds[index - 1] ?? -Infinity,
    upper: bounds[index] ?? Infinity,
    count,
    isZero: false,
  }
}

/** Returns the fraction of an exponential bucket's observations that are at or below a bound inside it. */
export function exponentialShare({ lower, upper }: HistogramBucket, bound: number): number {
  const logLower = log2(Math.abs(lower))
  const logUpper = log2(Math.abs(upper))
  const logBound = log2(Math.abs(bound))
  return bound > 0 ? (logBound - logLower) / (logUpper - logLower) : 1 - (logBound - logUpper) / (logLower - logUpper)
}

/** Returns the zero bucket, even if its count is 0. */
export function zeroBucket({ zeroThreshold, zeroCount }: Histogram): HistogramBucket {
  return { lower: -zeroThreshold, upper: zeroThreshold, count: zeroCount, isZero: true }
}

/**
 * Returns all populated buckets in ascending order. The zero bucket is included by default only if its count is above
 * 0.
 */
export function allBuckets(histogram: Histogram, hasZero = histogram.zeroCount > 0): HistogramBucket[] {
  const { schema, positive, negative, bounds } = histogram
  if (isCustom(histogram)) {
    return positive.indexes.map((index, i) => customBucket(bounds, index, positive.counts[i] ?? 0))
  }
  const buckets: HistogramBucket[] = []
  for (let i = negative.indexes.length - 1; i >= 0; i--) {
    const index = negative.indexes[i]
    const lower = -exponentialBound(schema, present(index))
    buckets.push({
      lower,
      upper: -exponentialBound(schema, present(index) - 1),
      count: negative.counts[i] ?? 0,
      isZero: false,
    })
  }
  if (hasZero) buckets.push(zeroBucket(histogram))
  for (let i = 0; i < positive.indexes.length; i++) {
    const index = positive.indexes[i]
    const upper = exponentialBound(schema, present(index))
    buckets.push({
      lower: exponentialBound(schema, present(index) - 1),
      upper,
      count: positive.counts[i] ?? 0,
      isZero: false,
    })
  }
  return buckets
}

/** Limits the zero bucket to one side of zero if only this side has other buckets. */
export function narrowZeroBucket(histogram: Histogram, bucket: HistogramBucket): void {
  if (!bucket.isZero) return
  const hasNegative = histogram.negative.indexes.length > 0
  const hasPositive = histogram.positive.indexes.length > 0
  if (hasPositive && !hasNegative) bucket.lower = 0
  else if (hasNegative && !hasPositive) bucket.upper = 0
}

function scaleBuckets(list: BucketList, scale: (count: number) => number): BucketList {
  const indexes: number[] = []
  const counts: number[] = []
  for (let i = 0; i < list.indexes.length; i++) {
    const count = scale(list.counts[i] ?? 0)
    if (count === 0) continue
    indexes.push(list.indexes[i] ?? 0)
    counts.push(count)
  }
  return { indexes, counts }
}

function mapCounts(histogram: Histogram, scale: (count: number) => number, hint: ResetHint): Histogram {
  return {
    ...histogram,
    count: scale(histogram.count),
    sum: scale(histogram.sum),
    zeroCount: scale(histogram.zeroCount),
    positive: scaleBuckets(histogram.positive, scale),
    negative: scaleBuckets(histogram.negative, scale),
    hint,
  }
}

/** Multiplies all counts and the sum. With a negative factor the result is a gauge. */
export function multiplyHistogram(histogram: Histogram, factor: number): Histogram {
  return mapCounts(histogram, (count) => count * factor, factor < 0 ? 'gauge' : histogram.hint)
}

/** Divides all counts and the sum. Division by zero removes the buckets except the zero bucket. */
export function divideHistogram(histogram: Histogram, divisor: number): Histogram {
  const quotient = mapCounts(histogram, (count) => count / divisor, divisor < 0 ? 'gauge' : histogram.hint)
  return divisor === 0 ? { ...quotient, positive: NO_BUCKETS, negative: NO_BUCKETS } : quotient
}

export function withHint(histogram: Histogram, hint: ResetHint): Histogram {
  return histogram.hint === hint ? histogram : { ...histogram, hint }
}

/** Returns whether two numbers are equal; NaN equals NaN. */
function isSameNumber(a: number, b: number): boolean {
  return a === b || (a !== a && b !== b)
}

export function isSameList(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!isSameNumber(a[i] ?? 0, b[i] ?? 0)) return false
  return true
}

/** Returns whether two histograms have equal contents. Reset hints are ignored. */
export function equalHistograms(a: Histogram, b: Histogram): boolean {
  return (
    a === b ||
    (a.schema === b.schema &&
      isSameNumber(a.count, b.count) &&
      isSameNumber(a.sum, b.sum) &&
      isSameList(a.bounds, b.bounds) &&
      (isCustom(a) || (a.zeroThreshold === b.zeroThreshold && isSameNumber(a.zeroCount, b.zeroCount))) &&
      isSameList(a.positive.indexes, b.positive.indexes) &&
      isSameList(a.positive.counts, b.positive.counts) &&
      isSameList(a.negative.indexes, b.negative.indexes) &&
      isSameList(a.negative.counts, b.negative.counts))
  )
}

function isInfinite(value: number): boolean {
  return value === Infinity || value === -Infinity
}

/** Returns whether any number in the histogram is infinite. */
export function hasOverflow(histogram: Histogram): boolean {
  return (
    isInfinite(histogram.zeroCount) ||
    isInfinite(histogram.count) ||
    isInfinite(histogram.sum) ||
    histogram.positive.counts.some(isInfinite) ||
    histogram.negative.counts.some(isInfinite)
  )
}

/** Returns the estimated size in memory in bytes, for budgets. */
export function histogramBytes(histogram: Histogram): number {
  return 160 + 16 * (histogram.positive.indexes.length + histogram.negative.indexes.length)
}

/** Formats a histogram as a short string, for labels and messages. A zero bucket is included unless its count is 0. */
export function printHistogram(histogram: Histogram, printNumber: (value: number) => string): string {
  const parts = [`count:${printNumber(histogram.count)}`, `sum:${printNumber(histogram.sum)}`]
  for (const bucket of allBuckets(histogram, histogram.zeroCount !== 0)) {
    const isNegative = bucket.upper <= 0 && bucket.lower < 0 && !bucket.isZero
    const open = bucket.isZero || isNegative ? '[' : '('
    const close = bucket.isZero || !isNegative ? ']' : ')'
    const range = `${printNumber(bucket.lower)},${printNumber(bucket.upper)}`
    parts.push(`${open}${range}${close}:${printNumber(bucket.count)}`)
  }
  return `{${parts.join(', ')}}`
}
