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
 * The order in which a node's rows come out. A plan denotes a *sequence* of rows: every node is a function from
 * sequences to a sequence, and sorting is stable, so ties keep the order of the input.
 * `base` is what the keys refine: stored rows newest first then latest ingested, groups by key, or no more than given.
 */
export interface Order {
  readonly keys: readonly OrderKey[]
  readonly base: 'newest-first' | 'group-key' | 'as-given'
}

/** What a node does with the rows of its inputs, for those who ask about all kinds alike. */
export interface NodeProperties {
  /** Each row that comes out is made of one row of the input, whatever the others are; some rows may give none. */
  readonly isRowWise: boolean
  /** Rows come in the order of the rows they are made of. */
  readonly keepsOrder: boolean
  /** Exactly one row comes out for each row of the input. */
  readonly keepsRowCount: boolean
  /**
   * Fields that may come out with another value than they have in the input, or that may be there or missing in one of
   * both only. `undefined`: the rows are others.
   */
  readonly touches: readonly FieldPattern[] | undefined
}

/** Rows of another making: none of the input's comes through. */
export const otherRows: NodeProperties = {
  isRowWise: false,
  keepsOrder: false,
  keepsRowCount: false,
  touches: undefined,
}

/** Some of the input's rows as they are, in their order. */
export const someRows: NodeProperties = { isRowWise: false, keepsOrder: true, keepsRowCount: false, touches: [] }

/** A row for each row, in the same order. */
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
  /** At most so many rows come out when the inputs have at most so many. */
  readonly maxRows: (node: N, inputs: readonly number[]) => number
  /** One line without the node's kind: what a printed plan and `explain` show. */
  readonly label: (node: N) => string
}

/** How many rows of so many are in the window `[offset, offset + limit)`. */
export function rowsOfWindow(rows: number, offset: number, limit: number | undefined): number {
  return Math.min(limit ?? Infinity, Math.max(0, rows - offset))
}

type Unary = LogicalPlan & { readonly input: LogicalPlan }

/** The operations of a node with one input; what is not given is as of a node that has no expressions and passes rows on. */
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

/** Gives the items one by one: how a node takes its expressions back in the order in which it gave them. */
export function inTurn<T>(items: readonly T[]): () => T {
  let next = 0
  return () => present(items[next++], 'an expression')
}

/** The fields of a node that makes some beside those of its input; one that is written over keeps its place. */
export function withFields(input: readonly Field[], made: readonly Field[]): readonly Field[] {
  const fields = new Map(input.map((each) => [each.name, each]))
  for (const each of made) fields.set(each.name, each)
  return [...fields.values()]
}

/** A field that was asked for by a name. */
export function namedField({ name, type }: Pick<Field, 'name' | 'type'>): Field {
  return { name, type, presence: 'named' }
}
