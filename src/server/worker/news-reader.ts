import type { MessagePort } from 'node:worker_threads'
import { VERSION_WORD, type NewsConnection, type NewsMessage, type ReaderMessage } from './news.ts'

/** The worker's end of a connection: asks for what is new. */
export class NewsReader<News> {
  readonly #port: MessagePort
  readonly #words: Int32Array
  /** How far this thread was told; `undefined` before the first time. */
  #known: number | undefined
  #isClosed = false
  #asking: PromiseWithResolvers<void> | undefined

  constructor({ port, words }: NewsConnection, apply: (news: News) => void) {
    this.#port = port
    this.#words = words
    port.on('message', (message: NewsMessage<News>) => {
      if ('news' in message) return apply(message.news)
      this.#known = message.version
      return this.#end()
    })
  }

  get version(): number {
    return Atomics.load(this.#words, VERSION_WORD)
  }

  /** Whether this thread has been told all that queries must see. */
  get isCurrent(): boolean {
    return this.#known === this.version
  }

  /** Resolves when that is so of all there is now, or when the connection is closed. */
  async upToDate(): Promise<void> {
    const { version } = this
    // The counter may go round.
    while (!this.#isClosed && (this.#known === undefined || ((version - this.#known) | 0) > 0)) await this.#asked()
  }

  /** Has those told of damage who can mend it. */
  tell(message: ReaderMessage): void {
    this.#port.postMessage(message, [])
  }

  close(): void {
    this.#isClosed = true
    this.#port.close()
    this.#end()
  }

  #asked(): Promise<void> {
    if (this.#asking === undefined) {
      this.#asking = Promise.withResolvers()
      this.#port.postMessage(undefined, [])
    }
    return this.#asking.promise
  }

  #end(): void {
    this.#asking?.resolve()
    this.#asking = undefined
  }
}
