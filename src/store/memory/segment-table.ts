import type { ScanRequest, Table } from '../../plan/index.ts'
import type { Segment } from './segment.ts'

/** What one scan needs of segments. */
export interface SegmentNeeds extends Pick<ScanRequest, 'columns' | 'predicate' | 'range'> {
  /** The columns only find rows, which are read whole by `rowsAt`, where there is a `placeField`. */
  readonly isLate: boolean
}

/** A table whose rows are kept as segments, or can be read into some: then nothing is read row by row. */
export interface SegmentTable extends Table {
  /**
   * Told once, before anything is read, all that a query will read of the table; gives the table to read for it. Left out
   * where reading costs nothing.
   */
  open?(needs: readonly SegmentNeeds[]): SegmentTable
  /** At least the rows and fields that are needed; others may be there or not. A list that was given never changes: what was found out about it is kept. */
  segments(needs: SegmentNeeds): readonly Segment[] | Promise<readonly Segment[]>
  /** The same rows as they are read, in the order of their numbers; they are not kept here. `undefined` where other scans need them too. */
  arriving?(needs: SegmentNeeds, signal: AbortSignal): AsyncIterable<Segment> | undefined
  /** A field that tells where a row is, where rows can be read again. */
  readonly placeField?: string | undefined
  /** Whether all rows that were given have the places, when they were needed late. */
  readonly hasPlaces?: boolean
  /** The rows at places, ascending, with all their fields. */
  rowsAt?(places: readonly number[]): readonly Segment[]
}

export function hasSegments(table: Table): table is SegmentTable {
  return 'segments' in table && typeof table.segments === 'function'
}
