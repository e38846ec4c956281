/** Callers whose costs are remembered; the one that has asked for nothing for longest is forgotten first. */
const MAX_CALLERS = 1000
/** Weight of the latest job in the average. */
const LATEST_WEIGHT = 0.25
/** A caller's jobs are short while they take at most this much processor time on average, milliseconds. */
const SHORT_MS = 20

/** Processor time of each caller's recent jobs, as a moving average. */
export class CallerCosts {
  readonly #averageMs = new Map<string, number>()

  /** A job of the caller took this much processor time, milliseconds. */
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

  /** Whether the caller is known and its recent jobs were short. */
  isShort(caller: string): boolean {
    return (this.#averageMs.get(caller) ?? Infinity) <= SHORT_MS
  }
}
