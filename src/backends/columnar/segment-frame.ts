import { oncePer } from '../../base/index.ts'
import type { Column } from '../../data/index.ts'
import type { Segment } from '../../store/index.ts'
import { Frame } from './frame.ts'
import { recordIdentity } from './record-hashes.ts'

/** Returns a frame of all rows of a segment, oldest first. */
export const segmentFrame: (segment: Segment) => Frame = oncePer((segment) => {
  const columns = new Map<string, Column>()
  for (const [name, stored] of segment.columns) columns.set(name, stored.column)
  return new Frame(segment.rowCount, columns, recordIdentity(columns), segment)
})
