import { conjunction, rewriteUp, type Expr, type LogicalPlan } from '../plan/index.ts'

/** What a caller may see of a table, as a bound predicate; `undefined` restricts nothing. */
export type DataScope = (table: string) => Expr | undefined

/**
 * Gives every scan its guard: inputs of joins and unions, nested sources and subqueries included, because there is
 * one traversal and it knows them all. Runs after bind and before any rule. A guard already there is kept and AND-ed.
 */
export function applyScope(plan: LogicalPlan, scope: DataScope): LogicalPlan {
  return rewriteUp(plan, (node) => {
    if (node.kind !== 'scan') return node
    const allowed = scope(node.table)
    if (allowed === undefined) return node
    return { ...node, guard: node.guard === undefined ? allowed : conjunction([node.guard, allowed], allowed.origin) }
  })
}
