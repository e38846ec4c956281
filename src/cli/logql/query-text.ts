import type { RecordBatch, Schema } from '../../data/index.ts'
import type { CompiledPlan, Engine, Planner, PlanOptions, QueryOptions, QueryResult } from '../../engine/index.ts'

/** The rows of an answer as they are shown. */
export interface ShownAnswer {
  readonly schema: Schema
  readonly batches: () => AsyncIterable<RecordBatch>
  /** Query result from which the rows come; `undefined` if they do not come from a single plan. */
  readonly result: QueryResult | undefined
}

/** A running server that answers instead of files. */
export interface AskedServer {
  readonly server: string
  readonly key: string | undefined
  readonly backendId: string | undefined
  readonly signal: AbortSignal
}

/** A query in a language other than the log language. */
export interface QueryText {
  /** True if the answer needs all rows, even if the plan could stream. */
  readonly isWhole: boolean
  /** Compiles the plan that reads the rows. Throws SluiceError. */
  readonly compile: (planner: Planner, settings: PlanOptions) => CompiledPlan
  readonly answer: (engine: Engine, compiled: CompiledPlan, settings: QueryOptions) => Promise<ShownAnswer>
  readonly ofServer: (asked: AskedServer) => Promise<ShownAnswer>
}
