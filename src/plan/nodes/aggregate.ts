import type { Origin } from '../../base/index.ts'
import type { DataType, Value } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr, printValue } from '../expr/print.ts'
import type { LogicalPlan } from '../kinds.ts'
import { otherRows, inTurn, unary, type NodeOps } from './node-ops.ts'
import { printSortKey, type SortKey } from './sort.ts'

/** A call of a stats function on the rows of each group. */
export interface AggregateCall {
  /** The function's name in the registry of stats functions. */
  readonly fn: string
  readonly args: readonly Expr[]
  /** Literal parameters, such as φ of a quantile. */
  readonly params: readonly Value[]
  /** Maximum number of values that a collecting function keeps. */
  readonly limit: number | undefined
  readonly orderBy: readonly SortKey[]
  /** Condition that rows must match to be aggregated: `count() if (…)`. */
  readonly filter: Expr | undefined
  readonly origin: Origin
}

/** Returns a call of `count()`. */
export function countRows(origin: Origin): AggregateCall {
  return { fn: 'count', args: [], params: [], limit: undefined, orderBy: [], filter: undefined, origin }
}

export interface GroupKey {
  readonly name: string
  readonly expr: Expr
  readonly type: DataType
}

export interface NamedAggregate {
  readonly name: string
  readonly call: AggregateCall
  readonly type: DataType
}

/**
 * Outputs one row per distinct combination of keys, ordered by key (by class rank, missing last); without keys exactly
 * one row. As keys, missing and `''` are one group, printed `null`.
 */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly input: LogicalPlan
  readonly keys: readonly GroupKey[]
  readonly aggregates: readonly NamedAggregate[]
  readonly origin: Origin
}

export function printAggregateCall(call: AggregateCall): string {
  const args = [...call.params.map(printValue), ...call.args.map(printExpr)].join(', ')
  const limit = call.limit === undefined ? '' : ` limit ${call.limit}`
  const order = call.orderBy.length === 0 ? '' : ` order by (${call.orderBy.map(printSortKey).join(', ')})`
  const filter = call.filter === undefined ? '' : ` if (${printExpr(call.filter)})`
  return `${call.fn}(${args})${order}${limit}${filter}`
}

function callExprs(call: AggregateCall): readonly Expr[] {
  const exprs = [...call.args, ...call.orderBy.map((k) => k.expr)]
  return call.filter === undefined ? exprs : [...exprs, call.filter]
}

export const aggregateOps: NodeOps<Aggregate> = unary({
  expressions: (node) => [...node.keys.map((k) => k.expr), ...node.aggregates.flatMap((a) => callExprs(a.call))],
  withExpressions: (node, exprs) => {
    const next = inTurn(exprs)
    const keys = node.keys.map((k) => ({ ...k, expr: next() }))
    const aggregates = node.aggregates.map((a) => ({
      ...a,
      call: {
        ...a.call,
        args: a.call.args.map(() => next()),
        orderBy: a.call.orderBy.map((k) => ({ ...k, expr: next() })),
        filter: a.call.filter === undefined ? undefined : next(),
      },
    }))
    return { ...node, keys, aggregates }
  },
  schema: (node) => ({
    isOpen: false,
    fields: [
      ...node.keys.map((k) => ({ name: k.name, type: k.type, presence: 'named' as const })),
      ...node.aggregates.map((a) => ({ name: a.name, type: a.type, presence: 'named' as const })),
    ],
  }),
  order: (node) => ({ keys: node.keys.map((k) => ({ column: k.name, direction: 'asc' })), base: 'group-key' }),
  properties: () => otherRows,
  maxRows: (node, rows) => (node.keys.length === 0 ? 1 : rows),
  label: (node) => {
    const keys = node.keys.map((k) => {
      const text = printExpr(k.expr)
      return text === k.name ? text : `${text} as ${k.name}`
    })
    const by = keys.length === 0 ? '' : `by (${keys.join(', ')}) `
    return by + node.aggregates.map((a) => `${printAggregateCall(a.call)} as ${a.name}`).join(', ')
  },
})

declare module '../kinds.ts' {
  interface PlanKinds {
    aggregate: Aggregate
  }
}
