import { SharedPieces, type PiecesToShare } from '../shared-pieces.ts'
import { countOfOthers, type ScanCounts } from './scan-task.ts'
import type { SegmentRange } from './segment-range.ts'
import type { ScanSource } from './source.ts'

/** Pieces of a scan that several threads may look at. */
export interface ScanPieces<Part extends ScanCounts> extends Omit<
  PiecesToShare<Part>,
  'query' | 'pieceCount' | 'take' | 'nowMs'
> {
  /** What others have looked at is counted for it; the task speaks of its segments unless others are given. */
  readonly source: ScanSource
  readonly ranges: readonly SegmentRange[]
  readonly take: (part: Part) => boolean
}

/** Hands the pieces of a scan to this thread and to others. */
export function sharedScan<Part extends ScanCounts>(given: ScanPieces<Part>): SharedPieces<Part> {
  const { source, ranges, take } = given
  const { helpers, waits, end, query } = source.context
  return new SharedPieces({
    ...given,
    query: { helpers, budget: query.budget, waits, end },
    pieceCount: ranges.length,
    segments: given.segments ?? (() => source.segments),
    take: (part, pieces, workedMs) => {
      if (!take(part)) return false
      countOfOthers(source, part, pieces.length, workedMs)
      return true
    },
  })
}
