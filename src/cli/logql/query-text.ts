import type { RecordBatch, Schema } from '../../data/index.ts'
import type { CompiledPlan, Engine, Planner, PlanOptions, QueryOptions, QueryResult } from '../../engine/index.ts'

/** The rows of an answer as they are shown. */
export interface ShownAnswer {
  readonly schema: Schema
  readonly batches: () => AsyncIterable<RecordBatch>
  /** The result behind the rows, if they are of one plan. */
  readonly result: QueryResult | undefined
}

/** A running server, in place of files. */
export interface AskedServer {
  readonly server: string
  readonly key: string | undefined
  readonly backendId: string | undefined
  readonly signal: AbortSignal
}

/** A query of another language than the log language. */
export interface QueryText {
  /** True if an answer needs all rows, whatever its plan. */
  readonly isWhole: boolean
  /** The plan that tells which rows are read. Throws SluiceError. */
  readonly compile: (planner: Planner, settings: PlanOptions) => CompiledPlan
  readonly answer: (engine: Engine, compiled: CompiledPlan, settings: QueryOptions) => Promise<ShownAnswer>
  readonly ofServer: (asked: AskedServer) => Promise<ShownAnswer>
}
