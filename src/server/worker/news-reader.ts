import type { MessagePort } from 'node:worker_threads'
import { ReadsInWork } from '../../store/kept/index.ts'
import { VERSION_WORD, type NewsConnection, type NewsMessage, type ReaderMessage } from './news.ts'

/** The worker's end of a connection: asks for what is new. */
export class NewsReader<News> {
  readonly #port: MessagePort
  readonly #words: Int32Array
  readonly #reads: ReadsInWork
  /** How far this thread was told; `undefined` before the first time. */
  #known: number | undefined
  #isClosed = false
  #asking: PromiseWithResolvers<void> | undefined

  /** `onRemoved` is told of files that nobody can read any more. */
  constructor(
    { port, words, reads }: NewsConnection,
    apply: (news: News) => void,
    onRemoved: (paths: readonly string[]) => void = () => undefined,
  ) {
    this.#port = port
    this.#words = words
    this.#reads = new ReadsInWork(reads)
    port.on('message', (message: NewsMessage<News>) => {
      if ('news' in message) return apply(message.news)
      if ('removed' in message) return onRemoved(message.removed)
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

  /**
   * Begins a read of what this thread was told: its files stay until what this gives is called. `undefined` where there is something newer,
   * with which files may have left.
   */
  beginRead(): (() => void) | undefined {
    if (this.#known === undefined) return undefined
    const end = this.#reads.begin(this.#known)
    if (this.isCurrent) return end
    end()
    return undefined
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
