import { inputs, type Aggregate, type Join, type LogicalPlan, type Scan } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { JoinByRanges } from '../operator.ts'
import { areStandardCalls, plainOf } from '../segments/plain-plan.ts'
import { scanTask, sentDefinition, type ScanTask, type SentDefinition } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'

/** The task to join the morsels of a scan and group the result, as plain data. */
export interface JoinTask extends ScanTask {
  readonly kind: 'join'
  readonly keys: Aggregate['keys']
  readonly aggregates: Aggregate['aggregates']
  readonly join: Omit<Join, 'left'>
  /** The definition of the table that the right side scans. */
  readonly rightDefinition: SentDefinition
  /** Number of segments of the left scan. In the list of segments they precede the segments of the right scan. */
  readonly leftSegments: number
}

/** Returns all scans of a plan. */
export function scansOf(plan: LogicalPlan): readonly Scan[] {
  return plan.kind === 'scan' ? [plan] : inputs(plan).flatMap(scansOf)
}

/** Returns the task for another thread; `undefined` when other threads cannot run the plan. */
export function joinTask(
  node: Aggregate,
  { node: join, left, right }: JoinByRanges,
  ranges: readonly SegmentRange[],
  context: ExecContext,
): JoinTask | undefined {
  const { functions } = context
  if (!areStandardCalls(node.aggregates, functions) || scansOf(join.right).length !== 1) return undefined
  const { left: _, ...joined } = join
  const plan = plainOf({ keys: node.keys, aggregates: node.aggregates, join: joined }, functions)
  const task = plan && scanTask(left, ranges, context)
  const leftSegments = left.segments.length
  return task && { kind: 'join', ...task, ...plan, rightDefinition: sentDefinition(right.definition), leftSegments }
}
