import type { LogicalPlan, PlanKind } from '../../../plan/index.ts'

/** Nodes that keep every row and its time. */
const ROW_BY_ROW: ReadonlySet<PlanKind> = new Set<PlanKind>(['filter', 'extend'])

/** Sources of rows, where the search ends. */
const SOURCES: ReadonlySet<PlanKind> = new Set<PlanKind>(['scan', 'values', 'join', 'union'])

/** Rows of a query before any pipe groups, cuts, sorts or reshapes them. */
export function foundRows(plan: LogicalPlan): LogicalPlan {
  let rows = plan
  let node = plan
  while (!SOURCES.has(node.kind) && 'input' in node) {
    if (!ROW_BY_ROW.has(node.kind)) rows = node.input
    node = node.input
  }
  return rows
}
