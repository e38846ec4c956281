import type { Interval } from '../../../base/index.ts'
import { epochStartNs, isEarlier, type EpochTime } from '../segment.ts'

function copyOf({ epoch, delta }: EpochTime): EpochTime {
  return { epoch, delta }
}

/** The first and the last of some times. */
export class TimeSpan {
  #first: EpochTime | undefined
  #last: EpochTime | undefined

  /** The time is copied: clocks are changed in place. */
  add(time: EpochTime): void {
    if (this.#first === undefined || isEarlier(time, this.#first)) this.#first = copyOf(time)
    if (this.#last === undefined || isEarlier(this.#last, time)) this.#last = copyOf(time)
  }

  addAll(times: readonly EpochTime[]): void {
    for (const time of times) this.add(time)
  }

  /** Both ends; none without times. */
  ends(): readonly EpochTime[] {
    return this.#first === undefined || this.#last === undefined ? [] : [this.#first, this.#last]
  }

  /** Both ends included; `undefined` without times. */
  toNs(): Interval | undefined {
    const [startNs, endNs] = this.ends().map(({ epoch, delta }) => epochStartNs(epoch) + BigInt(delta))
    return startNs === undefined || endNs === undefined ? undefined : { startNs, endNs }
  }
}
