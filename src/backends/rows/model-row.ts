import type { MutableRow, Row } from '../../data/index.ts'

/** A row during evaluation. `record` is the stored record from which it comes, if any. */
export interface ModelRow {
  readonly row: Row
  readonly record: Row | undefined
}

/** Returns the row with other fields and the same stored record. */
export function withRow(from: ModelRow, row: Row): ModelRow {
  return { row, record: from.record }
}

export function copyOf(row: Row): MutableRow {
  return new Map(row)
}
