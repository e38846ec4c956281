import type { Value } from './value.ts'

/**
 * A row: values by field name. A missing field is absent or `null`. The iteration order is the field order. It is a Map
 * because users choose the field names.
 */
export type Row = ReadonlyMap<string, Value>

export type MutableRow = Map<string, Value>

export function rowOf(fields: Iterable<readonly [string, Value]>): MutableRow {
  return new Map(fields)
}

/**
 * A row as a table stores it. `sequence` grows with ingestion and is unique in a table; among rows with equal times,
 * the one with the higher `sequence` comes first. `row` also contains the table's time field, as an `Instant`.
 */
export interface StoredRow {
  readonly timeNs: bigint
  readonly sequence: number
  readonly row: Row
}
