import type { Value } from './value.ts'

/**
 * A row as a map from name to value; a missing field is absent or `null`. The iteration order is the field order. It is
 * a Map because users choose field names.
 */
export type Row = ReadonlyMap<string, Value>

export type MutableRow = Map<string, Value>

export function rowOf(fields: Iterable<readonly [string, Value]>): MutableRow {
  return new Map(fields)
}

/**
 * A row as a table stores it. `sequence` grows with ingestion and is unique in a table; it orders rows with the same
 * time, latest first. The table's time field is in `row` too, as an `Instant`.
 */
export interface StoredRow {
  readonly timeNs: bigint
  readonly sequence: number
  readonly row: Row
}
