/** Merging takes at most 1 of this many parts of the time, by default. */
const SHARE = 10

/** Limits background work to a share of the time, by pauses between tasks. */
export class BackgroundThrottle {
  #fromMs = 0
  readonly #nowMs: () => number

  /** `nowMs` returns the time of a monotonic clock, in milliseconds. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Milliseconds until the next task may begin; 0 if it may begin now. */
  get waitMs(): number {
    return Math.max(0, this.#fromMs - this.#nowMs())
  }

  /** True if the next task may begin. */
  get isTime(): boolean {
    return this.#nowMs() >= this.#fromMs
  }

  /** Delays the next task by at least this many milliseconds. */
  pause(milliseconds: number): void {
    this.#fromMs = Math.max(this.#fromMs, this.#nowMs() + milliseconds)
  }

  /**
   * Runs a task, then delays the next one so that tasks take at most `1/share` of the time. A failed task delays it
   * too.
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
