import type { Interval } from '../../../base/index.ts'
import { epochStartNs, isEarlier, type EpochTime } from '../segment.ts'

function copyOf({ epoch, delta }: EpochTime): EpochTime {
  return { epoch, delta }
}

/** The first and the last of the times that were added. */
export class TimeSpan {
  #first: EpochTime | undefined
  #last: EpochTime | undefined

  /** Adds a time. The object is copied, since callers reuse it. */
  add(time: EpochTime): void {
    if (this.#first === undefined || isEarlier(time, this.#first)) this.#first = copyOf(time)
    if (this.#last === undefined || isEarlier(this.#last, time)) this.#last = copyOf(time)
  }

  addAll(times: readonly EpochTime[]): void {
    for (const time of times) this.add(time)
  }

  /** Returns the first and the last time; an empty list if there are no times. */
  ends(): readonly EpochTime[] {
    return this.#first === undefined || this.#last === undefined ? [] : [this.#first, this.#last]
  }

  /** Returns the interval from the first to the last time, both included; `undefined` if there are no times. */
  toNs(): Interval | undefined {
    const [startNs, endNs] = this.ends().map(({ epoch, delta }) => epochStartNs(epoch) + BigInt(delta))
    return startNs === undefined || endNs === undefined ? undefined : { startNs, endNs }
  }
}
