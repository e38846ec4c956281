import { MAX_NS, oncePer, type Interval } from '../../../base/index.ts'
import {
  deltaAt,
  epochTimeOf,
  greatestDeltaAt,
  leastDeltaAt,
  rowAtTime,
  sequenceAt,
  zoneRows,
  type Segment,
} from '../../../store/index.ts'

/** The rows `[from, to)` of a segment: all of its rows within a time range. */
export interface SegmentRange {
  readonly segment: Segment
  readonly from: number
  readonly to: number
}

/** Caches the ranges of a list of segments by time range. Repeated queries share them until rows arrive. */
const knownRanges = oncePer((_segments: readonly Segment[]) => new WeakMap<Interval, readonly SegmentRange[]>())

/**
 * Returns the segments that have rows in the time range, with these rows; segments are ordered by their newest row,
 * newest first. Calls with the same two objects return the same list.
 */
export function segmentRanges(segments: readonly Segment[], range: Interval): readonly SegmentRange[] {
  const known = knownRanges(segments)
  let ranges = known.get(range)
  if (ranges === undefined) known.set(range, (ranges = rangesIn(segments, range)))
  return ranges
}

function rangesIn(segments: readonly Segment[], range: Interval): readonly SegmentRange[] {
  const found: SegmentRange[] = []
  const start = epochTimeOf(range.startNs)
  const end = epochTimeOf(range.endNs)
  for (const segment of segments) {
    const from = rowAtTime(segment, start)
    const to = range.endNs === MAX_NS ? segment.rowCount : rowAtTime(segment, end)
    if (from < to) found.push({ segment, from, to })
  }
  return newestFirst(found)
}

/** Minimum number of rows in a range, since each condition has a fixed cost per range as well. */
const LEAST_ROWS = 128

/**
 * Divides ranges so that each has at most about `rowsAtOnce(segment)` rows. The new ranges are whole zones (blocks of
 * rows) or parts of one zone.
 */
export function cutRanges(
  ranges: readonly SegmentRange[],
  rowsAtOnce: (segment: Segment) => number,
): readonly SegmentRange[] {
  const cut: SegmentRange[] = []
  for (const { segment, from, to } of ranges) {
    const wanted = rowsAtOnce(segment)
    let unit = zoneRows
    while (unit > LEAST_ROWS && unit > wanted) unit /= 2
    const units = Math.max(1, Math.round(wanted / unit))
    for (let at = from; at < to;) {
      const next = Math.min(to, (Math.floor(at / unit) + units) * unit)
      cut.push({ segment, from: at, to: next })
      at = next
    }
  }
  return cut.length === ranges.length ? ranges : newestFirst(cut)
}

function newestFirst(ranges: SegmentRange[]): readonly SegmentRange[] {
  return ranges.sort((a, b) => compareRows(b.segment, b.to - 1, a.segment, a.to - 1))
}

/** Compares two rows by time, then by sequence number; negative when the first row is older. */
export function compareRows(a: Segment, aRow: number, b: Segment, bRow: number): number {
  if (a.epoch !== b.epoch) return a.epoch - b.epoch
  // Compares times in memory first, since reading the exact time may access a file.
  if (a.deltaOf !== undefined || b.deltaOf !== undefined) {
    if (leastDeltaAt(a, aRow) > greatestDeltaAt(b, bRow)) return 1
    if (greatestDeltaAt(a, aRow) < leastDeltaAt(b, bRow)) return -1
  }
  const byTime = deltaAt(a, aRow) - deltaAt(b, bRow)
  if (byTime !== 0) return byTime
  return sequenceAt(a, aRow) - sequenceAt(b, bRow)
}
