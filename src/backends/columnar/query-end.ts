/** Collects what must be done when a query ends, in whatever way. Most queries need nothing and pay nothing for it. */
export class QueryEnd {
  readonly #closers: (() => void | Promise<void>)[] = []
  #controller: AbortController | undefined

  /** A signal that is aborted at the end. */
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
