import type { Origin } from '../../base/index.ts'
import type { DataType } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import { printAggregateCall, type AggregateCall } from './aggregate.ts'
import { fieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { inTurn, namedField, rowForRow, unary, withFields, type NodeOps } from './node-ops.ts'
import { printSortKey, type SortKey } from './sort.ts'

export interface NamedWindow {
  readonly name: string
  readonly type: DataType
  readonly call: AggregateCall
  /**
   * `partition`: each row gets the value over its whole partition. `running`: each row gets the value over the
   * partition's rows up to and including this row.
   */
  readonly frame: 'partition' | 'running'
}

/**
 * Adds window values to every row; the rows stay in order. `orderBy` orders the rows within a partition for the calls.
 */
export interface Window {
  readonly kind: 'window'
  readonly input: LogicalPlan
  readonly partitionBy: readonly Expr[]
  readonly orderBy: readonly SortKey[]
  readonly calls: readonly NamedWindow[]
  readonly origin: Origin
}

export const windowOps: NodeOps<Window> = unary({
  expressions: (node) => [
    ...node.partitionBy,
    ...node.orderBy.map((k) => k.expr),
    ...node.calls.flatMap((c) => (c.call.filter === undefined ? c.call.args : [...c.call.args, c.call.filter])),
  ],
  withExpressions: (node, exprs) => {
    const next = inTurn(exprs)
    return {
      ...node,
      partitionBy: node.partitionBy.map(() => next()),
      orderBy: node.orderBy.map((k) => ({ ...k, expr: next() })),
      calls: node.calls.map((c) => ({
        ...c,
        call: {
          ...c.call,
          args: c.call.args.map(() => next()),
          filter: c.call.filter === undefined ? undefined : next(),
        },
      })),
    }
  },
  schema: (node, input) => ({ ...input, fields: withFields(input.fields, node.calls.map(namedField)) }),
  properties: (node) => ({ ...rowForRow(node.calls.map(({ name }) => fieldPattern(name))), isRowWise: false }),
  label: (node) => {
    const by = node.partitionBy.length === 0 ? '' : ` partition by (${node.partitionBy.map(printExpr).join(', ')})`
    const order = node.orderBy.length === 0 ? '' : ` order by (${node.orderBy.map(printSortKey).join(', ')})`
    return `${node.calls.map((c) => `${c.frame} ${printAggregateCall(c.call)} as ${c.name}`).join(', ')}${by}${order}`
  },
})

declare module '../kinds.ts' {
  interface PlanKinds {
    window: Window
  }
}
