import type { Schema } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
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

export interface NodeOps<N extends LogicalPlan> {
  readonly inputs: (node: N) => readonly LogicalPlan[]
  readonly withInputs: (node: N, inputs: readonly LogicalPlan[]) => N
  readonly expressions: (node: N) => readonly Expr[]
  readonly withExpressions: (node: N, expressions: readonly Expr[]) => N
  readonly schema: (node: N, inputs: readonly Schema[]) => Schema
  readonly order: (node: N, inputs: readonly Order[]) => Order
  /** One line without the node's kind: what a printed plan and `explain` show. */
  readonly label: (node: N) => string
}

type Unary = LogicalPlan & { readonly input: LogicalPlan }

/** What nodes with one input and no expressions share. */
export function unary<N extends Unary>(ops: Pick<NodeOps<N>, 'label'> & Partial<NodeOps<N>>): NodeOps<N> {
  return {
    inputs: (node) => [node.input],
    withInputs: (node, [input]) => ({ ...node, input }),
    expressions: () => [],
    withExpressions: (node) => node,
    schema: (_, [input]) => input,
    order: (_, [input]) => input,
    ...ops,
  }
}
