import type { Budget, Interval } from '../base/index.ts'
import type { RecordBatch, Schema } from '../data/index.ts'
import type { Arrivals } from '../store/index.ts'
import type { ExplainTree, Expr, LogicalPlan, Scan, Table } from '../plan/index.ts'

/** Context of one run of a plan. */
export interface QueryContext {
  readonly budget: Budget
  /** The "now" of the query, in nanoseconds since 1970. */
  readonly nowNs: bigint
  /** The range of the request, for `rate()`. */
  readonly range: Interval
  /** The most rows of a batch; tests set 1. */
  readonly batchRows: number
  /** The whole plan that contains this part, with its subqueries, so that a table can see what else will be read. */
  readonly whole?: LogicalPlan
  /** The tables opened for this query, for tables that want to know beforehand what will be read. */
  readonly opened?: Map<Table, Table>
  /** When given, only rows that arrived in memory since then are read, and the position moves on. */
  readonly arrivals?: Arrivals | undefined
  /**
   * Under a data scope, receives the guards by scan that the backend's own check found in the statement or program that
   * it is about to run. Throws InvariantError when one of them is not the caller's.
   */
  readonly proveGuards?: ((found: ReadonlyMap<Scan, Expr | undefined>) => void) | undefined
}

/** Whether a backend can run a whole plan; if not, the first node that it cannot run and the reason. */
export type Acceptance =
  | { readonly kind: 'whole' }
  | { readonly kind: 'not'; readonly node: LogicalPlan; readonly reason: string }

/** Reports what it can run of a plan. */
export interface Acceptor {
  readonly name: string
  accept(plan: LogicalPlan): Acceptance
}

/** A parameter of a statement by its name, which the text contains unless the database knows only positions. */
export interface CompiledParameter {
  readonly name: string
  /** `value` is bound as it is; `program` is host code of Sluice. */
  readonly kind: 'value' | 'program'
  /** The value; present when `kind` is `value`. */
  readonly value?: null | number | bigint | string | Uint8Array
}

/** The statement into which a plan was compiled. */
export interface CompiledStatement {
  readonly sql: string
  /** The parameters in the order of their positions, from 1. */
  readonly parameters: readonly CompiledParameter[]
  /** Sentences on how rows of the statement, run by itself, differ from the answer of the query; none by default. */
  readonly notes?: readonly string[]
}

/** Compiles plans to statements; with a database it is a backend. */
export interface StatementCompiler extends Acceptor {
  /** Compiles a plan that `accept` accepts. */
  compile(plan: LogicalPlan): CompiledStatement
}

/** Runs plans. An engine asks `accept` first, and runs itself what no backend accepts. */
export interface Backend extends Acceptor {
  /** The tables whose rows the backend reads itself, with what is known of them without reading. */
  readonly tables?: ReadonlyMap<string, Table>
  prepare(plan: LogicalPlan, context: QueryContext): Prepared
}

/** A prepared plan. Two runs return the same rows as long as the data do not change. */
export interface Prepared {
  readonly schema: Schema
  /** Returns the explanation, with measured values once `run` has ended. */
  explain(): ExplainTree
  /** Asks the database for its plan of the statement; `explain` shows it from then on. */
  askPlan?(): Promise<void>
  /**
   * Returns the batches in answer order. Each batch is computed when it is requested; returning early stops the work.
   * Throws SluiceError `budget/…` when a limit is reached or the query was cancelled.
   */
  run(): AsyncIterable<RecordBatch>
  /**
   * Returns what the running query would answer if its input ended now, within the limits of `context`; the run goes
   * on. `undefined` when the backend cannot tell.
   */
  soFar?(context: QueryContext): AsyncIterable<RecordBatch> | undefined
}
