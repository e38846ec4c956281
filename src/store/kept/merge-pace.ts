/** Merging takes one part in so many of the time, unless another share is given. */
const SHARE = 10

/** Leaves time between pieces of work in the background, so that they take no more than their share of it. */
export class MergePace {
  #fromMs = 0
  readonly #nowMs: () => number
  readonly #share: number

  /** `nowMs`: a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now(), share = SHARE) {
    this.#nowMs = nowMs
    this.#share = share
  }

  /** How long it is until the next one may begin, milliseconds. */
  get waitMs(): number {
    return Math.max(0, this.#fromMs - this.#nowMs())
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
      this.#fromMs = endMs + (endMs - startMs) * (this.#share - 1)
    }
  }
}
