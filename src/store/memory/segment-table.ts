import type { ScanRequest, Table } from '../../plan/index.ts'
import type { Segment } from './segment.ts'

/** The requirements of one scan. */
export interface SegmentNeeds extends Pick<ScanRequest, 'columns' | 'predicate' | 'range'> {
  /**
   * True if the scan only finds rows by `columns`, and `rowsAt` later reads the other fields. Requires `positionField`.
   */
  readonly isLate: boolean
}

/** A table that offers its rows as segments, so that no row is read individually. */
export interface SegmentTable extends Table {
  /**
   * Called before anything is read, with the needs of all scans of a query. Returns the table to read. Absent if
   * reading costs nothing.
   */
  open?(needs: readonly SegmentNeeds[]): SegmentTable
  /**
   * Returns segments with at least the needed rows and fields. A returned list never changes, since callers cache
   * derived facts with it.
   */
  segments(needs: SegmentNeeds): readonly Segment[] | Promise<readonly Segment[]>
  /**
   * Yields the same rows as `segments` while they are read, in the order of their row numbers, without storing them.
   * Returns `undefined` if other scans need the rows too.
   */
  arriving?(needs: SegmentNeeds, signal: AbortSignal): AsyncIterable<Segment> | undefined
  /** The field that has the position of each row; absent if rows cannot be read again by position. */
  readonly positionField?: string | undefined
  /** True if every row returned for a scan with `isLate` has a position. */
  readonly hasPositions?: boolean
  /** Returns the rows at these ascending positions, with all fields. */
  rowsAt?(positions: readonly number[]): readonly Segment[]
}

export function hasSegments(table: Table): table is SegmentTable {
  return 'segments' in table && typeof table.segments === 'function'
}
