import type { Budget, Interval } from '../base/index.ts'
import type { RecordBatch, Schema } from '../data/index.ts'
import type { Arrivals } from '../store/index.ts'
import type { ExplainTree, Expr, LogicalPlan, Scan, Table } from '../plan/index.ts'

/** Context of one run of a plan. */
export interface QueryContext {
  readonly budget: Budget
  /** The current time for the query, in nanoseconds since 1970. */
  readonly nowNs: bigint
  /** The time range of the request, by which `rate()` divides. */
  readonly range: Interval
  /** The maximum number of rows in a batch; tests set 1. */
  readonly batchRows: number
  /** The whole plan that contains this part, with its subqueries, so that a table can see what else will be read. */
  readonly whole?: LogicalPlan
  /** The tables that are opened for this query, for tables that must know in advance what else will be read. */
  readonly opened?: Map<Table, Table>
  /** If set, only rows that arrived in memory since this position are read, and the position is advanced. */
  readonly arrivals?: Arrivals | undefined
  /**
   * Under a data scope: called with the guards, by scan, that the backend found in the statement or program that it is
   * about to run. Throws InvariantError if one of them differs from the caller's guard.
   */
  readonly proveGuards?: ((found: ReadonlyMap<Scan, Expr | undefined>) => void) | undefined
}

/** The answer of `accept`: the backend can run the whole plan, or the first node that it cannot run and the reason. */
export type Acceptance =
  | { readonly kind: 'whole' }
  | { readonly kind: 'not'; readonly node: LogicalPlan; readonly reason: string }

/** Decides which plans a backend can run. */
export interface Acceptor {
  readonly name: string
  accept(plan: LogicalPlan): Acceptance
}

/**
 * A parameter of a statement. The text refers to it by name, or by position if the database has no named parameters.
 */
export interface CompiledParameter {
  readonly name: string
  /** `value`: bound as it is. `program`: the program of a host function, which is code of Sluice. */
  readonly kind: 'value' | 'program'
  /** The value; present when `kind` is `value`. */
  readonly value?: null | number | bigint | string | Uint8Array
}

/** The statement into which a plan was compiled. */
export interface CompiledStatement {
  readonly sql: string
  /** The parameters in the order of their positions, from 1. */
  readonly parameters: readonly CompiledParameter[]
  /**
   * Sentences that describe how rows of the statement, when it is run without Sluice, differ from the answer of the
   * query.
   */
  readonly notes?: readonly string[]
}

/** Compiles plans to statements. A backend is a compiler with a connection to a database. */
export interface StatementCompiler extends Acceptor {
  /** Compiles a plan, which `accept` must have accepted. */
  compile(plan: LogicalPlan): CompiledStatement
}

/** Runs plans. An engine calls `accept` first, and runs itself what no backend accepts. */
export interface Backend extends Acceptor {
  /** The tables whose rows the backend reads itself, with facts that are known without reading. */
  readonly tables?: ReadonlyMap<string, Table>
  prepare(plan: LogicalPlan, context: QueryContext): Prepared
}

/** A prepared plan. Repeated runs return the same rows as long as the data do not change. */
export interface Prepared {
  readonly schema: Schema
  /** Returns the explanation, with measurements once `run` has ended. */
  explain(): ExplainTree
  /** Requests the database's plan for the statement; `explain` then includes it. */
  askPlan?(): Promise<void>
  /**
   * Returns the batches in answer order. Each batch is computed when it is requested; returning early stops the work.
   * Throws SluiceError `budget/…` when a limit is reached or the query was cancelled.
   */
  run(): AsyncIterable<RecordBatch>
  /**
   * Returns what the running query would answer if its input ended now, within the limits of `context`. The run
   * continues. `undefined` if the backend does not support this.
   */
  soFar?(context: QueryContext): AsyncIterable<RecordBatch> | undefined
}
