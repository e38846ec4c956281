import { FairQueue } from '../workers/index.ts'
import { fault } from './http-fault.ts'

/** What one turn of the event loop is used for requests, milliseconds; the rest waits for the next. */
const TURN_MS = 4

interface Waiting {
  readonly key: string
  readonly go: () => void
}

/**
 * Shares out this thread: many requests that arrive together, and many answers that are being sent, take the event loop for a
 * few milliseconds at a time, by key in turn, so that whoever asks for little is not behind all that one key has sent.
 */
export class Turns {
  readonly #line = new FairQueue<Waiting>()
  readonly #refusable = new Map<string, number>()
  readonly #limitPerKey: number
  readonly #nowMs: () => number
  #startMs = 0
  #isMarked = false

  constructor(limitPerKey: number, nowMs: () => number = () => performance.now()) {
    this.#limitPerKey = limitPerKey
    this.#nowMs = nowMs
  }

  /** To be awaited before some work for a key; `undefined` when it may be done at once. */
  turn(key: string): Promise<void> | undefined {
    if (!this.#isMarked) this.#mark()
    if (this.#line.size === 0 && this.#nowMs() - this.#startMs < TURN_MS) return undefined
    return new Promise((resolve) => this.#line.push({ key, go: resolve }))
  }

  /** As `turn`, for a request that this thread answers itself: rejects with 429 when the key has too many of them in line. */
  async take(key: string): Promise<void> {
    const inLine = this.#refusable.get(key) ?? 0
    if (inLine >= this.#limitPerKey)
      throw fault('too-many-requests', { limit: this.#limitPerKey }, { 'Retry-After': '1' })
    this.#refusable.set(key, inLine + 1)
    await this.turn(key)
    const left = (this.#refusable.get(key) ?? 1) - 1
    if (left === 0) this.#refusable.delete(key)
    else this.#refusable.set(key, left)
  }

  #mark(): void {
    this.#isMarked = true
    this.#startMs = this.#nowMs()
    setImmediate(() => {
      this.#isMarked = false
      if (this.#line.size === 0) return
      this.#mark()
      void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    do {
      const next = this.#line.take(() => true)
      if (next === undefined) return
      const startMs = this.#nowMs()
      next.go()
      // Comes when what was let go has nothing to do for now.
      await new Promise<void>((resolve) => process.nextTick(resolve))
      this.#line.used(next.key, this.#nowMs() - startMs)
      this.#line.end(next.key)
    } while (this.#nowMs() - this.#startMs < TURN_MS)
  }
}
