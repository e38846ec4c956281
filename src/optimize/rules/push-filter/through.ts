import type { Expr, LogicalPlan, NodeOf, PlanKind } from '../../../plan/index.ts'
import type { RuleContext } from '../../rule.ts'

/**
 * Returns a condition in the form that it has below a node: one predicate per input, `undefined` for an input without
 * one. Returns `undefined` if the condition cannot be pushed. Filtering below must give the same rows in the same
 * order.
 */
export type Through<K extends PlanKind> = (
  conjunct: Expr,
  node: NodeOf<K>,
  context: RuleContext,
) => readonly (Expr | undefined)[] | undefined

export type ThroughTable = { readonly [K in PlanKind]?: Through<K> }

export function throughOf(table: ThroughTable, node: LogicalPlan): Through<PlanKind> | undefined {
  return table[node.kind] as Through<PlanKind> | undefined
}
