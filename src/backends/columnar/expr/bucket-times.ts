import { MIN_NS, work } from '../../../base/index.ts'
import type { Bucket, Column } from '../../../data/index.ts'

/**
 * Largest bucket width in nanoseconds. With wider buckets, adding a width to a column's deltas would not be exact in
 * doubles.
 */
const MAX_WIDTH_NS = 2n ** 51n

/**
 * Applies `bucketValue` to every row of a column. Returns `undefined` unless the column has only times and all buckets
 * have the same width.
 */
export function bucketTimes(column: Column, bucket: Bucket): Column | undefined {
  if (bucket.kind !== 'time' || bucket.zone !== undefined || column.kind !== 'time') return undefined
  const { widthNs, offsetNs } = bucket
  const baseNs = column.baseNs - widthNs
  if (widthNs <= 0n || widthNs > MAX_WIDTH_NS || baseNs < MIN_NS || column.taken !== undefined) return undefined
  const width = Number(widthNs)
  const first = (column.baseNs + offsetNs) % widthNs
  const intoBucket = Number(first < 0n ? first + widthNs : first)
  work(column.length >>> 3)
  const deltas = new Float64Array(column.length)
  for (let row = 0; row < deltas.length; row++) {
    const delta = column.deltas[row]
    deltas[row] = delta - ((intoBucket + delta) % width) + width
  }
  return { kind: 'time', length: deltas.length, baseNs, deltas, validity: column.validity }
}
