import type { Origin } from '../../base/index.ts'
import type { LogicalPlan } from '../kinds.ts'
import { rowsOfWindow, someRows, unary, type NodeOps } from './node-ops.ts'

/** Outputs rows `[offset, offset + limit)` of the input, in its order. */
export interface Limit {
  readonly kind: 'limit'
  readonly input: LogicalPlan
  readonly offset: number
  readonly limit: number | undefined
  readonly origin: Origin
}

export const limitOps: NodeOps<Limit> = unary({
  properties: () => someRows,
  maxRows: ({ offset, limit }, rows) => rowsOfWindow(rows, offset, limit),
  label: (node) =>
    [node.limit === undefined ? '' : String(node.limit), node.offset > 0 ? `offset ${node.offset}` : '']
      .filter((part) => part !== '')
      .join(' '),
})

declare module '../kinds.ts' {
  interface PlanKinds {
    limit: Limit
  }
}
