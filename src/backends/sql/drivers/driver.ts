import type { Budget, ValueLimits } from '../../../base/index.ts'
import type { SqlParameter } from '../statement/params.ts'
import type { RawBatch } from '../decode-rows.ts'

/** A statement that returns one text, and this text. As long as it does, what was learned holds. */
export interface Proof {
  readonly sql: string
  readonly expected: string
}

/** A statement to run. */
export interface RunRequest {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  readonly columnCount: number
  /**
   * The version of the knowledge about stored values with which the statement was compiled. When the database has
   * another version, the statement is stale. `undefined` for a user's file without knowledge, whose INTEGER columns are
   * read as `bigint`.
   */
  readonly epoch: number | undefined
  /**
   * Small statements with their expected results, run in the same snapshot. When one differs, the statement is stale.
   */
  readonly proofs?: readonly Proof[] | undefined
  readonly batchRows: number
  readonly valueLimits: ValueLimits
}

/** Thrown before the first row when the knowledge about stored values has changed since the statement was compiled. */
export class StaleStatement extends Error {
  constructor() {
    super('the statement was compiled with older knowledge')
  }
}

/** Runs statements on one database. */
export interface SqlDriver {
  /** Whether a running statement must check for a stop itself. */
  readonly needsCheckpoints: boolean
  /**
   * Returns the result batches in order. Returning early stops the statement. Throws StaleStatement and SluiceError
   * `budget/…`.
   */
  run(request: RunRequest, budget: Budget): AsyncIterable<RawBatch>
  close(): Promise<void>
}
