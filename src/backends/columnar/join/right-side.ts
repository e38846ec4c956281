import type { Frame } from '../frame.ts'
import { NO_KEY, NO_ROW } from '../keys/key-table.ts'

/** The right side's rows by the numbers of their keys: `rows[starts[key], starts[key + 1])`, in their order. */
export class RightSide {
  readonly frame: Frame
  readonly starts: Uint32Array
  readonly rows: Uint32Array
  /** The first of them by key, `NO_ROW` where there is none. */
  readonly firstRows: Uint32Array
  /** By key: 1 when a left row has it. */
  readonly isMatched: Uint8Array
  readonly #numbers: Uint32Array
  #mostRows = 0

  constructor(frame: Frame, numbers: Uint32Array, keyCount: number) {
    this.frame = frame
    this.#numbers = numbers
    // One more than there are keys, so that there is a first one.
    this.isMatched = new Uint8Array(keyCount + 1)
    const starts = new Uint32Array(keyCount + 2)
    for (const key of numbers) if (key !== NO_KEY) starts[key + 2]++
    for (let key = 2; key < starts.length; key++) starts[key] += starts[key - 1]
    this.rows = new Uint32Array(starts[keyCount + 1])
    for (let row = 0; row < numbers.length; row++) {
      const key = numbers[row]
      if (key !== NO_KEY) this.rows[starts[key + 1]++] = row
    }
    this.starts = starts
    this.firstRows = new Uint32Array(keyCount + 1).fill(NO_ROW)
    for (let key = 0; key < keyCount; key++) {
      const count = starts[key + 1] - starts[key]
      if (count > 0) this.firstRows[key] = this.rows[starts[key]]
      if (count > this.#mostRows) this.#mostRows = count
    }
  }

  /** How many right rows one left row goes with at most. */
  mostRowsOfKey(isCross: boolean): number {
    return isCross ? this.frame.rowCount : this.#mostRows
  }

  /** How many pairs left rows with keys of these numbers are in; those without a partner are in none. */
  countPairs(numbers: Uint32Array): number {
    const { starts } = this
    let pairs = 0
    for (const key of numbers) if (key !== NO_KEY) pairs += starts[key + 1] - starts[key]
    return pairs
  }

  get memoryBytes(): number {
    return (
      4 * (this.starts.length + this.firstRows.length + this.rows.length + this.#numbers.length) + this.isMatched.length
    )
  }

  /** Rows that no left row had the keys of, in their order. */
  unmatched(): Uint32Array {
    const rows = new Uint32Array(this.#numbers.length)
    let count = 0
    this.#numbers.forEach((key, row) => {
      if (key === NO_KEY || this.isMatched[key] === 0) rows[count++] = row
    })
    return rows.slice(0, count)
  }
}
