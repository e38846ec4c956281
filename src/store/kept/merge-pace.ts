/** Merging takes one part in so many of the time. */
const SHARE = 10

/** Leaves time between merges, so that they take no more than their share of it. */
export class MergePace {
  #fromMs = 0
  readonly #nowMs: () => number

  /** `nowMs`: a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Whether the next merge may begin. */
  get isTime(): boolean {
    return this.#nowMs() >= this.#fromMs
  }

  /** Runs one merge; the next one waits, whether it succeeds or not. */
  async run(merge: () => Promise<void>): Promise<void> {
    const startMs = this.#nowMs()
    try {
      await merge()
    } finally {
      const endMs = this.#nowMs()
      this.#fromMs = endMs + (endMs - startMs) * (SHARE - 1)
    }
  }
}
