import { present, type Origin } from '../../base/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import type { LogicalPlan } from '../kinds.ts'
import { someRows, unary, type NodeOps } from './node-ops.ts'

/** Outputs the rows for which the predicate is true. */
export interface Filter {
  readonly kind: 'filter'
  readonly input: LogicalPlan
  readonly predicate: Expr
  readonly origin: Origin
}

export const filterOps: NodeOps<Filter> = unary({
  expressions: (node) => [node.predicate],
  withExpressions: (node, [predicate]) => ({ ...node, predicate: present(predicate) }),
  properties: () => ({ ...someRows, isRowWise: true }),
  label: (node) => printExpr(node.predicate),
})

declare module '../kinds.ts' {
  interface PlanKinds {
    filter: Filter
  }
}
