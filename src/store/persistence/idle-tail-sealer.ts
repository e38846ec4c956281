import type { TableTails } from '../memory/index.ts'

/** Rows of a table with a retention period stay in tails or columns for at most 1/8 of this period. */
export const AGE_PARTS = 8n

/** Interval between checks for expired rows, milliseconds. */
export const RETENTION_CHECK_MS = 60_000

/** Tracks how long the first unsealed row of a table has been in its tail. */
export class IdleTailSealer {
  #from: number | undefined
  #sinceNs = 0n

  /**
   * Closes the tail with the first unsealed row once this row has waited for 1/8 of `ageNs`, the retention period. Thus
   * rows of a table that receives few rows also get into segments and can expire. Must be called at regular intervals.
   */
  seal(tails: TableTails, ageNs: bigint, nowNs: bigint): void {
    const from = tails.firstSequence
    if (from === undefined) return
    if (this.#from !== from) {
      this.#from = from
      this.#sinceNs = nowNs
    } else if (nowNs - this.#sinceNs >= ageNs / AGE_PARTS) tails.closeBefore(from + 1)
  }
}
