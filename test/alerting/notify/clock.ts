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

  /** Runs the timers that are due, in order, each followed by pending promises. */
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

/** Lets pending promises run. */
export function settled(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}
