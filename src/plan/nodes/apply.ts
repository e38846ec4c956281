import type { JsonValue, Origin } from '../../base/index.ts'
import type { Field } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import type { FieldPattern } from '../field-pattern.ts'
import { printFieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { otherRows, rowForRow, unary, withFields, type NodeOps } from './node-ops.ts'

/** The fields that a row or table function reads and writes, for column pruning and filter pushdown. */
export interface FieldUse {
  /**
   * Fields that the function reads; `['', '']` is every field. A field that the function may leave unchanged counts as
   * read.
   */
  readonly reads: readonly FieldPattern[]
  /** Fields that the function may add or replace. */
  readonly writes: readonly FieldPattern[]
  /** Fields that the function replaces in every row. */
  readonly replaces: readonly string[]
}

/**
 * Applies a row function of the registry (`extract`, `format`, `unpack_json` …) to each row that matches `condition`;
 * other rows pass unchanged. The function may return no row or several (`unroll`).
 */
export interface Apply {
  readonly kind: 'apply'
  readonly input: LogicalPlan
  readonly fn: string
  /** The parameters, in the form that the function's definition describes. */
  readonly params: JsonValue
  /** The text that explanations show instead of the parameters. */
  readonly summary?: string
  readonly condition: Expr | undefined
  readonly use: FieldUse
  /** Fields that are always columns of the output. */
  readonly outputs: readonly Field[]
  /** True if each input row gives exactly one output row. */
  readonly isOneToOne: boolean
  readonly origin: Origin
}

/**
 * Applies a function to the whole input (`facets`, `field_names`, `stream_context` …). The function returns new rows.
 */
export interface TableApply {
  readonly kind: 'table-apply'
  readonly input: LogicalPlan
  readonly fn: string
  readonly params: JsonValue
  readonly use: FieldUse
  /** Columns of the output; they are added to the input's columns if `keepsInputFields` is true. */
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
