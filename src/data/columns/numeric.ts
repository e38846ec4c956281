import { hasBit, type Bitmap } from '../bitmap.ts'
import { integer, Instant, type Value } from '../value.ts'

/** Numbers. NaN marks a missing row. */
export interface Float64Column {
  readonly kind: 'float64'
  readonly length: number
  readonly values: Float64Array
  /** The rows that are not missing; `undefined` if no row is missing. */
  readonly validity: Bitmap | undefined
  taken?(rows: Uint32Array): Float64Column
}

/** Integers, some beyond 2^53, as two halves of an int64. */
export interface Int64Column {
  readonly kind: 'int64'
  readonly length: number
  readonly high: Int32Array
  readonly low: Uint32Array
  readonly validity: Bitmap | undefined
  taken?(rows: Uint32Array): Int64Column
}

/** Instants as nanoseconds after `baseNs`. The distances are below 2^53. */
export interface TimeColumn {
  readonly kind: 'time'
  readonly length: number
  readonly baseNs: bigint
  readonly deltas: Float64Array
  readonly validity: Bitmap | undefined
  taken?(rows: Uint32Array): TimeColumn
}

export function float64At(column: Float64Column, index: number): Value {
  return column.validity !== undefined && !hasBit(column.validity, index) ? null : column.values[index]
}

export function int64At(column: Int64Column, index: number): Value {
  if (column.validity !== undefined && !hasBit(column.validity, index)) return null
  const high = column.high[index]
  // Below 2^53 the sum of both halves is exact as a double.
  if (high >= -0x200000 && high < 0x200000) return high * 4294967296 + column.low[index]
  return integer((BigInt(high) << 32n) | BigInt(column.low[index]))
}

export function timeAt(column: TimeColumn, index: number): Value {
  if (column.validity !== undefined && !hasBit(column.validity, index)) return null
  return new Instant(column.baseNs + BigInt(column.deltas[index]))
}
