import { oncePer } from '../../base/index.ts'
import type { Column } from '../../data/index.ts'
import { sequenceAt, timeNsAt, type Segment } from '../../store/index.ts'
import { Frame } from './frame.ts'

/** All rows of a segment, oldest first. */
export const segmentFrame: (segment: Segment) => Frame = oncePer((segment) => {
  const columns = new Map<string, Column>()
  for (const [name, stored] of segment.columns) columns.set(name, stored.column)
  const identity = {
    timeNs: (row: number) => timeNsAt(segment, row),
    sequence: (row: number) => sequenceAt(segment, row),
  }
  return new Frame(segment.rowCount, columns, identity, segment)
})
