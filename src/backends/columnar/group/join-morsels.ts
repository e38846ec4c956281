import type { Aggregate } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { Operator } from '../operator.ts'
import { scanMorsels } from '../segments/scan-morsels.ts'
import type { ScanCounts } from '../segments/scan-task.ts'
import type { FrameAggregate, PartialFrames } from './frame-aggregate.ts'
import { joinTask } from './join-task.ts'

/** The groups that one thread exports, with its scan counters, as plain data. */
export type PartialJoin = PartialFrames & ScanCounts

/**
 * Lets an aggregate above a join read the rows by morsels (ranges of rows) of the left scan, so that threads can share
 * the work. Does nothing if that is impossible. Must be called before `pull`.
 */
export function joinByMorsels(node: Aggregate, input: Operator, aggregate: FrameAggregate, context: ExecContext): void {
  const join = aggregate.hasPartials ? input.byRanges?.() : undefined
  if (join === undefined) return
  const ranges = join.left.smallRanges()
  const morsels = scanMorsels<PartialJoin>({
    source: join.left,
    ranges,
    task: () => joinTask(node, join, ranges, context),
    segments: () => [...join.left.segments, ...join.right.segments],
    canShare: () => join.arePairsFew(),
    grouped: () => ({ rows: aggregate.rowCount, groups: aggregate.groupCount }),
    merge: (partial) => aggregate.merge(partial),
  })
  join.read({ ranges, next: () => morsels.next() })
}
