import { present, type Budget } from '../../base/index.ts'
import { Charge } from './charge.ts'
import type { Frame } from './frame.ts'
import { again, type Operator } from './operator.ts'

/** A reader behind the first one holds up to so much of what a query may take; then it computes its rows itself. */
const HELD_SHARE = 1 / 8

interface Reader {
  /** The frame it reads next, counted from the first there was, and the row in it. */
  frame: number
  row: number
  /** Rows it has had. */
  rows: number
  /** Its own rows, from the beginning, once it has fallen behind too far; the first `toSkip` it has had. */
  own: Operator | undefined
  toSkip: number
}

/**
 * The rows of one part of a plan for several readers: computed when the first of them asks, kept until the last one has
 * had them. Rows that would take too much memory to keep are computed again for those who are behind.
 */
export class SharedRows {
  readonly #source: Operator
  readonly #makeAgain: () => Operator
  readonly #charge: Charge
  readonly #mostBytes: number
  /** Frames that some reader still waits for; the first of them is number `#first`. */
  readonly #frames: { readonly frame: Frame; readonly bytes: number }[] = []
  #first = 0
  #heldBytes = 0
  #isEnded = false
  readonly #readers: Reader[]
  #given = 0

  /** `makeAgain` gives the same rows from the beginning. */
  constructor(source: Operator, makeAgain: () => Operator, readers: number, budget: Budget) {
    this.#source = source
    this.#makeAgain = makeAgain
    this.#charge = new Charge(budget)
    this.#mostBytes = budget.limits.memoryBytes * HELD_SHARE
    this.#readers = Array.from({ length: readers }, () => ({ frame: 0, row: 0, rows: 0, own: undefined, toSkip: 0 }))
  }

  /** The rows for the next reader; to be called once for each. */
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

  /** Lets go of frames that all readers have had. */
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
