/**
 * Collects cleanup functions that run when a query ends, whether by success, error or cancellation. It costs nothing
 * for the many queries that need no cleanup.
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
