/**
 * Runs a write for all callers that ask for it meanwhile: one write at a time, and one more for those who ask while it
 * runs, since it may not have their changes.
 */
export class SharedWrite {
  readonly #write: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Resolves when a write has ended that began after this call; rejects as that write does. */
  run(): Promise<void> {
    this.#next ??= this.#afterRunning()
    return this.#next
  }

  /** Resolves when no write runs or waits. */
  async idle(): Promise<void> {
    while (this.#next !== undefined || this.#running !== undefined)
      await (this.#next ?? this.#running)?.catch(() => undefined)
  }

  async #afterRunning(): Promise<void> {
    // Also without a running write: calls of the same turn share one.
    await this.#running?.catch(() => undefined)
    this.#next = undefined
    const running = this.#write().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    await running
  }
}
