import type { LogicalPlan, PlanKind } from '../../../plan/index.ts'

/** Kinds of nodes that neither group, limit, sort nor reshape rows. */
const ROW_BY_ROW: ReadonlySet<PlanKind> = new Set<PlanKind>(['filter', 'extend'])

/** Kinds of nodes that produce rows, at which the search ends. */
const SOURCES: ReadonlySet<PlanKind> = new Set<PlanKind>(['scan', 'values', 'join', 'union'])

/** Returns the part of a plan before any pipe that groups, limits, sorts or reshapes rows. */
export function foundRows(plan: LogicalPlan): LogicalPlan {
  let rows = plan
  let node = plan
  while (!SOURCES.has(node.kind) && 'input' in node) {
    if (!ROW_BY_ROW.has(node.kind)) rows = node.input
    node = node.input
  }
  return rows
}
