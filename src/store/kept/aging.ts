import type { TableTails } from '../memory/index.ts'

/** What is kept for some time is in tails or columns for no longer than a part of that. */
export const AGE_PARTS = 8n

/** Milliseconds between two looks for what is too old. */
export const RETENTION_CHECK_MS = 60_000

/** Since when the first row of a table that is not sealed was seen. */
export class Aging {
  #from: number | undefined
  #sinceNs = 0n

  /** Has rows that come slowly become segments, too, which can leave. To be called now and then, with how long rows are kept. */
  look(tails: TableTails, ageNs: bigint, nowNs: bigint): void {
    const from = tails.firstSequence
    if (from === undefined) return
    if (this.#from !== from) {
      this.#from = from
      this.#sinceNs = nowNs
    } else if (nowNs - this.#sinceNs >= ageNs / AGE_PARTS) tails.closeBefore(from + 1)
  }
}
