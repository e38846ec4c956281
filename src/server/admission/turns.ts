import { TURN_MS } from '../../base/index.ts'
import { FairQueue } from '../../workers/index.ts'
import { fault } from '../errors/http-fault.ts'

interface Waiting {
  readonly key: string
  readonly go: () => void
}

/**
 * Schedules concurrent work on this thread. Requests and answers use the event loop for a few ms at a time, round-robin
 * by key, so that a small caller does not wait for all work of a large one.
 */
export class StepwiseTask {
  readonly #line = new FairQueue<Waiting>()
  readonly #refusable = new Map<string, number>()
  readonly #limitPerKey: number
  readonly #nowMs: () => number
  #startMs = 0
  #isMarked = false
  /** True if a waiting caller was resumed and has not yielded yet. */
  #isTaken = false

  constructor(limitPerKey: number, nowMs: () => number = () => performance.now()) {
    this.#limitPerKey = limitPerKey
    this.#nowMs = nowMs
  }

  /** Must be awaited before work for a key. Returns `undefined` if the work may start at once. */
  turn(key: string): Promise<void> | undefined {
    if (!this.#isMarked) this.#mark()
    if (this.#isTaken || this.#line.size > 0 || this.#isOver)
      return new Promise((resolve) => this.#line.push({ key, go: resolve }))
    this.#isTaken = true
    void settled().then(() => this.#drain())
    return undefined
  }

  /**
   * Like `turn`, for a request that this thread answers. Rejects with 429 if too many requests of the key are queued.
   */
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

  get #isOver(): boolean {
    return this.#nowMs() - this.#startMs >= TURN_MS
  }

  #mark(): void {
    this.#isMarked = true
    this.#startMs = this.#nowMs()
    setImmediate(() => {
      this.#isMarked = false
      if (this.#line.size === 0) return
      this.#mark()
      if (this.#isTaken) return
      this.#isTaken = true
      void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    while (!this.#isOver) {
      const next = this.#line.take(() => true)
      if (next === undefined) break
      const startMs = this.#nowMs()
      next.go()
      await settled()
      this.#line.used(next.key, this.#nowMs() - startMs)
      this.#line.end(next.key)
    }
    this.#isTaken = false
  }
}

/** Resolves when the current work has yielded: `nextTick` callbacks run after all resolved promises are processed. */
function settled(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)))
}
