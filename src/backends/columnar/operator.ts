import type { LogicalPlan, NodeOf, PlanKind } from '../../plan/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { MemoryStore } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import type { ExprCompiler } from './expr/compile.ts'
import type { Frame } from './frame.ts'
import type { Measure } from './measure.ts'

/** What `pull` gives when it has worked but has no rows yet: ask again. */
export const again = Symbol('again')

/** The rows of one plan node, on demand. Each call does a bounded piece of work, so that the driver can stop between. */
export interface Operator {
  /** The next rows, at most `want` of them; `again` after a piece of work without rows; `undefined` at the end. */
  pull(want: number): Frame | typeof again | undefined
}

export interface ExecContext {
  readonly store: MemoryStore
  readonly functions: Functions
  readonly query: QueryContext
  readonly compiler: ExprCompiler
}

/** What an operator is made from. */
export interface OperatorInput<N extends LogicalPlan> {
  readonly node: N
  readonly inputs: readonly Operator[]
  readonly context: ExecContext
  readonly measure: Measure
}

export type OperatorFactory<N extends LogicalPlan> = (input: OperatorInput<N>) => Operator

export type OperatorTable = { readonly [K in PlanKind]: OperatorFactory<NodeOf<K>> }
