import type { Aggregate } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import { areStandardCalls, plainOf } from '../segments/plain-plan.ts'
import { scanTask, type ScanTask } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'
import type { NumberingPart } from './numbering.ts'

/** The results of earlier passes as plain data. */
export interface PassState {
  readonly pass: number
  readonly numbering: NumberingPart
  /** One entry for each kernel that needs the pass. */
  readonly kernels: readonly unknown[]
}

/** One pass of grouping the rows of a scan, as plain data. */
export interface GroupsTask extends ScanTask {
  readonly kind: 'groups'
  readonly keys: Aggregate['keys']
  readonly aggregates: Aggregate['aggregates']
  /** `undefined` in the first pass. */
  readonly state: PassState | undefined
}

/** Returns the task; `undefined` when another thread cannot run it, since it has no functions of a user. */
export function groupsTask(
  node: Aggregate,
  source: ScanSource,
  ranges: readonly SegmentRange[],
  context: ExecContext,
  state: PassState | undefined,
): GroupsTask | undefined {
  const { functions } = context
  const plan = areStandardCalls(node.aggregates, functions)
    ? plainOf({ keys: node.keys, aggregates: node.aggregates }, functions)
    : undefined
  const task = plan && scanTask(source, ranges, context)
  return task && { kind: 'groups', ...task, ...plan, state }
}
