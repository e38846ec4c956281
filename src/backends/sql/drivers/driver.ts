import type { Budget, ValueLimits } from '../../../base/index.ts'
import type { SqlParameter } from '../statement/params.ts'
import type { RawBatch } from '../decode-rows.ts'

/**
 * A statement that returns one string, and the string that it returned when facts about stored values were learned. The
 * facts hold as long as it returns the same string.
 */
export interface Proof {
  readonly sql: string
  readonly expected: string
}

/** A statement to run and everything that the run needs. */
export interface RunRequest {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  readonly columnCount: number
  /**
   * Version of the facts about stored values with which the statement was compiled. If the database has another
   * version, the statement is stale. `undefined` for a user's file, which has no such facts and whose INTEGER columns
   * are read as `bigint`.
   */
  readonly epoch: number | undefined
  /**
   * Small statements with their expected results. They run before the statement, in the same snapshot; if a result
   * differs, the statement is stale.
   */
  readonly proofs?: readonly Proof[] | undefined
  readonly batchRows: number
  readonly valueLimits: ValueLimits
}

/**
 * Thrown before the first row if facts about stored values, on which the statement relies, no longer hold. The caller
 * must compile the plan again.
 */
export class StaleStatement extends Error {
  constructor() {
    super('the statement was compiled with older knowledge')
  }
}

/** Runs statements on one database. */
export interface SqlDriver {
  /** True if a running statement must check regularly whether to stop, because nothing can stop it from outside. */
  readonly needsCheckpoints: boolean
  /**
   * Runs a statement and yields its result batches in order. A reader that stops early stops the statement. Throws
   * StaleStatement and SluiceError `budget/…`.
   */
  run(request: RunRequest, budget: Budget): AsyncIterable<RawBatch>
  close(): Promise<void>
}
