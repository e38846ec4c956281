/**
 * Cleanup functions that run when a query ends by success, error or cancellation. Costs nothing for queries without
 * any.
 */
export class QueryEnd {
  readonly #closers: (() => void | Promise<void>)[] = []
  #controller: AbortController | undefined

  /** A signal that is aborted when the query ends. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close)
  }

  async run(): Promise<void> {
    this.#controller?.abort()
    for (const close of this.#closers) await close()
  }
}
