/**
 * Combines concurrent write requests: at most one write runs, and all requests that arrive meanwhile share one further
 * write, which includes their changes.
 */
export class SharedWrite {
  readonly #write: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Requests a write. Resolves when a write that began after this call has ended; rejects as that write does. */
  run(): Promise<void> {
    this.#next ??= this.#afterRunning()
    return this.#next
  }

  /** Resolves when no write is running or requested. */
  async idle(): Promise<void> {
    while (this.#next !== undefined || this.#running !== undefined)
      await (this.#next ?? this.#running)?.catch(() => undefined)
  }

  async #afterRunning(): Promise<void> {
    // Waits at least one microtask, so that calls in the same turn share a write.
    await this.#running?.catch(() => undefined)
    this.#next = undefined
    const running = this.#write().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    await running
  }
}
