import type { Aggregate } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import { areStandardCalls, plainOf } from '../segments/plain-plan.ts'
import { scanTask, type ScanTask } from '../segments/scan-task.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'
import type { PartialNumbering } from './numbering.ts'

/** The results of earlier passes over the rows, as plain data. */
export interface PassState {
  readonly pass: number
  readonly numbering: PartialNumbering
  /** The state of each kernel that takes part in the next pass. */
  readonly kernels: readonly unknown[]
}

/**
 * The task of one pass over the rows of a scan, as plain data. Some kernels, such as quantiles, need several passes.
 */
export interface GroupsTask extends ScanTask {
  readonly kind: 'groups'
  readonly keys: Aggregate['keys']
  readonly aggregates: Aggregate['aggregates']
  /** The results of earlier passes; `undefined` in the first pass. */
  readonly state: PassState | undefined
}

/**
 * Returns the task for another thread; `undefined` if no other thread can run it. Other threads lack functions of a
 * user, and a row limit must be counted in one thread.
 */
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
