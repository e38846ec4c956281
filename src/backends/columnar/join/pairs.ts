import type { Frame } from '../frame.ts'
import type { NumberedFrame } from './counted-rows.ts'
import { NO_KEY, NO_ROW } from '../keys/key-table.ts'
import type { RightSide } from './right-side.ts'

export interface RowPairs {
  readonly left: Uint32Array
  readonly right: Uint32Array
}

/** The pairs of one frame of left rows, so many at a time. */
export interface PairsOfFrame {
  readonly frame: Frame
  readonly isDone: boolean
  /** `want` pairs at most; none once all are done. */
  next(want: number): RowPairs
}

/** Where pairs are put: each time in memory of its own, or in that which the next ones take. */
export class PairRoom {
  /** Whether whoever gets pairs has used them up before asking for more. */
  isPassing = false
  #left = new Uint32Array(0)
  #right = new Uint32Array(0)

  of(length: number): RowPairs {
    if (!this.isPassing) return { left: new Uint32Array(length), right: new Uint32Array(length) }
    if (this.#left.length < length) {
      this.#left = new Uint32Array(length)
      this.#right = new Uint32Array(length)
    }
    return { left: this.#left.subarray(0, length), right: this.#right.subarray(0, length) }
  }
}

/** The pairs of one frame of left rows, so many at a time: a key that many rows hold never fills memory. */
export class PairWalk implements PairsOfFrame {
  readonly frame: Frame
  readonly #right: RightSide
  /** `undefined`: every left row goes with every right row. */
  readonly #numbers: Uint32Array | undefined
  readonly #keepsLeft: boolean
  readonly #room: PairRoom
  #row = 0
  /** Right rows of the current left row that are done. */
  #done = 0

  constructor(
    { frame, numbers }: NumberedFrame,
    right: RightSide,
    { keepsLeft, room }: { readonly keepsLeft: boolean; readonly room: PairRoom },
  ) {
    this.frame = frame
    this.#numbers = numbers
    this.#right = right
    this.#keepsLeft = keepsLeft
    this.#room = room
  }

  get isDone(): boolean {
    return this.#row >= this.frame.rowCount
  }

  next(want: number): RowPairs {
    const numbers = this.#numbers
    // A left frame mostly gives a few pairs more than are wanted: those that are left need little room.
    const mostOfRow = Math.max(1, this.#right.mostRowsOfKey(numbers === undefined))
    const room = Math.min(want, (this.frame.rowCount - this.#row) * mostOfRow)
    const { left, right } = this.#room.of(room)
    let count: number
    if (numbers === undefined) count = this.#all(left, right)
    else if (this.#keepsLeft && this.#done === 0) count = this.#leftByKey(numbers, left, right)
    else count = this.#byKey(numbers, left, right)
    return { left: left.subarray(0, count), right: right.subarray(0, count) }
  }

  /** Fills both sides of pairs with equal keys as far as they go; gives their number. */
  #byKey(numbers: Uint32Array, left: Uint32Array, right: Uint32Array): number {
    const { starts, rows, heads, isMatched } = this.#right
    const { rowCount } = this.frame
    const keepsLeft = this.#keepsLeft
    const want = left.length
    let row = this.#row
    let done = this.#done
    let count = 0
    for (; row < rowCount && count < want; row++) {
      const key = numbers[row]
      const more = key === NO_KEY ? -1 : heads[2 * key + 1]
      if (more === -1) {
        if (keepsLeft) {
          left[count] = row
          right[count++] = NO_ROW
        }
        continue
      }
      if (done === 0) {
        if (isMatched !== undefined) isMatched[key] = 1
        left[count] = row
        right[count++] = heads[2 * key]
        done = 1
      }
      if (more > 0) {
        const first = starts[key]
        while (done <= more && count < want) {
          left[count] = row
          right[count++] = rows[first + done++]
        }
        if (done <= more) break
      }
      done = 0
    }
    this.#row = row
    this.#done = done
    return count
  }

  /** The same where every left row comes, with few branches: whether it has a partner is hard to foretell. */
  #leftByKey(numbers: Uint32Array, left: Uint32Array, right: Uint32Array): number {
    const { starts, rows, heads, isMatched } = this.#right
    const { rowCount } = this.frame
    const want = left.length
    let row = this.#row
    let count = 0
    while (row < rowCount && count < want) {
      // All ones for `NO_KEY`, which as a row is `NO_ROW`.
      const none = numbers[row] >> 31
      const key = numbers[row] & ~none
      left[count] = row
      right[count++] = heads[2 * key] | none
      if (isMatched !== undefined) isMatched[key] |= none + 1
      const more = heads[2 * key + 1] & ~none
      if (more > 0) {
        const first = starts[key]
        const some = Math.min(more, want - count)
        for (let i = 1; i <= some; i++) {
          left[count] = row
          right[count++] = rows[first + i]
        }
        if (some < more) {
          this.#done = some + 1
          break
        }
      }
      row++
    }
    this.#row = row
    return count
  }

  /** The same for pairs of all rows. */
  #all(left: Uint32Array, right: Uint32Array): number {
    const rightRows = this.#right.frame.rowCount
    let count = 0
    while (count < left.length && this.#row < this.frame.rowCount) {
      const some = Math.min(rightRows - this.#done, left.length - count)
      for (let i = 0; i < some; i++) {
        left[count] = this.#row
        right[count++] = this.#done++
      }
      if (this.#done < rightRows) break
      this.#row++
      this.#done = 0
    }
    return count
  }
}

/** Left rows apart by whether they have a partner, in their order; until the next ones are asked for. */
interface RowsByPartner {
  readonly without: Uint32Array
  readonly with: Uint32Array
  /** Of those with one: the number of its key. */
  readonly numbers: Uint32Array
}

/** Tells rows of left frames apart, one frame after the other, in memory that the next one takes: each in its own was a third of what a join had collected. */
export class Partners {
  readonly #right: RightSide
  #without = new Uint32Array(0)
  #with = new Uint32Array(0)
  #numbers = new Uint32Array(0)

  constructor(right: RightSide) {
    this.#right = right
  }

  /** By the keys of left rows. Whether a row has a partner is hard to foretell, so this does without branches. */
  of(given: Uint32Array): RowsByPartner {
    const keys = this.#right.hasAllKeys ? given : this.#right.withRows(given)
    const { length } = keys
    if (this.#with.length < length) {
      this.#without = new Uint32Array(length)
      this.#with = new Uint32Array(length)
      this.#numbers = new Uint32Array(length)
    }
    const without = this.#without
    const rows = this.#with
    const numbers = this.#numbers
    let count = 0
    for (let row = 0; row < length; row++) {
      const key = keys[row]
      without[row - count] = row
      rows[count] = row
      numbers[count] = key
      count += 1 + (key >> 31)
    }
    return {
      without: without.subarray(0, length - count),
      with: rows.subarray(0, count),
      numbers: numbers.subarray(0, count),
    }
  }
}
