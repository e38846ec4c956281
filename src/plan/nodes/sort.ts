import { present, type Origin } from '../../base/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import { fieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { namedField, rowsOfWindow, unary, withFields, type NodeOps } from './node-ops.ts'

export interface SortKey {
  readonly expr: Expr
  readonly direction: 'asc' | 'desc'
}

export function printSortKey(key: SortKey): string {
  return `${printExpr(key.expr)} ${key.direction}`
}

/**
 * Orders rows by class rank (numbers by value, times, strings by code point; missing values last in both directions).
 * Ties keep the input order. With `limit` only rows `[offset, offset + limit)` of each partition are output. Without
 * keys it sorts by all fields, in code point order of their names.
 */
export interface Sort {
  readonly kind: 'sort'
  readonly input: LogicalPlan
  readonly keys: readonly SortKey[]
  readonly offset: number
  readonly limit: number | undefined
  readonly partitionBy: readonly Expr[]
  /** Name of an additional field with the row's position within its partition, from 1. */
  readonly rankName: string | undefined
  readonly origin: Origin
}

export const sortOps: NodeOps<Sort> = unary({
  expressions: (node) => [...node.keys.map((k) => k.expr), ...node.partitionBy],
  withExpressions: (node, exprs) => ({
    ...node,
    keys: node.keys.map((k, i) => ({ ...k, expr: present(exprs[i]) })),
    partitionBy: exprs.slice(node.keys.length),
  }),
  schema: (node, input) =>
    node.rankName === undefined
      ? input
      : {
          ...input,
          fields: withFields(input.fields, [namedField({ name: node.rankName, type: 'integer' })]),
        },
  order: (node, input) => ({
    base: input.base,
    keys: [
      ...node.keys.flatMap((k) => (k.expr.kind === 'column' ? [{ column: k.expr.name, direction: k.direction }] : [])),
      ...input.keys,
    ],
  }),
  properties: (node) => ({
    isRowWise: false,
    keepsOrder: false,
    keepsRowCount: node.offset === 0 && node.limit === undefined,
    touches: node.rankName === undefined ? [] : [fieldPattern(node.rankName)],
  }),
  maxRows: ({ offset, limit, partitionBy }, rows) =>
    partitionBy.length > 0 ? rows : rowsOfWindow(rows, offset, limit),
  label: (node) => {
    const parts = [node.keys.map(printSortKey).join(', ') || 'all fields']
    if (node.partitionBy.length > 0) parts.push(`partition by (${node.partitionBy.map(printExpr).join(', ')})`)
    if (node.offset > 0) parts.push(`offset ${node.offset}`)
    if (node.limit !== undefined) parts.push(`limit ${node.limit}`)
    if (node.rankName !== undefined) parts.push(`rank as ${node.rankName}`)
    return parts.join(' ')
  },
})

declare module '../kinds.ts' {
  interface PlanKinds {
    sort: Sort
  }
}
