import type { TimesMet } from '../../plan/index.ts'
import { TimeSpan, type RowBuilder, type Segment } from '../../store/index.ts'

/** The time span of all rows of one reading, including rows that were left out because of their time. */
export class TimesOfRows {
  readonly #span = new TimeSpan()
  #isWhole = true

  /** Adds the rows that were read and those that `rows` has left out. */
  add(segments: readonly Segment[], { leftOutTimes, scanOptions }: RowBuilder): void {
    for (const { epoch, firstDelta, lastDelta } of segments) {
      this.#span.add({ epoch, delta: firstDelta })
      this.#span.add({ epoch, delta: lastDelta })
    }
    this.#span.addAll(leftOutTimes.ends())
    this.#isWhole &&= scanOptions.words === undefined || scanOptions.words.size === 0
  }

  met(): TimesMet | undefined {
    const ends = this.#span.toNs()
    return ends && { firstNs: ends.startNs, lastNs: ends.endNs, isWhole: this.#isWhole }
  }
}
