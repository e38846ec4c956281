import { present, type Origin } from '../../base/index.ts'
import type { DataType } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import { fieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { namedField, rowForRow, unary, withFields, type NodeOps } from './node-ops.ts'

export interface Assignment {
  readonly name: string
  readonly expr: Expr
  readonly type: DataType
}

/** Adds or replaces fields, computed from left to right. An expression may read the fields assigned before it. */
export interface Extend {
  readonly kind: 'extend'
  readonly input: LogicalPlan
  readonly assignments: readonly Assignment[]
  readonly origin: Origin
}

export const extendOps: NodeOps<Extend> = unary({
  expressions: (node) => node.assignments.map((a) => a.expr),
  withExpressions: (node, exprs) => ({
    ...node,
    assignments: node.assignments.map((a, i) => ({ ...a, expr: present(exprs[i]) })),
  }),
  schema: (node, input) => ({ ...input, fields: withFields(input.fields, node.assignments.map(namedField)) }),
  properties: (node) => rowForRow(node.assignments.map(({ name }) => fieldPattern(name))),
  label: (node) => node.assignments.map((a) => `${a.name} = ${printExpr(a.expr)}`).join(', '),
})

declare module '../kinds.ts' {
  interface PlanKinds {
    extend: Extend
  }
}
