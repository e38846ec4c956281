/** By default, merging takes at most 1/10 of the time. */
const SHARE = 10

/** Limits background work to a share of the time by pausing between tasks. */
export class BackgroundThrottle {
  #fromMs = 0
  readonly #nowMs: () => number

  /** `nowMs` is a monotonic clock in milliseconds. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Milliseconds until the next merge may begin. */
  get waitMs(): number {
    return Math.max(0, this.#fromMs - this.#nowMs())
  }

  /** True if the next merge may begin. */
  get isTime(): boolean {
    return this.#nowMs() >= this.#fromMs
  }

  /** Prevents merges for at least this many milliseconds. */
  pause(milliseconds: number): void {
    this.#fromMs = Math.max(this.#fromMs, this.#nowMs() + milliseconds)
  }

  /**
   * Runs one merge. Then it delays the next one, even after a failure, so that merging takes at most `1/share` of the
   * time.
   */
  async run(merge: () => Promise<void>, share = SHARE): Promise<void> {
    const startMs = this.#nowMs()
    try {
      await merge()
    } finally {
      const endMs = this.#nowMs()
      this.#fromMs = endMs + (endMs - startMs) * (share - 1)
    }
  }
}
