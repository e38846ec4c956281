import type { Tick } from '../evaluator.ts'

/** Evaluations that run at the same time for one backend: others wait, so that queries of users find free workers. */
const MAX_EVALUATIONS = 4

/** Evaluations of slow monitors among them, so that these leave room for others. */
const MAX_SLOW_EVALUATIONS = 2

/** A monitor is slow if its latest evaluation took longer than this time, in milliseconds. */
const SLOW_MS = 1000

/**
 * Evaluations that are due. Each monitor has one at most in flight, and one that waits: a later one replaces it. Those
 * that wait longest begin first.
 */
export class EvaluationQueue {
  readonly #nowMs: () => number
  readonly #evaluate: (tick: Tick) => Promise<void>
  readonly #waiting = new Map<string, Tick>()
  readonly #evaluating = new Set<string>()
  readonly #slow = new Set<string>()

  /** `evaluate` must not reject. */
  constructor(nowMs: () => number, evaluate: (tick: Tick) => Promise<void>) {
    this.#nowMs = nowMs
    this.#evaluate = evaluate
  }

  /** Number of evaluations that wait. */
  get size(): number {
    return this.#waiting.size
  }

  add(ticks: Iterable<Tick>): void {
    for (const tick of ticks) this.#waiting.set(tick.definition.id, tick)
    this.#startWaiting()
  }

  /** Forgets monitors that are gone. */
  keepOnly(ids: { has(id: string): boolean }): void {
    for (const id of this.#slow) if (!ids.has(id)) this.#slow.delete(id)
  }

  /** Begins none of those that wait. */
  clear(): void {
    this.#waiting.clear()
  }

  #startWaiting(): void {
    let slowCount = [...this.#evaluating].filter((id) => this.#slow.has(id)).length
    for (const [id, tick] of this.#waiting) {
      if (this.#evaluating.size >= MAX_EVALUATIONS) break
      const isSlow = this.#slow.has(id)
      if (this.#evaluating.has(id) || (isSlow && slowCount >= MAX_SLOW_EVALUATIONS)) continue
      if (isSlow) slowCount++
      this.#waiting.delete(id)
      this.#evaluating.add(id)
      void this.#run(id, tick)
    }
  }

  /** Evaluates one monitor, then begins evaluations that waited for it. */
  async #run(id: string, tick: Tick): Promise<void> {
    const beginMs = this.#nowMs()
    await this.#evaluate(tick)
    if (this.#nowMs() - beginMs > SLOW_MS) this.#slow.add(id)
    else this.#slow.delete(id)
    this.#evaluating.delete(id)
    this.#startWaiting()
  }
}
