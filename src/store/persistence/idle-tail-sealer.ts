import type { TableTails } from '../memory/index.ts'

/** Rows of a table with a retention period stay in tails or columns for at most 1/8 of that period. */
export const AGE_PARTS = 8n

/** Milliseconds between two checks for expired rows. */
export const RETENTION_CHECK_MS = 60_000

/** Tracks since when the first unsealed row of a table has been in its tail. */
export class IdleTailSealer {
  #from: number | undefined
  #sinceNs = 0n

  /**
   * Closes the tail of the oldest unsealed row once it has waited for 1/8 of `ageNs`. So rows that arrive slowly also
   * become segments, which can expire. Must be called at regular intervals. `ageNs` is how long rows are kept.
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
