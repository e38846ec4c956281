import { present, type Budget } from '../../base/index.ts'
import { MemoryReservation } from './memory-reservation.ts'
import type { Frame } from './frame.ts'
import { again, type Operator } from './operator.ts'

/**
 * Fraction of the query's memory for rows that are held for slow readers. Beyond this fraction, slow readers recompute
 * the rows.
 */
const HELD_SHARE = 1 / 8

interface Reader {
  /**
   * The reader's next row: `frame` is the number of its frame, counted from the source's first frame, and `row` the
   * index in that frame.
   */
  frame: number
  row: number
  /** The number of rows that the reader has received. */
  rows: number
  /**
   * The operator with which the reader recomputes all rows after it has fallen too far behind. The first `toSkip` rows
   * are skipped.
   */
  own: Operator | undefined
  toSkip: number
}

/**
 * The rows of one subplan for several readers. Rows are computed when the first reader requests them and held until the
 * last one has read them. If the held rows take too much memory, slow readers recompute them.
 */
export class SharedRows {
  readonly #source: Operator
  readonly #makeAgain: () => Operator
  readonly #charge: MemoryReservation
  readonly #mostBytes: number
  /** The frames that some reader still needs. `#first` is the number of the oldest held frame. */
  readonly #frames: { readonly frame: Frame; readonly bytes: number }[] = []
  #first = 0
  #heldBytes = 0
  #isEnded = false
  readonly #readers: Reader[]
  #given = 0

  /** `makeAgain` makes an operator that returns the same rows from the beginning. */
  constructor(source: Operator, makeAgain: () => Operator, readers: number, budget: Budget) {
    this.#source = source
    this.#makeAgain = makeAgain
    this.#charge = new MemoryReservation(budget)
    this.#mostBytes = budget.limits.memoryBytes * HELD_SHARE
    this.#readers = Array.from({ length: readers }, () => ({ frame: 0, row: 0, rows: 0, own: undefined, toSkip: 0 }))
  }

  /** Returns the operator for the next reader; must be called once for each reader. */
  reader(): Operator {
    const reader = present(this.#readers[this.#given++], 'a reader')
    return { pull: (want) => (reader.own === undefined ? this.#pull(reader, want) : ownRows(reader, reader.own, want)) }
  }

  #pull(reader: Reader, want: number): Frame | typeof again | undefined {
    if (reader.frame === this.#first + this.#frames.length) {
      if (this.#isEnded) return undefined
      const frame = this.#source.pull(want)
      if (frame === again) return again
      if (frame === undefined) {
        this.#isEnded = true
        return undefined
      }
      this.#keep(frame, reader)
    }
    const { frame } = present(this.#frames[reader.frame - this.#first], 'a frame held')
    const from = reader.row
    const to = Math.min(frame.rowCount, from + want)
    reader.rows += to - from
    reader.row = to
    if (to === frame.rowCount) {
      reader.frame++
      reader.row = 0
      this.#release()
    }
    return frame.slice(from, to)
  }

  #keep(frame: Frame, by: Reader): void {
    const bytes = frame.memoryBytes
    const isTooMuch = this.#heldBytes + bytes > this.#mostBytes
    this.#frames.push({ frame, bytes })
    if (isTooMuch) this.#leaveBehind(by)
    this.#heldBytes += bytes
    this.#charge.set(this.#heldBytes)
  }

  #leaveBehind(by: Reader): void {
    for (const reader of this.#readers) {
      if (reader === by || reader.own !== undefined) continue
      reader.own = this.#makeAgain()
      reader.toSkip = reader.rows
    }
    this.#release()
  }

  /** Removes frames that all readers have read. */
  #release(): void {
    const next = this.#readers.reduce(
      (least, each) => (each.own === undefined ? Math.min(least, each.frame) : least),
      Infinity,
    )
    while (this.#first < next && this.#frames.length > 0) {
      this.#heldBytes -= this.#frames.shift()?.bytes ?? 0
      this.#first++
    }
    this.#charge.set(this.#heldBytes)
  }
}

function ownRows(reader: Reader, own: Operator, want: number): Frame | typeof again | undefined {
  const frame = own.pull(want)
  if (frame === undefined || frame === again || reader.toSkip === 0) return frame
  const skipped = Math.min(reader.toSkip, frame.rowCount)
  reader.toSkip -= skipped
  return skipped === frame.rowCount ? again : frame.slice(skipped, frame.rowCount)
}
