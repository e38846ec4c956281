import type { MutableRow, Row } from '../../data/index.ts'

/** When and in what place a record was stored. */
export interface RecordIdentity {
  readonly timeNs: bigint
  readonly sequence: number
}

/** A row on its way through the plan; `record` is the stored record it comes from, if it comes from one. */
export interface ModelRow {
  readonly row: Row
  readonly record: RecordIdentity | undefined
}

/** The same record with other fields. */
export function withRow(from: ModelRow, row: Row): ModelRow {
  return { row, record: from.record }
}

export function copyOf(row: Row): MutableRow {
  return new Map(row)
}
