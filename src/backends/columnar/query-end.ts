/** What has to be done when a query has ended, however it did. Most queries have nothing, and pay nothing for it. */
export class QueryEnd {
  readonly #closers: (() => void | Promise<void>)[] = []
  #controller: AbortController | undefined

  /** Aborted at the end. */
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
