import type { Interval } from '../../../base/index.ts'
import type { Value } from '../../../data/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import type { FieldState } from '../field-state.ts'
import type { ScanOptions } from './scan-options.ts'
import type { EpochTime } from '../segment.ts'
import type { Tail } from '../tail.ts'

/** Where rows go: the part of a table that a reader of lines needs. */
export interface RowSink {
  readonly definition: RecordTableDefinition
  /** Where the next row stands in its file; kept by tables that have a field for it. */
  place: number
  beginRow(timeNs: bigint): Tail
  beginRowAt(time: EpochTime): Tail
  /** Missing values, and those of fields that are passed over, are left out. */
  addValue(tail: Tail, name: string, value: Value): void
  endRow(tail: Tail): void
  /** Counts a row that is not kept. */
  skipRow(): void
  field(name: string): FieldState
  /** Whether a field has a column or may still get one; the values of others share one (`OTHER_FIELDS`). */
  hasColumn(name: string): boolean
  /** False for fields that are passed over. */
  keeps(name: string): boolean
  /** Rows outside may be left out. */
  readonly keptRange: Interval | undefined
  /** With the names that the table itself has for its fields. */
  readonly scanOptions: ScanOptions
}
