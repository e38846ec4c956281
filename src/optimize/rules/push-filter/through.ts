import type { Expr, LogicalPlan, NodeOf, PlanKind } from '../../../plan/index.ts'
import type { RuleContext } from '../../rule.ts'

/**
 * Form of a condition below a node: one predicate for each input, `undefined` for an input without one. `undefined` in
 * all if it must stay above. Filtering below must give the same rows in the same order.
 */
export type Through<K extends PlanKind> = (
  part: Expr,
  node: NodeOf<K>,
  context: RuleContext,
) => readonly (Expr | undefined)[] | undefined

export type ThroughTable = { readonly [K in PlanKind]?: Through<K> }

export function throughOf(table: ThroughTable, node: LogicalPlan): Through<PlanKind> | undefined {
  return table[node.kind] as Through<PlanKind> | undefined
}
