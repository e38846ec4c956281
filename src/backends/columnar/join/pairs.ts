import type { Frame } from '../frame.ts'
import type { NumberedFrame } from './counted-rows.ts'
import { NO_KEY, NO_ROW } from '../keys/key-table.ts'
import type { RightSide } from './right-side.ts'

export interface RowPairs {
  readonly left: Uint32Array
  readonly right: Uint32Array
}

/**
 * Generates the join pairs of one left frame, a limited number at a time, so that a key with many rows never fills the
 * memory.
 */
export class PairWalk {
  readonly frame: Frame
  readonly #right: RightSide
  /** The key number of each left row; `undefined` when every left row is paired with every right row. */
  readonly #numbers: Uint32Array | undefined
  readonly #keepsLeft: boolean
  #row = 0
  /** The number of right rows that were already paired with the current left row. */
  #done = 0

  constructor({ frame, numbers }: NumberedFrame, right: RightSide, keepsLeft: boolean) {
    this.frame = frame
    this.#numbers = numbers
    this.#right = right
    this.#keepsLeft = keepsLeft
  }

  get isDone(): boolean {
    return this.#row >= this.frame.rowCount
  }

  /** Returns the next pairs, at most `want`; an empty list at the end. */
  next(want: number): RowPairs {
    const numbers = this.#numbers
    // Sizes the arrays by the most pairs that the remaining rows can make, which is often less than `want`.
    const mostOfRow = Math.max(1, this.#right.mostRowsOfKey(numbers === undefined))
    const room = Math.min(want, (this.frame.rowCount - this.#row) * mostOfRow)
    const left = new Uint32Array(room)
    const right = new Uint32Array(room)
    const count = numbers === undefined ? this.#all(left, right) : this.#byKey(numbers, left, right)
    return { left: left.subarray(0, count), right: right.subarray(0, count) }
  }

  /** Writes pairs with equal keys until the arrays are full or the frame ends; returns the number of pairs. */
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

  /**
   * Writes pairs of every left row with every right row until the arrays are full or the frame ends; returns the number
   * of pairs.
   */
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
