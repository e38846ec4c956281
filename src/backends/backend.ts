import type { Budget, Interval } from '../base/index.ts'
import type { RecordBatch, Schema } from '../data/index.ts'
import type { Arrivals } from '../store/index.ts'
import type { ExplainTree, Expr, LogicalPlan, Scan, Table } from '../plan/index.ts'

/** Settings and limits of one run of a plan. */
export interface QueryContext {
  readonly budget: Budget
  /** The current time for the query, in nanoseconds since 1970. */
  readonly nowNs: bigint
  /** Time range of the request; `rate()` divides by its length. */
  readonly range: Interval
  /** The maximum number of rows in a batch; tests set 1. */
  readonly batchRows: number
  /**
   * The complete plan, subqueries included, of which this plan is a part. A table uses it to learn what the query will
   * read later.
   */
  readonly whole?: LogicalPlan
  /**
   * The tables that are already opened for this query: some tables must know in advance everything that the query
   * reads.
   */
  readonly opened?: Map<Table, Table>
  /** If set, the query reads only rows that arrived in memory after this position, and then advances the position. */
  readonly arrivals?: Arrivals | undefined
  /**
   * Under a data scope: called with the guard of each scan that the backend found in the statement or program that it
   * is about to run. Throws InvariantError if one differs from the caller's guard.
   */
  readonly proveGuards?: ((found: ReadonlyMap<Scan, Expr | undefined>) => void) | undefined
}

/**
 * The result of `accept`: either the backend can run the whole plan, or the first node that it cannot run and the
 * reason.
 */
export type Acceptance =
  | { readonly kind: 'whole' }
  | { readonly kind: 'not'; readonly node: LogicalPlan; readonly reason: string }

/** Decides which plans a backend can run. */
export interface Acceptor {
  readonly name: string
  accept(plan: LogicalPlan): Acceptance
}

/**
 * A parameter of a statement. The statement refers to a parameter by name, or by position if the database has no named
 * parameters.
 */
export interface CompiledParameter {
  readonly name: string
  /** `value`: bound unchanged. `program`: the program of a Sluice host function. */
  readonly kind: 'value' | 'program'
  /** The value; present when `kind` is `value`. */
  readonly value?: null | number | bigint | string | Uint8Array
}

/** The statement that the compiler made from a plan. */
export interface CompiledStatement {
  readonly sql: string
  /** The parameters in the order of their positions, from 1. */
  readonly parameters: readonly CompiledParameter[]
  /** Sentences that say how the rows of the statement, run without Sluice, differ from the answer of the query. */
  readonly notes?: readonly string[]
}

/** Compiles plans to statements; needs no connection to a database. */
export interface StatementCompiler extends Acceptor {
  /** Compiles a plan, which `accept` must have accepted. */
  compile(plan: LogicalPlan): CompiledStatement
}

/** Runs plans. An engine calls `accept` first, and itself runs the plans that no backend accepts. */
export interface Backend extends Acceptor {
  /** The tables whose rows the backend reads itself, with facts that are known without reading. */
  readonly tables?: ReadonlyMap<string, Table>
  prepare(plan: LogicalPlan, context: QueryContext): Prepared
}

/** A prepared plan. Repeated runs return the same rows as long as the data do not change. */
export interface Prepared {
  readonly schema: Schema
  /** Returns the explanation of the plan, with measurements once `run` has ended. */
  explain(): ExplainTree
  /** Requests the database's plan of the statement, which `explain` then includes. */
  askPlan?(): Promise<void>
  /**
   * Yields the batches in answer order. Each batch is computed when the reader requests it; a reader that stops early
   * stops the work. Throws SluiceError `budget/…` if a limit is reached or the query is cancelled.
   */
  run(): AsyncIterable<RecordBatch>
  /**
   * Returns the answer that the running query would give if its input ended now, within the limits of `context`. The
   * run continues. `undefined` if the backend does not support this.
   */
  soFar?(context: QueryContext): AsyncIterable<RecordBatch> | undefined
}
