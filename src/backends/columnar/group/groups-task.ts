import type { Aggregate } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import { areStandardCalls, plainOf } from '../segments/plain-plan.ts'
import { scanTask, type ScanTask } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'

/** Grouping the rows of a scan, as plain data. */
export interface GroupsTask extends ScanTask {
  readonly kind: 'groups'
  readonly keys: Aggregate['keys']
  readonly aggregates: Aggregate['aggregates']
}

/** `undefined` where another thread cannot do the same: it knows no functions of a user. */
export function groupsTask(
  node: Aggregate,
  source: ScanSource,
  ranges: readonly SegmentRange[],
  context: ExecContext,
): GroupsTask | undefined {
  const { functions } = context
  const plan = areStandardCalls(node.aggregates, functions)
    ? plainOf({ keys: node.keys, aggregates: node.aggregates }, functions)
    : undefined
  const task = plan && scanTask(source, ranges, context)
  return task && { kind: 'groups', ...task, ...plan }
}
