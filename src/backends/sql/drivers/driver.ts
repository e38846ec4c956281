import type { Budget, ValueLimits } from '../../../base/index.ts'
import type { SqlParameter } from '../statement/params.ts'
import type { RawBatch } from '../decode-rows.ts'

/** A statement of one text, and that text: as long as the one gives the other, what was learned holds. */
export interface Proof {
  readonly sql: string
  readonly expected: string
}

/** A statement as a driver runs it. */
export interface RunRequest {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  readonly columnCount: number
  /**
   * The knowledge it was compiled with; another epoch in the database makes it stale. `undefined` over a file of someone
   * else's, of which nothing is known: INTEGER columns are then read as `bigint`.
   */
  readonly epoch: number | undefined
  /** What must give these texts in the snapshot of the statement, which is stale otherwise. */
  readonly proofs?: readonly Proof[] | undefined
  readonly batchRows: number
  readonly valueLimits: ValueLimits
}

/** The database has learned something since the statement was compiled. Thrown before the first row. */
export class StaleStatement extends Error {
  constructor() {
    super('the statement was compiled with older knowledge')
  }
}

/** Runs statements against one database. */
export interface SqlDriver {
  /** Whether a running statement must look for itself whether it has to stop. */
  readonly needsCheckpoints: boolean
  /**
   * Result batches in order. Returning early stops the statement. Throws StaleStatement, and SluiceError `budget/…`.
   */
  run(request: RunRequest, budget: Budget): AsyncIterable<RawBatch>
  close(): Promise<void>
}
