import type { Frame } from '../frame.ts'
import { NO_KEY } from './key-table.ts'
import type { RightSide } from './right-side.ts'

/** Where a left row has no right row, or the other way round. */
export const NO_ROW = 0xffffffff

export interface RowPairs {
  readonly left: Uint32Array
  readonly right: Uint32Array
}

/** The pairs of one frame of left rows, so many at a time: a key that many rows hold never fills memory. */
export class PairWalk {
  readonly frame: Frame
  readonly #right: RightSide
  /** `undefined`: every left row goes with every right row. */
  readonly #numbers: Uint32Array | undefined
  readonly #keepsLeft: boolean
  #row = 0
  /** Right rows of the current left row that are done. */
  #done = 0

  constructor(frame: Frame, numbers: Uint32Array | undefined, right: RightSide, keepsLeft: boolean) {
    this.frame = frame
    this.#numbers = numbers
    this.#right = right
    this.#keepsLeft = keepsLeft
  }

  get isDone(): boolean {
    return this.#row >= this.frame.rowCount
  }

  next(want: number): RowPairs {
    const left = new Uint32Array(want)
    const right = new Uint32Array(want)
    let count = 0
    const numbers = this.#numbers
    const { starts, rows } = this.#right
    const everyRow = numbers === undefined ? this.#right.frame.rowCount : 0
    while (count < want && this.#row < this.frame.rowCount) {
      const key = numbers === undefined ? 0 : numbers[this.#row]
      let from = 0
      let to = everyRow
      if (numbers !== undefined) {
        from = key === NO_KEY ? 0 : starts[key]
        to = key === NO_KEY ? 0 : starts[key + 1]
        if (from === to && this.#keepsLeft) {
          left[count] = this.#row
          right[count++] = NO_ROW
        }
        if (from < to && this.#done === 0) this.#right.match(key)
      }
      const some = Math.min(to - from - this.#done, want - count)
      const at = from + this.#done
      for (let i = 0; i < some; i++) {
        left[count] = this.#row
        right[count++] = numbers === undefined ? at + i : rows[at + i]
      }
      this.#done += some
      if (this.#done === to - from) {
        this.#row++
        this.#done = 0
      }
    }
    return { left: left.subarray(0, count), right: right.subarray(0, count) }
  }
}
