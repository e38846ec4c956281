import { work } from '../../../base/index.ts'
import { isEmptyMask, ownMask } from '../expr/mask.ts'
import type { Predicate } from '../expr/predicate.ts'
import type { Narrowing, Operator, PieceReading } from '../operator.ts'
import { NewestFirst, type Run } from './newest-first.ts'
import { pieceRows } from './piece-rows.ts'
import { frameOfPlaces } from './row-refs.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'
import { SharedMasks } from './shared-masks.ts'

/** Runs shorter than this are put together into one frame. */
const SHORT_RUN = 64
/** Time that short runs wait for more rows to go with them, milliseconds. */
const HOLD_MS = 20
/** Short runs of one frame while files are read: reading a row of a cold file takes 1 to 3 ms, and meanwhile as many other runs are prefetched. */
const MOST_READ = 8

/** The rows of a scan in the order of the answer, after the first `offset` of them. */
export function scanRows(source: ScanSource, offset = 0): Operator {
  let walk: NewestFirst | undefined
  let toSkip = offset
  /** A run that was too long to go with those before it. */
  let next: Run | undefined
  const short: Run[] = []
  let found = 0
  let heldSinceMs = 0
  /** Whether files are read for the runs that are held. */
  let isAhead = false
  let byPieces: Pick<Operator, 'pull'> | undefined
  const narrowers: Predicate[] = []
  const walkOver = (masks: SharedMasks): NewestFirst =>
    new NewestFirst(
      masks.ranges,
      (range, place) => narrowed(range, masks.of(place)),
      (ranges, from) => source.firstOpen(ranges, from),
    )
  const narrowed = (range: SegmentRange, passing: ReturnType<SharedMasks['of']>): typeof passing => {
    if (passing === undefined || narrowers.length === 0) return passing
    const mask = ownMask(passing, range.segment.rowCount)
    for (const predicate of narrowers) predicate.narrow(source.frame(range.segment), mask)
    return isEmptyMask(mask) ? undefined : mask
  }
  const narrowing: Narrowing = {
    source,
    frame: (segment) => source.frame(segment),
    get rowBound() {
      return source.ranges().reduce((sum, { from, to }) => sum + to - from, 0)
    },
    isExact: source.isPlain,
    narrow: (predicate) => void narrowers.push(predicate),
  }
  const readPieces = (pieces: PieceReading): void => {
    byPieces = pieceRows(source, pieces, narrowers)
  }
  /** Of the runs that were held, or the first of them where files are read. */
  const frameOfShort = () => {
    const runs = short.splice(0, isAhead ? MOST_READ : short.length)
    for (const { rows } of runs) found -= rows.length
    isAhead &&= short.length > 0
    heldSinceMs = performance.now()
    const [first, ...others] = runs
    if (first === undefined) return undefined
    if (others.length === 0) return frameOfRun(first)
    return frameOfPlaces(
      source,
      runs.flatMap(({ segment, rows }) => Array.from(rows, (row) => ({ segment, row }))),
    )
  }
  const frameOfRun = (run: Run) => source.frame(run.segment).take(run.rows)
  return {
    ...(offset === 0 ? { scan: source, narrowing, readPieces } : {}),
    pull(want) {
      if (byPieces !== undefined) return byPieces.pull(want)
      walk ??= walkOver(new SharedMasks(source))
      while (toSkip > 0) {
        work(10)
        const skipped = walk.skip(toSkip)
        if (skipped === undefined) return undefined
        if (typeof skipped === 'number') toSkip -= skipped
      }
      if (next !== undefined) {
        if (short.length > 0) return frameOfShort()
        const run = next
        next = undefined
        return frameOfRun(run)
      }
      while (found < want) {
        work(10)
        const run = walk.pull(want - found)
        if (run === undefined) break
        if (run !== 'opened') {
          const isRead = source.rowsAhead(run.segment, run.rows)
          if (run.rows.length >= SHORT_RUN) {
            if (short.length === 0) return frameOfRun(run)
            next = run
            break
          }
          if (short.length === 0) heldSinceMs = performance.now()
          short.push(run)
          found += run.rows.length
          isAhead ||= isRead
          if (isAhead && short.length >= 2 * MOST_READ) break
        }
        if (short.length > 0 && performance.now() - heldSinceMs > HOLD_MS) break
      }
      return frameOfShort()
    },
  }
}
