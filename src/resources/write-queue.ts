import { refusal } from './resource-error.ts'

/** One piece of work that waits for its commit. */
export interface Waiting {
  /** Runs inside the transaction; what it throws undoes this piece alone. */
  readonly run: () => void
  /** After the commit. */
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

/** Gathers what arrives within one turn of the event loop, so that one sync serves all of it. */
export class WriteQueue {
  readonly #commit: (group: readonly Waiting[]) => void
  #waiting: Waiting[] = []
  #isScheduled = false
  #isClosed = false

  constructor(commit: (group: readonly Waiting[]) => void) {
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
      this.#waiting.push({
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
      if (this.#isScheduled) return
      this.#isScheduled = true
      setImmediate(() => this.flush())
    })
  }

  flush(): void {
    this.#isScheduled = false
    const group = this.#waiting
    this.#waiting = []
    if (group.length > 0) this.#commit(group)
  }

  close(): void {
    this.#isClosed = true
    this.flush()
  }
}
