import type { ScanRequest, Table } from '../../plan/index.ts'
import type { Segment } from './segment.ts'

/** The requirements of one scan. */
export interface SegmentNeeds extends Pick<ScanRequest, 'columns' | 'predicate' | 'range'> {
  /** True if the columns only serve to find rows; `rowsAt` then reads their other fields. Requires `positionField`. */
  readonly isLate: boolean
}

/** A table whose rows are available as segments, so that no row is read individually. */
export interface SegmentTable extends Table {
  /**
   * Called before anything is read, with all that a query will read from the table. Returns the table to read. Omitted
   * if reading costs nothing.
   */
  open?(needs: readonly SegmentNeeds[]): SegmentTable
  /**
   * Returns at least the needed rows and fields; it may return more. A returned list never changes, since derived facts
   * are cached with it.
   */
  segments(needs: SegmentNeeds): readonly Segment[] | Promise<readonly Segment[]>
  /**
   * Yields the same rows while they are read, in the order of their row numbers, without storing them. Returns
   * `undefined` if other scans also need the rows.
   */
  arriving?(needs: SegmentNeeds, signal: AbortSignal): AsyncIterable<Segment> | undefined
  /** The field with the position of a row, if rows can be read again by position. */
  readonly positionField?: string | undefined
  /** True if all returned rows have positions, if they were requested with `isLate`. */
  readonly hasPositions?: boolean
  /** Returns the rows at these positions, ascending, with all fields. */
  rowsAt?(positions: readonly number[]): readonly Segment[]
}

export function hasSegments(table: Table): table is SegmentTable {
  return 'segments' in table && typeof table.segments === 'function'
}
