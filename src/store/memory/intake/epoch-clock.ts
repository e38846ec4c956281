import { epochNs, epochStartNs, epochTimeOf } from '../segment.ts'

/**
 * Converts seconds and nanoseconds to an epoch and an offset in it. Big integers, which are slow, are used only for a
 * new epoch.
 */
export class EpochClock {
  #epoch = NaN
  #startSeconds = 0
  #startNanos = 0
  epoch = 0
  delta = 0

  set(seconds: number, nanos: number): void {
    let delta = (seconds - this.#startSeconds) * 1e9 + (nanos - this.#startNanos)
    if (!(delta >= 0 && delta < epochNs) || Number.isNaN(this.#epoch)) {
      const ns = BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
      const time = epochTimeOf(ns)
      this.#epoch = time.epoch
      const start = epochStartNs(this.#epoch)
      this.#startSeconds = Number(start / 1_000_000_000n)
      this.#startNanos = Number(start % 1_000_000_000n)
      delta = time.delta
    }
    this.epoch = this.#epoch
    this.delta = delta
  }
}
