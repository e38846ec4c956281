import { FairQueue } from '../workers/index.ts'
import { fault } from './http-fault.ts'

interface Waiting {
  readonly key: string
  readonly admit: () => void
}

/**
 * Requests that this thread answers itself take turns: one begins in each round of the event loop, of the key that has had the
 * fewest, so that whoever else waits is behind one piece of work and not behind all that one key has sent.
 */
export class Turns {
  readonly #line = new FairQueue<Waiting>()
  readonly #perKey = new Map<string, number>()
  readonly #limitPerKey: number
  #isScheduled = false

  constructor(limitPerKey: number) {
    this.#limitPerKey = limitPerKey
  }

  /** Resolves when it is the request's turn. Rejects with 429 when the key has too many in line. */
  take(key: string): Promise<void> {
    const ofKey = this.#perKey.get(key) ?? 0
    if (ofKey >= this.#limitPerKey)
      throw fault('too-many-requests', { limit: this.#limitPerKey }, { 'Retry-After': '1' })
    this.#perKey.set(key, ofKey + 1)
    return new Promise((resolve) => {
      this.#line.push({ key, admit: resolve })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#line.size === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#next()
      this.#schedule()
    })
  }

  #next(): void {
    const next = this.#line.take(() => true)
    if (next === undefined) return
    const { key, admit } = next
    const left = (this.#perKey.get(key) ?? 1) - 1
    if (left === 0) this.#perKey.delete(key)
    else this.#perKey.set(key, left)
    this.#line.used(key, 1)
    this.#line.end(key)
    admit()
  }
}
