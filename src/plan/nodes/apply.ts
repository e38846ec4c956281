import type { JsonValue, Origin } from '../../base/index.ts'
import type { Field } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import type { FieldPattern } from '../field-pattern.ts'
import { printFieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { otherRows, rowForRow, unary, withFields, type NodeOps } from './node-ops.ts'

/** Fields that a row or table function reads and writes, for pruning and pushdown. */
export interface FieldUse {
  /** Fields that it reads; `['', '']` is every field. The old value of a field that it may write counts as read. */
  readonly reads: readonly FieldPattern[]
  /** Fields that it may add or replace. */
  readonly writes: readonly FieldPattern[]
  /** Fields that it always replaces. */
  readonly replaces: readonly string[]
}

/**
 * A row function of the registry (`extract`, `format`, `unpack_json` …) for each row that matches `condition`; other
 * rows pass unchanged. It may return several rows for one (`unroll`), or none.
 */
export interface Apply {
  readonly kind: 'apply'
  readonly input: LogicalPlan
  readonly fn: string
  /** Parameters as the function's definition describes them. */
  readonly params: JsonValue
  /** Text that explanations show in place of the parameters. */
  readonly summary?: string
  readonly condition: Expr | undefined
  readonly use: FieldUse
  /** Fields that are always columns of the output. */
  readonly outputs: readonly Field[]
  /** True if each input row gives exactly one output row. */
  readonly isOneToOne: boolean
  readonly origin: Origin
}

/** A function over the whole input (`facets`, `field_names`, `stream_context` …) that returns new rows. */
export interface TableApply {
  readonly kind: 'table-apply'
  readonly input: LogicalPlan
  readonly fn: string
  readonly params: JsonValue
  readonly use: FieldUse
  /** Schema of the rows; `undefined` keeps the input's schema and adds `outputs`. */
  readonly outputs: readonly Field[]
  readonly keepsInputFields: boolean
  readonly origin: Origin
}

function printParams(params: JsonValue, summary?: string): string {
  return params === null ? '' : ` ${summary ?? JSON.stringify(params)}`
}

export const applyOps: NodeOps<Apply> = unary({
  expressions: (node) => (node.condition === undefined ? [] : [node.condition]),
  withExpressions: (node, [condition]) => ({ ...node, condition }),
  schema: (node, input) => ({
    fields: withFields(input.fields, node.outputs),
    isOpen: input.isOpen || node.use.writes.some((pattern) => pattern.parts.length > 1),
  }),
  properties: (node) => ({ ...rowForRow(node.use.writes), keepsRowCount: node.isOneToOne }),
  maxRows: (node, rows) => (node.isOneToOne || rows === 0 ? rows : Infinity),
  label: (node) =>
    `${node.fn}${printParams(node.params, node.summary)}${node.condition === undefined ? '' : ` if (${printExpr(node.condition)})`}`,
})

export const tableApplyOps: NodeOps<TableApply> = unary({
  schema: (node, input) =>
    node.keepsInputFields
      ? { fields: withFields(input.fields, node.outputs), isOpen: input.isOpen }
      : { fields: node.outputs, isOpen: node.use.writes.some((pattern) => pattern.parts.length > 1) },
  order: () => ({ keys: [], base: 'as-given' }),
  properties: () => otherRows,
  maxRows: () => Infinity,
  label: (node) => `${node.fn}${printParams(node.params)} reads (${node.use.reads.map(printFieldPattern).join(', ')})`,
})

declare module '../kinds.ts' {
  interface PlanKinds {
    apply: Apply
    'table-apply': TableApply
  }
}
