import { refusal } from './resource-error.ts'

/** A transaction that waits for its commit. */
export interface WaitingWrite {
  /** Runs the transaction; if it throws, only its own changes are undone. */
  readonly run: () => void
  /** Resolves the promise of the transaction. Called after the commit. */
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Groups transactions that arrive in one turn of the event loop or during a commit, so that one sync serves all of
 * them.
 */
export class WriteQueue {
  readonly #commit: (group: readonly WaitingWrite[]) => Promise<readonly WaitingWrite[]>
  readonly #arrived: WaitingWrite[] = []
  readonly #between: (() => Promise<void>)[] = []
  /** Transactions that the last commit did not process. */
  #left: readonly WaitingWrite[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  /** `commit` returns the transactions that it did not process. */
  constructor(commit: (group: readonly WaitingWrite[]) => Promise<readonly WaitingWrite[]>) {
    this.#commit = commit
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Adds a transaction. Resolves with the result of `work` once it is committed. */
  add<T>(work: () => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(refusal('unavailable', 'closed', {}))
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | { readonly error: unknown } | undefined
      this.#arrived.push({
        run: () => {
          try {
            result = { value: work() }
          } catch (error) {
            result = { error }
            throw error
          }
        },
        settle: () => {
          if (result === undefined) reject(new Error('work was settled before it ran'))
          else if ('error' in result) reject(result.error)
          else resolve(result.value)
        },
        reject,
      })
      this.#running ??= this.#run()
    })
  }

  /** Runs `work` while no commit is in flight; commits wait until it ends. Resolves with the result of `work`. */
  between<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#between.push(() => work().then(resolve, reject))
    this.#running ??= this.#run()
    return promise
  }

  /** Resolves when all added transactions are committed. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#arrived.length > 0 || this.#left.length > 0 || this.#between.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      for (const work of this.#between.splice(0)) await work()
      const group = [...this.#left, ...this.#arrived.splice(0)]
      if (group.length > 0) this.#left = await this.#commit(group)
    }
    this.#running = undefined
  }
}
