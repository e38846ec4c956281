import type { SendClock } from '../../../src/alerting/notify/index.ts'

/** A clock that moves only by `advanceTo`. */
export class ManualClock implements SendClock {
  #nowMs = 0
  readonly #timers = new Set<{ readonly atMs: number; readonly run: () => void }>()

  nowMs(): number {
    return this.#nowMs
  }

  schedule(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Runs all timers due until `nowMs` in order of time. Pending promises run after each timer. */
  async advanceTo(nowMs: number): Promise<void> {
    for (;;) {
      const [next] = [...this.#timers].toSorted((a, b) => a.atMs - b.atMs)
      if (next === undefined || next.atMs > nowMs) break
      this.#timers.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
      await settled()
    }
    this.#nowMs = nowMs
  }
}

/** Resolves after all promises that are pending now have run. */
export function settled(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}
