import type { Value } from './value.ts'

/**
 * A row as name → value; a missing field is absent or `null`. Iteration order is field order.
 * A Map, because field names come from users.
 */
export type Row = ReadonlyMap<string, Value>

export type MutableRow = Map<string, Value>

export function rowOf(fields: Iterable<readonly [string, Value]>): MutableRow {
  return new Map(fields)
}

/**
 * A row as a table keeps it. `sequence` grows with ingestion and never repeats within a table; it breaks ties between
 * rows of one instant, latest first. The table's time field is in `row` too, as an `Instant`.
 */
export interface StoredRow {
  readonly timeNs: bigint
  readonly sequence: number
  readonly row: Row
}
