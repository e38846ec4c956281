import type { Tick } from '../evaluator.ts'

/** Maximum number of concurrent evaluation rounds of a backend, so that user queries find free workers. */
const MAX_ROUNDS = 4

/** Maximum number of slow rounds among the concurrent ones, so that other rounds are not blocked. */
const MAX_SLOW_ROUNDS = 2

/** A round is slow if the previous round with the same key took longer than this, ms. */
const SLOW_MS = 1000

/** Evaluations of several monitors at the same time that share query answers. */
export interface EvaluationRound {
  /** Key of the queries and of the permissions with which they run. */
  readonly key: string
  /** Scheduled time of the evaluations, Unix ms. */
  readonly atMs: number
  readonly ticks: readonly Tick[]
}

/** Groups due evaluations into rounds by key and time. */
export function roundsOf(ticks: Iterable<Tick>, keyOf: (tick: Tick) => string): readonly EvaluationRound[] {
  const rounds = new Map<string, { key: string; atMs: number; ticks: Tick[] }>()
  for (const tick of ticks) {
    const key = keyOf(tick)
    const id = `${tick.atMs} ${key}`
    const round = rounds.get(id)
    if (round === undefined) rounds.set(id, { key, atMs: tick.atMs, ticks: [tick] })
    else round.ticks.push(tick)
  }
  return [...rounds.values()]
}

/**
 * Queue of due evaluation rounds. A key has at most one round in flight and one waiting; a later round replaces the
 * waiting one. Rounds begin in the order of waiting time.
 */
export class EvaluationQueue {
  readonly #nowMs: () => number
  readonly #evaluate: (round: EvaluationRound) => Promise<void>
  readonly #waiting = new Map<string, EvaluationRound>()
  readonly #evaluating = new Set<string>()
  readonly #slow = new Set<string>()

  /** `evaluate` must not reject. */
  constructor(nowMs: () => number, evaluate: (round: EvaluationRound) => Promise<void>) {
    this.#nowMs = nowMs
    this.#evaluate = evaluate
  }

  /** Returns the number of monitors whose evaluation is waiting. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, { ticks }) => sum + ticks.length, 0)
  }

  add(rounds: Iterable<EvaluationRound>): void {
    for (const round of rounds) this.#waiting.set(round.key, round)
    this.#startWaiting()
  }

  /**
   * Forgets the slow keys of deleted monitors. `keysNow` returns the current keys; it is called only if a key is slow.
   */
  keepOnly(keysNow: () => ReadonlySet<string>): void {
    if (this.#slow.size === 0) return
    const keys = keysNow()
    for (const key of this.#slow) if (!keys.has(key)) this.#slow.delete(key)
  }

  /** Removes all waiting rounds. */
  clear(): void {
    this.#waiting.clear()
  }

  #startWaiting(): void {
    let slowCount = [...this.#evaluating].filter((key) => this.#slow.has(key)).length
    for (const [key, round] of this.#waiting) {
      if (this.#evaluating.size >= MAX_ROUNDS) break
      const isSlow = this.#slow.has(key)
      if (this.#evaluating.has(key) || (isSlow && slowCount >= MAX_SLOW_ROUNDS)) continue
      if (isSlow) slowCount++
      this.#waiting.delete(key)
      this.#evaluating.add(key)
      void this.#run(round)
    }
  }

  /** Evaluates a round, then starts rounds that were waiting for it. */
  async #run(round: EvaluationRound): Promise<void> {
    const beginMs = this.#nowMs()
    await this.#evaluate(round)
    if (this.#nowMs() - beginMs > SLOW_MS) this.#slow.add(round.key)
    else this.#slow.delete(round.key)
    this.#evaluating.delete(round.key)
    this.#startWaiting()
  }
}
