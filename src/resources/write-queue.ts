import { refusal } from './resource-error.ts'

/** Work that waits for its commit. */
export interface Waiting {
  /** Runs inside the transaction; an error undoes only this work. */
  readonly run: () => void
  /** Called after the commit. */
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Groups work that arrives within one turn of the event loop, or during a commit, so that one sync serves all of it.
 */
export class WriteQueue {
  readonly #commit: (group: readonly Waiting[]) => Promise<readonly Waiting[]>
  readonly #arrived: Waiting[] = []
  readonly #between: (() => Promise<void>)[] = []
  /** Work left over by the last commit. */
  #left: readonly Waiting[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  /** `commit` returns the work that it did not process. */
  constructor(commit: (group: readonly Waiting[]) => Promise<readonly Waiting[]>) {
    this.#commit = commit
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves with the result of `work` when its group is committed. */
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

  /** Runs work while no commit is in flight; commits wait for it. Resolves with its result. */
  between<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#between.push(() => work().then(resolve, reject))
    this.#running ??= this.#run()
    return promise
  }

  /** Resolves when all added work is committed. */
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
