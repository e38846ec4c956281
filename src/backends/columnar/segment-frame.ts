import type { Column } from '../../data/index.ts'
import { sequenceAt, timeNsAt, type Segment } from '../../store/index.ts'
import { Frame } from './frame.ts'

const frames = new WeakMap<Segment, Frame>()

/** All rows of a segment, oldest first. */
export function segmentFrame(segment: Segment): Frame {
  const known = frames.get(segment)
  if (known !== undefined) return known
  const columns = new Map<string, Column>()
  for (const [name, stored] of segment.columns) columns.set(name, stored.column)
  const identity = {
    timeNs: (row: number) => timeNsAt(segment, row),
    sequence: (row: number) => sequenceAt(segment, row),
  }
  const frame = new Frame(segment.rowCount, columns, identity, segment)
  frames.set(segment, frame)
  return frame
}
