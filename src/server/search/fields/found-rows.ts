import type { LogicalPlan, PlanKind } from '../../../plan/index.ts'

/** Nodes that leave every row a row, with its time. */
const ROW_BY_ROW: ReadonlySet<PlanKind> = new Set<PlanKind>(['filter', 'extend'])

/** Sources of rows: below them nothing is looked at. */
const SOURCES: ReadonlySet<PlanKind> = new Set<PlanKind>(['scan', 'values', 'join', 'union'])

/** The rows that a query finds before any of its pipes groups, cuts, orders or reshapes them. */
export function foundRows(plan: LogicalPlan): LogicalPlan {
  let rows = plan
  let node = plan
  while (!SOURCES.has(node.kind) && 'input' in node) {
    if (!ROW_BY_ROW.has(node.kind)) rows = node.input
    node = node.input
  }
  return rows
}
