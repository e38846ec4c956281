import { denseBuckets, toLayout, type Histogram } from '../../data/index.ts'
import type { ExponentialBuckets, ExponentialPoint, PointBase } from './points.ts'

const MAX_SCHEMA = 8
const MIN_SCHEMA = -4

/** Returns buckets with shifted indexes: bucket `i` of OTLP begins where bucket `i` of a native histogram ends. */
function bucketsOf({ offset, counts }: ExponentialBuckets) {
  return denseBuckets(offset + 1, counts)
}

/**
 * Returns a point as a native histogram. Buckets finer than a native histogram allows are merged. Returns the reason if
 * they are too coarse.
 */
export function exponentialHistogram(point: Omit<ExponentialPoint, keyof PointBase | 'kind'>): Histogram | string {
  const { count, sum = 0, scale, zeroCount, zeroThreshold } = point
  if (scale < MIN_SCHEMA) return `its scale is ${scale}, below ${MIN_SCHEMA}`
  const histogram: Histogram = {
    schema: scale,
    count,
    sum,
    zeroThreshold,
    zeroCount,
    positive: bucketsOf(point.positive),
    negative: bucketsOf(point.negative),
    bounds: [],
    hint: 'unknown',
  }
  return scale <= MAX_SCHEMA ? histogram : toLayout(histogram, { schema: MAX_SCHEMA, zeroThreshold, bounds: [] })
}
