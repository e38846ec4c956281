import type { Budget, ValueLimits } from '../../../base/index.ts'
import type { SqlParameter } from '../statement/params.ts'
import type { RawBatch } from '../decode-rows.ts'

/**
 * A statement that returns one string, and the string that it returned when facts about stored values were learned. As
 * long as it returns the same, the facts hold.
 */
export interface Proof {
  readonly sql: string
  readonly expected: string
}

/** A statement to run, its parameters, and the version of the facts about stored values that it relies on. */
export interface RunRequest {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  readonly columnCount: number
  /**
   * The version of the facts about stored values with which the statement was compiled. If the database has another
   * version, the statement is stale. `undefined` for a user's file without such facts, whose INTEGER columns are read
   * as `bigint`.
   */
  readonly epoch: number | undefined
  /**
   * Small statements with their expected results. They run in the same snapshot before the statement; if a result
   * differs, the statement is stale.
   */
  readonly proofs?: readonly Proof[] | undefined
  readonly batchRows: number
  readonly valueLimits: ValueLimits
}

/**
 * Thrown before the first row if the statement relies on facts about stored values that no longer hold. The caller must
 * compile it again.
 */
export class StaleStatement extends Error {
  constructor() {
    super('the statement was compiled with older knowledge')
  }
}

/** Runs statements on one database. */
export interface SqlDriver {
  /**
   * True if a running statement must itself check regularly whether to stop, since nothing can stop it from outside.
   */
  readonly needsCheckpoints: boolean
  /**
   * Runs a statement and yields its result batches in order. If the caller stops reading, the statement is stopped.
   * Throws StaleStatement and SluiceError `budget/…`.
   */
  run(request: RunRequest, budget: Budget): AsyncIterable<RawBatch>
  close(): Promise<void>
}
