import { conjunction, rewriteUp, type Expr, type LogicalPlan } from '../plan/index.ts'

/**
 * A function that returns the rows of a table that a caller may see, as a bound predicate; `undefined` restricts
 * nothing.
 */
export type DataScope = (table: string) => Expr | undefined

/**
 * Adds the caller's row filter as a guard to every scan, also in joins, unions, nested sources and subqueries. Runs
 * after binding and before any optimizer rule. If a scan already has a guard, both guards must hold.
 */
export function applyScope(plan: LogicalPlan, scope: DataScope): LogicalPlan {
  return rewriteUp(plan, (node) => {
    if (node.kind !== 'scan') return node
    const allowed = scope(node.table)
    if (allowed === undefined) return node
    return { ...node, guard: node.guard === undefined ? allowed : conjunction([node.guard, allowed], allowed.origin) }
  })
}
