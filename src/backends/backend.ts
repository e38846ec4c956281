import type { Budget, Interval } from '../base/index.ts'
import type { RecordBatch, Schema } from '../data/index.ts'
import type { Arrivals } from '../store/index.ts'
import type { ExplainTree, Expr, LogicalPlan, Scan, Table } from '../plan/index.ts'

export interface QueryContext {
  readonly budget: Budget
  /** The query's "now". */
  readonly nowNs: bigint
  /** The request's range, for `rate()`. */
  readonly range: Interval
  /** Rows a batch holds at most; tests force 1. */
  readonly batchRows: number
  /** The whole query that the plan is a part of, subqueries included: what else will be read. */
  readonly whole?: LogicalPlan
  /** Tables as this query reads them: those that want to know beforehand what will be read. */
  readonly opened?: Map<Table, Table>
  /** Only rows that tables in memory have taken in since then are read, and it is moved on. */
  readonly arrivals?: Arrivals | undefined
  /**
   * Under a data scope: told the guards that a backend's own proof found in what it is about to run, by scan. Throws
   * InvariantError when one of them is not the caller's.
   */
  readonly proveGuards?: ((found: ReadonlyMap<Scan, Expr | undefined>) => void) | undefined
}

/** Whether a backend can run a plan whole, and if not, which node stops it and why. */
export type Acceptance =
  | { readonly kind: 'whole' }
  | { readonly kind: 'not'; readonly node: LogicalPlan; readonly reason: string }

/** Says what it can run of a plan. */
export interface Acceptor {
  readonly name: string
  accept(plan: LogicalPlan): Acceptance
}

/** A parameter of a statement by its name, which stands in the text unless the database knows only positions. */
export interface CompiledParameter {
  readonly name: string
  /** `program`: host code of ours. */
  readonly kind: 'value' | 'program'
  /** Of a `value`. */
  readonly value?: null | number | bigint | string | Uint8Array
}

/** What a plan becomes for a database that runs statements. */
export interface CompiledStatement {
  readonly sql: string
  /** In the order of their positions, from 1. */
  readonly parameters: readonly CompiledParameter[]
  /** How rows of the statement, run by itself, differ from the answer of the query, as sentences; none unless given. */
  readonly notes?: readonly string[]
}

/** Writes plans as statements; a backend over a database, or one without any. */
export interface StatementCompiler extends Acceptor {
  /** The statement of a plan that it accepts. */
  compile(plan: LogicalPlan): CompiledStatement
}

export interface Backend extends Acceptor {
  /** The tables whose rows it reads itself, as far as it can tell of them without reading. */
  readonly tables?: ReadonlyMap<string, Table>
  prepare(plan: LogicalPlan, context: QueryContext): Prepared
}

/** A plan made ready: running it twice gives the same rows while the data stays. */
export interface Prepared {
  readonly schema: Schema
  /** With measures once `run` has ended. */
  explain(): ExplainTree
  /** Asks the database how it means to run its statement; `explain` shows it from then on. */
  askPlan?(): Promise<void>
  /**
   * Batches in answer order. Pull-driven: nothing is computed ahead of what is read; returning early stops the work.
   * Throws SluiceError `budget/…` when a limit is met or the query cancelled.
   */
  run(): AsyncIterable<RecordBatch>
  /**
   * What the latest run would answer if its input ended now, within the limits of `context`; the run goes on. `undefined`
   * where the backend cannot tell.
   */
  soFar?(context: QueryContext): AsyncIterable<RecordBatch> | undefined
}
