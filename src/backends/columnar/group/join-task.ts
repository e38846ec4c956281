import { inputs, type Aggregate, type Join, type LogicalPlan, type Scan } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { JoinByPieces } from '../operator.ts'
import { areStandardCalls, plainOf } from '../segments/plain-plan.ts'
import { scanTask, toldDefinition, type ScanTask, type ToldDefinition } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'

/** Grouping what the morsels of a scan are joined with, as plain data. */
export interface JoinTask extends ScanTask {
  readonly kind: 'join'
  readonly keys: Aggregate['keys']
  readonly aggregates: Aggregate['aggregates']
  readonly join: Omit<Join, 'left'>
  /** Of the scan below the right side. */
  readonly rightDefinition: ToldDefinition
  /** How many of the segments are those of the left scan; those of the right one follow. */
  readonly leftSegments: number
}

/** The scans of a plan. */
export function scansOf(plan: LogicalPlan): readonly Scan[] {
  return plan.kind === 'scan' ? [plan] : inputs(plan).flatMap(scansOf)
}

/** `undefined` where another thread cannot do the same. */
export function joinTask(
  node: Aggregate,
  { node: join, left, right }: JoinByPieces,
  ranges: readonly SegmentRange[],
  context: ExecContext,
): JoinTask | undefined {
  const { functions } = context
  if (!areStandardCalls(node.aggregates, functions) || scansOf(join.right).length !== 1) return undefined
  const { left: _, ...joined } = join
  const plan = plainOf({ keys: node.keys, aggregates: node.aggregates, join: joined }, functions)
  const task = plan && scanTask(left, ranges, context)
  const leftSegments = left.segments.length
  return task && { kind: 'join', ...task, ...plan, rightDefinition: toldDefinition(right.definition), leftSegments }
}
