import type { MessagePort } from 'node:worker_threads'
import { ReadsInWork } from '../../store/persistence/index.ts'
import { VERSION_WORD, type ReplicationConnection, type ReplicationMessage, type ReaderMessage } from './replication.ts'

/** Requests changes of backends in a worker. */
export class ReplicationClient<News> {
  readonly #port: MessagePort
  readonly #words: Int32Array
  readonly #reads: ReadsInWork
  /** Version of this thread's replicas; `undefined` before the first version. */
  #known: number | undefined
  #isClosed = false
  #asking: PromiseWithResolvers<void> | undefined

  /** `onRemoved` is called for files that no thread can read any more. */
  constructor(
    { port, words, reads }: ReplicationConnection,
    apply: (news: News) => void,
    onRemoved: (paths: readonly string[]) => void = () => undefined,
  ) {
    this.#port = port
    this.#words = words
    this.#reads = new ReadsInWork(reads)
    port.on('message', (message: ReplicationMessage<News>) => {
      if ('news' in message) return apply(message.news)
      if ('removed' in message) return onRemoved(message.removed)
      this.#known = message.version
      return this.#end()
    })
  }

  get version(): number {
    return Atomics.load(this.#words, VERSION_WORD)
  }

  /** True if the replicas contain everything that queries must see. */
  get isCurrent(): boolean {
    return this.#known === this.version
  }

  /** Resolves when the replicas are current or the connection is closed. */
  async upToDate(): Promise<void> {
    const { version } = this
    // Compared by difference, since the counter may wrap around.
    while (!this.#isClosed && (this.#known === undefined || ((version - this.#known) | 0) > 0)) await this.#asked()
  }

  /**
   * Begins a read: the files of the current version are kept until the returned function is called. Returns `undefined`
   * if there is a newer version, whose files may differ.
   */
  beginRead(): (() => void) | undefined {
    if (this.#known === undefined) return undefined
    const end = this.#reads.begin(this.#known)
    if (this.isCurrent) return end
    end()
    return undefined
  }

  /** Reports a damaged file to the thread that can repair it. */
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
