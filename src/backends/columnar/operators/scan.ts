import { createBitmap, setRange, type Bitmap, type Column } from '../../../data/index.ts'
import type { Scan } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import { isEmptyMask } from '../expr/mask.ts'
import type { Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import type { Measure } from '../measure.ts'
import { again, type ExecContext, type OperatorFactory } from '../operator.ts'
import { NewestFirst } from '../scan/newest-first.ts'
import { segmentRanges, type SegmentRange } from '../scan/segment-range.ts'
import { segmentFrame } from '../segment-frame.ts'

/** The rows of a segment that a scan lets through: range, then guard, then predicate. */
export function scanMask(
  range: SegmentRange,
  guard: Predicate | undefined,
  predicate: Predicate | undefined,
  context: ExecContext,
  measure: Measure,
): Bitmap {
  const { segment, from, to } = range
  context.query.budget.scanned(to - from)
  measure.count('rowsScanned', to - from)
  const mask = createBitmap(segment.rowCount)
  setRange(mask, from, to)
  const frame = segmentFrame(segment)
  guard?.narrow(frame, mask)
  if (guard === undefined || !isEmptyMask(mask)) predicate?.narrow(frame, mask)
  return mask
}

/** The columns a scan gives; all of the segment's when it names none. */
export function scanFrame(segment: Segment, columns: readonly string[] | undefined): Frame {
  const whole = segmentFrame(segment)
  if (columns === undefined) return whole
  const chosen = new Map<string, Column>()
  for (const name of columns) if (whole.has(name)) chosen.set(name, whole.column(name))
  return new Frame(whole.rowCount, chosen, whole.identity, segment)
}

export const scanOperator: OperatorFactory<Scan> = ({ node, context, measure }) => {
  const guard = node.guard === undefined ? undefined : context.compiler.predicate(node.guard)
  const predicate = node.predicate === undefined ? undefined : context.compiler.predicate(node.predicate)
  const segments = context.store.table(node.table).snapshot()
  const ranges = segmentRanges(segments, node.range)
  measure.count('segmentsTotal', segments.length)
  measure.count('segmentsSkipped', segments.length - ranges.length)
  const walk = new NewestFirst(ranges, (range) => scanMask(range, guard, predicate, context, measure))
  return {
    pull(want) {
      const run = walk.pull(want)
      if (run === undefined) return undefined
      return run === 'opened' ? again : scanFrame(run.segment, node.columns).take(run.rows)
    },
  }
}
