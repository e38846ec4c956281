import type { TimesMet } from '../../plan/index.ts'
import { TimeSpan, type MemoryTable } from '../../store/index.ts'

/** The times of all rows of one reading, those that were left out for their time included. */
export class TimesOfRows {
  readonly #span = new TimeSpan()
  #isWhole = true

  /** Adds the rows that were read into a table, once all of them are. */
  addRowsOf({ view, writer }: MemoryTable): void {
    const { leftOutTimes, scanOptions } = writer.rows
    this.#span.addAll(view.times().ends())
    this.#span.addAll(leftOutTimes.ends())
    this.#isWhole &&= scanOptions.words === undefined || scanOptions.words.size === 0
  }

  met(): TimesMet | undefined {
    const ends = this.#span.toNs()
    return ends && { firstNs: ends.startNs, lastNs: ends.endNs, isWhole: this.#isWhole }
  }
}
