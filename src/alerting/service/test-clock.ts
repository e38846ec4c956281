import { SluiceError, defineDiagnostics, formatRfc3339, nowhere } from '../../base/index.ts'
import type { SendClock } from '../notify/index.ts'

/**
 * Maximum move of the clock, ms. A monitor with an interval of 1 s needs about a millisecond of processor time for each
 * second of the move.
 */
const MAX_MOVE_MS = 43_200_000

export const testClockDiagnostic = defineDiagnostics('test-clock', {
  'bad-move': (d: { now: string }) => ({
    message: `The test clock is at ${d.now}: it moves forward, and at most 12 hours at a time.`,
    why: 'Move it in several steps.',
  }),
})

interface Timer {
  readonly atMs: number
  readonly run: () => void
}

/**
 * A clock that only moves on request, for tests over HTTP. It starts at 1970. Timers run in time order when the clock
 * passes them.
 */
export class TestClock implements SendClock {
  readonly #timers = new Set<Timer>()
  #nowMs = 0
  #moved: Promise<unknown> = Promise.resolve()

  nowMs(): number {
    return this.#nowMs
  }

  schedule(delayMs: number, run: () => void): () => void {
    // Rounded up to whole milliseconds, as the system clock shows them.
    const timer = { atMs: Math.ceil(this.#nowMs + Math.max(0, delayMs)), run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /**
   * Moves to a time and runs all timers up to it, awaiting `settle` after each. The first call jumps without running
   * through the years before. Concurrent moves run one after another. Rejects with SluiceError `test-clock/bad-move`
   * for a time in the past or too far away.
   */
  moveTo(toMs: number, settle: () => Promise<void>): Promise<void> {
    if (this.#nowMs === 0 && toMs > 0) this.#nowMs = toMs
    const move = this.#moved.then(() => this.#move(toMs, settle))
    this.#moved = move.catch(() => undefined)
    return move
  }

  async #move(toMs: number, settle: () => Promise<void>): Promise<void> {
    if (toMs < this.#nowMs || toMs - this.#nowMs > MAX_MOVE_MS) {
      const now = formatRfc3339(BigInt(this.#nowMs) * 1_000_000n)
      throw new SluiceError([testClockDiagnostic('bad-move', { now }, nowhere)])
    }
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
