import type { Origin } from '../../base/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import type { LogicalPlan } from '../kinds.ts'
import { someRows, unary, type NodeOps } from './node-ops.ts'

/** Outputs rows `[offset, offset + limit)` of each combination of keys, in input order. */
export interface LimitBy {
  readonly kind: 'limit-by'
  readonly input: LogicalPlan
  readonly keys: readonly Expr[]
  readonly offset: number
  readonly limit: number
  readonly origin: Origin
}

export const limitByOps: NodeOps<LimitBy> = unary({
  expressions: (node) => node.keys,
  withExpressions: (node, keys) => ({ ...node, keys }),
  properties: () => someRows,
  label: (node) =>
    `${node.limit}${node.offset > 0 ? ` offset ${node.offset}` : ''} by (${node.keys.map(printExpr).join(', ')})`,
})

declare module '../kinds.ts' {
  interface PlanKinds {
    'limit-by': LimitBy
  }
}
