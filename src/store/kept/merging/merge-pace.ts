/** Merging takes one part in so many of the time, unless another share is given. */
const SHARE = 10

/** Leaves time between pieces of work in the background, so that they take no more than their share of it. */
export class MergePace {
  #fromMs = 0
  readonly #nowMs: () => number

  /** `nowMs`: a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** How long it is until the next one may begin, milliseconds. */
  get waitMs(): number {
    return Math.max(0, this.#fromMs - this.#nowMs())
  }

  /** Whether the next merge may begin. */
  get isTime(): boolean {
    return this.#nowMs() >= this.#fromMs
  }

  /** Nothing begins for so many milliseconds. */
  pause(milliseconds: number): void {
    this.#fromMs = Math.max(this.#fromMs, this.#nowMs() + milliseconds)
  }

  /** Runs one merge; the next one waits, whether it succeeds or not, so that this took one part in `share` of the time. */
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
