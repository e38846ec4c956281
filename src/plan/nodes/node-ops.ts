import { present } from '../../base/index.ts'
import type { Field, Schema } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import type { FieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'

/** One sort key of a declared order. */
export interface OrderKey {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/**
 * Order of a node's output. A plan denotes a *sequence* of rows: every node is a function from sequences to a sequence,
 * and sorting is stable, so ties keep the input order. `base` is the order that the keys refine: stored rows newest
 * first then latest ingested, groups by key, or the input order.
 */
export interface Order {
  readonly keys: readonly OrderKey[]
  readonly base: 'newest-first' | 'group-key' | 'as-given'
}

/** Properties of a node that hold for all kinds alike. */
export interface NodeProperties {
  /** True if each output row depends on one input row only; some input rows may give none. */
  readonly isRowWise: boolean
  /** True if output rows keep the order of their input rows. */
  readonly keepsOrder: boolean
  /** True if there is exactly one output row for each input row. */
  readonly keepsRowCount: boolean
  /**
   * Fields whose value or presence may differ between input and output. `undefined`: the output rows are not input
   * rows.
   */
  readonly touches: readonly FieldPattern[] | undefined
}

/** Properties of nodes that output new rows only. */
export const otherRows: NodeProperties = {
  isRowWise: false,
  keepsOrder: false,
  keepsRowCount: false,
  touches: undefined,
}

/** Properties of nodes that output some input rows unchanged, in order. */
export const someRows: NodeProperties = { isRowWise: false, keepsOrder: true, keepsRowCount: false, touches: [] }

/** Properties of nodes that output one row for each input row, in order. */
export function rowForRow(touches: readonly FieldPattern[]): NodeProperties {
  return { isRowWise: true, keepsOrder: true, keepsRowCount: true, touches }
}

export interface NodeOps<N extends LogicalPlan> {
  readonly inputs: (node: N) => readonly LogicalPlan[]
  readonly withInputs: (node: N, inputs: readonly LogicalPlan[]) => N
  readonly expressions: (node: N) => readonly Expr[]
  readonly withExpressions: (node: N, expressions: readonly Expr[]) => N
  readonly schema: (node: N, inputs: readonly Schema[]) => Schema
  readonly order: (node: N, inputs: readonly Order[]) => Order
  readonly properties: (node: N) => NodeProperties
  /** Maximum number of output rows, given those of the inputs. */
  readonly maxRows: (node: N, inputs: readonly number[]) => number
  /** One line without the node's kind, for printed plans and `explain`. */
  readonly label: (node: N) => string
}

/** Number of rows in the window `[offset, offset + limit)` of `rows` rows. */
export function rowsOfWindow(rows: number, offset: number, limit: number | undefined): number {
  return Math.min(limit ?? Infinity, Math.max(0, rows - offset))
}

type Unary = LogicalPlan & { readonly input: LogicalPlan }

/** Operations of a node with one input. Defaults: no expressions, rows passed on. */
interface UnaryOps<N extends Unary> extends Pick<NodeOps<N>, 'label' | 'properties'> {
  readonly expressions?: NodeOps<N>['expressions']
  readonly withExpressions?: NodeOps<N>['withExpressions']
  readonly schema?: (node: N, input: Schema) => Schema
  readonly order?: (node: N, input: Order) => Order
  readonly maxRows?: (node: N, inputRows: number) => number
}

export function unary<N extends Unary>(ops: UnaryOps<N>): NodeOps<N> {
  const { schema = (_, input) => input, order = (_, input) => input, maxRows = (_, rows) => rows } = ops
  return {
    inputs: (node) => [node.input],
    withInputs: (node, [input]) => ({ ...node, input: present(input) }),
    expressions: () => [],
    withExpressions: (node) => node,
    ...ops,
    schema: (node, [input]) => schema(node, present(input)),
    order: (node, [input]) => order(node, present(input)),
    maxRows: (node, [rows]) => maxRows(node, present(rows)),
  }
}

/** Returns the items one by one: a node receives its expressions back in the order in which it listed them. */
export function inTurn<T>(items: readonly T[]): () => T {
  let next = 0
  return () => present(items[next++], 'an expression')
}

/** Fields of a node that adds some to its input; a replaced field keeps its position. */
export function withFields(input: readonly Field[], made: readonly Field[]): readonly Field[] {
  const fields = new Map(input.map((each) => [each.name, each]))
  for (const each of made) fields.set(each.name, each)
  return [...fields.values()]
}

/** A field that a query names. */
export function namedField({ name, type }: Pick<Field, 'name' | 'type'>): Field {
  return { name, type, presence: 'named' }
}
