import { BUDGET_WATCH_MS, ROW_WORK, present, work } from '../../../base/index.ts'
import { frameBatches } from '../blocking.ts'
import { again, type Operator, type RangeReads } from '../operator.ts'
import { NewestFirst, type Run } from './newest-first.ts'
import { frameOfRefs } from './row-refs.ts'
import type { ScanSource } from '../segments/source.ts'
import { SharedMasks } from './shared-masks.ts'

/** Runs (consecutive rows of one segment) shorter than this are joined into one frame. */
const SHORT_RUN = 64
/**
 * Maximum number of short runs in one frame while files are read. Reading an uncached row is slow, so this many runs
 * are prefetched at the same time.
 */
const MOST_READ = 8

function newestOf(source: ScanSource): NewestFirst {
  const masks = new SharedMasks(source)
  return new NewestFirst(masks.ranges, (_, index) => masks.of(index))
}

/**
 * Makes the operator that returns the rows of a scan in answer order (newest first), except the first `offset` rows.
 */
export function scanRows(source: ScanSource, offset = 0): Operator {
  let walk: NewestFirst | undefined
  let toSkip = offset
  /** A run that is too long to be joined with the held short runs; returned after them. */
  let next: Run | undefined
  const short: Run[] = []
  let found = 0
  let heldSinceMs = 0
  /** True while data of the held runs are being read from files. */
  let isAhead = false
  let byRanges: Operator | undefined
  const readRanges = ({ ranges, next }: RangeReads): void => {
    let open: Operator | undefined
    byRanges = {
      pull(want) {
        const some = open?.pull(want)
        if (some !== undefined) return some
        const index = next()
        if (index === undefined) return undefined
        const { frame, from, to, rows } = source.slice(present(ranges[index]))
        open = frameBatches(rows === undefined ? frame.slice(from, to) : frame.take(rows))
        return again
      },
    }
  }
  /** Joins the held short runs into one frame; only the first `MOST_READ` of them while files are read. */
  const frameOfShort = () => {
    const runs = short.splice(0, isAhead ? MOST_READ : short.length)
    for (const { rows } of runs) found -= rows.length
    isAhead &&= short.length > 0
    heldSinceMs = performance.now()
    const [first, ...others] = runs
    if (first === undefined) return undefined
    if (others.length === 0) return frameOfRun(first)
    return frameOfRefs(
      source,
      runs.flatMap(({ segment, rows }) => Array.from(rows, (row) => ({ segment, row }))),
    )
  }
  const frameOfRun = (run: Run) => source.frame(run.segment).take(run.rows)
  return {
    ...(offset === 0 ? { scan: source, rowsOf: source, readRanges } : {}),
    pull(want) {
      if (byRanges !== undefined) return byRanges.pull(want)
      walk ??= newestOf(source)
      while (toSkip > 0) {
        work(ROW_WORK)
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
        work(ROW_WORK)
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
        if (short.length > 0 && performance.now() - heldSinceMs > BUDGET_WATCH_MS) break
      }
      return frameOfShort()
    },
  }
}
