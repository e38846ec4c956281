/**
 * The maximum number of callers whose costs are remembered. The caller that has been inactive for longest is forgotten
 * first.
 */
const MAX_CALLERS = 1000
/** The weight of the latest job in the moving average, from 0 to 1. */
const LATEST_WEIGHT = 0.25
/** The average processor time in milliseconds up to which a caller's jobs count as short. */
const SHORT_MS = 20

/** The processor time of each caller's recent jobs in milliseconds, as a moving average. */
export class CallerCosts {
  readonly #averageMs = new Map<string, number>()

  /** Records the processor time of a job of the caller, in milliseconds. */
  note(caller: string, ms: number): void {
    const before = this.#averageMs.get(caller)
    this.#averageMs.delete(caller)
    this.#averageMs.set(caller, before === undefined ? ms : before + (ms - before) * LATEST_WEIGHT)
    for (const oldest of this.#averageMs.keys()) {
      if (this.#averageMs.size <= MAX_CALLERS) return
      this.#averageMs.delete(oldest)
    }
  }

  isKnown(caller: string): boolean {
    return this.#averageMs.has(caller)
  }

  /** True if the caller is known and its recent jobs were short. */
  isShort(caller: string): boolean {
    return (this.#averageMs.get(caller) ?? Infinity) <= SHORT_MS
  }
}
