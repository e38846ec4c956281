import type { Tick } from '../evaluator.ts'

/** Evaluation rounds that run at the same time for one backend: others wait, so that queries of users find free workers. */
const MAX_ROUNDS = 4

/** Slow rounds among them, so that these leave room for others. */
const MAX_SLOW_ROUNDS = 2

/** A round is slow if the latest one over its source took longer than this time, in milliseconds. */
const SLOW_MS = 1000

/** Evaluations of several monitors at one time that share the answers of their queries. */
export interface EvaluationRound {
  /** Names the source and the rights with which it is read. */
  readonly key: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly ticks: readonly Tick[]
}

/** Returns the rounds of due evaluations: those with one key and one time are together. */
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
 * Evaluation rounds that are due. Each key has one at most in flight, and one that waits: a later one replaces it. Those
 * that wait longest begin first.
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

  /** Number of monitors whose evaluation waits. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, { ticks }) => sum + ticks.length, 0)
  }

  add(rounds: Iterable<EvaluationRound>): void {
    for (const round of rounds) this.#waiting.set(round.key, round)
    this.#startWaiting()
  }

  /** Forgets keys of monitors that are gone. `keysNow` is called only if there is something to forget. */
  keepOnly(keysNow: () => ReadonlySet<string>): void {
    if (this.#slow.size === 0) return
    const keys = keysNow()
    for (const key of this.#slow) if (!keys.has(key)) this.#slow.delete(key)
  }

  /** Begins none of those that wait. */
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

  /** Evaluates one round, then begins rounds that waited for it. */
  async #run(round: EvaluationRound): Promise<void> {
    const beginMs = this.#nowMs()
    await this.#evaluate(round)
    if (this.#nowMs() - beginMs > SLOW_MS) this.#slow.add(round.key)
    else this.#slow.delete(round.key)
    this.#evaluating.delete(round.key)
    this.#startWaiting()
  }
}
