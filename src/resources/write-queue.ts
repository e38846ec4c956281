import { refusal } from './resource-error.ts'

/** One piece of work that waits for its commit. */
export interface Waiting {
  /** Runs inside the transaction; what it throws undoes this piece alone. */
  readonly run: () => void
  /** After the commit. */
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

/** Gathers what arrives within one turn of the event loop, or while others are written, so that one sync serves all of it. */
export class WriteQueue {
  readonly #commit: (group: readonly Waiting[]) => Promise<readonly Waiting[]>
  readonly #arrived: Waiting[] = []
  readonly #between: (() => Promise<void>)[] = []
  /** What the last commit did not come to. */
  #left: readonly Waiting[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  /** `commit` gives back what it did not come to. */
  constructor(commit: (group: readonly Waiting[]) => Promise<readonly Waiting[]>) {
    this.#commit = commit
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves with what `work` gave once the group it was in is committed. */
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

  /** Runs it when no commit is under way; commits wait for it. Gives what it gave. */
  between<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#between.push(() => work().then(resolve, reject))
    this.#running ??= this.#run()
    return promise
  }

  /** Resolves when everything that was added is committed. */
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
