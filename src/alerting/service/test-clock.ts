import type { SendClock } from '../notify/index.ts'

interface Timer {
  readonly atMs: number
  readonly run: () => void
}

/**
 * A clock that moves only by hand, for tests over HTTP. It begins at 1970; timers run in order of their times when the
 * clock passes them.
 */
export class TestClock implements SendClock {
  readonly #timers = new Set<Timer>()
  #nowMs = 0

  nowMs(): number {
    return this.#nowMs
  }

  schedule(delayMs: number, run: () => void): () => void {
    // Whole milliseconds, as the clock of the system shows.
    const timer = { atMs: Math.ceil(this.#nowMs + Math.max(0, delayMs)), run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /**
   * Moves to a time and runs all timers up to it. `settle` is awaited after each, so that what it began has ended. The
   * first call jumps, without the years before it.
   */
  async moveTo(toMs: number, settle: () => Promise<void>): Promise<void> {
    if (this.#nowMs === 0) this.#nowMs = toMs
    for (let timer = this.#next(toMs); timer !== undefined; timer = this.#next(toMs)) {
      this.#timers.delete(timer)
      this.#nowMs = Math.max(this.#nowMs, timer.atMs)
      timer.run()
      await settle()
    }
    this.#nowMs = Math.max(this.#nowMs, toMs)
    await settle()
  }

  #next(untilMs: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers)
      if (timer.atMs <= untilMs && (next === undefined || timer.atMs < next.atMs)) next = timer
    return next
  }
}
