import type { ScanRequest, Table } from '../../plan/index.ts'
import type { Segment } from './segment.ts'

/** A table whose rows are kept as segments, or can be read into some: then nothing is read row by row. */
export interface SegmentTable extends Table {
  /** At least the rows and fields of the request; what the request leaves out may be there or not. */
  segments(request: ScanRequest): readonly Segment[] | Promise<readonly Segment[]>
}

export function hasSegments(table: Table): table is SegmentTable {
  return 'segments' in table && typeof table.segments === 'function'
}
