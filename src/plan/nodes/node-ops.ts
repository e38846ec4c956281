import { present } from '../../base/index.ts'
import type { Field, Schema } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import type { FieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'

/** One sort key of an order. */
export interface OrderKey {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/**
 * The order of a node's output. The rows of a plan are a sequence, and every node is a function from sequences to a
 * sequence. Sorting is stable, so ties keep the input order. `base` is the order that the keys refine: stored rows
 * newest first and then latest ingested, groups by key, or the input order.
 */
export interface Order {
  readonly keys: readonly OrderKey[]
  readonly base: 'newest-first' | 'group-key' | 'as-given'
}

/** Properties that all kinds of node can state. */
export interface NodeProperties {
  /** True if each output row depends on only one input row. An input row may give no output row. */
  readonly isRowWise: boolean
  /** True if output rows keep the order of their input rows. */
  readonly keepsOrder: boolean
  /** True if there is exactly one output row for each input row. */
  readonly keepsRowCount: boolean
  /**
   * Fields whose value or presence may differ between an input row and its output row. `undefined`: output rows do not
   * correspond to input rows.
   */
  readonly touches: readonly FieldPattern[] | undefined
}

/** Properties of nodes whose output rows are all new. */
export const otherRows: NodeProperties = {
  isRowWise: false,
  keepsOrder: false,
  keepsRowCount: false,
  touches: undefined,
}

/** Properties of nodes that output some of the input rows, unchanged and in order. */
export const someRows: NodeProperties = { isRowWise: false, keepsOrder: true, keepsRowCount: false, touches: [] }

/** Returns the properties of a node that outputs one row per input row, in order. */
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
  /** Returns the maximum number of output rows, given the maxima of the inputs. */
  readonly maxRows: (node: N, inputs: readonly number[]) => number
  /** Returns one line about the node without its kind, for printed plans and `explain`. */
  readonly label: (node: N) => string
}

/** Returns the number of rows in the window `[offset, offset + limit)` of `rows` rows. */
export function rowsOfWindow(rows: number, offset: number, limit: number | undefined): number {
  return Math.min(limit ?? Infinity, Math.max(0, rows - offset))
}

type Unary = LogicalPlan & { readonly input: LogicalPlan }

/** Operations of a node with one input. By default the node has no expressions and passes rows on. */
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

/**
 * Returns a function that returns the next item on each call. A node uses it to take its rewritten expressions in the
 * order in which it listed them.
 */
export function inTurn<T>(items: readonly T[]): () => T {
  let next = 0
  return () => present(items[next++], 'an expression')
}

/** Returns the fields of a node that adds fields to its input. A replaced field keeps its position. */
export function withFields(input: readonly Field[], made: readonly Field[]): readonly Field[] {
  const fields = new Map(input.map((each) => [each.name, each]))
  for (const each of made) fields.set(each.name, each)
  return [...fields.values()]
}

/** Returns a field that a query requests by name. */
export function namedField({ name, type }: Pick<Field, 'name' | 'type'>): Field {
  return { name, type, presence: 'named' }
}
