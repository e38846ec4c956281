import type { Frame } from '../frame.ts'
import { NO_KEY } from '../keys/key-table.ts'

/** The right side's rows by the numbers of their keys. */
export class RightSide {
  readonly frame: Frame
  /** By row: the number of its key, `NO_KEY` where no left row can have it. */
  readonly numbers: Uint32Array
  readonly keyCount: number
  /** Rows of a key: `rows[starts[key], starts[key + 1])`, in their order. Both are empty where no key has several. */
  readonly starts: Uint32Array
  readonly rows: Uint32Array
  /**
   * By key, side by side because keys come in any order: the first of its rows, and how many more there are. Both are -1 where there is none:
   * as an unsigned number that is `NO_ROW`.
   */
  readonly heads: Int32Array
  /** By key: 1 when a left row has it; where rows without a left one are wanted. */
  readonly isMatched: Uint8Array | undefined
  #mostRows = 0

  /** `keepsAll`: rows that no left row goes with are asked for at last. */
  constructor(frame: Frame, numbers: Uint32Array, keyCount: number, keepsAll: boolean) {
    this.frame = frame
    this.numbers = numbers
    this.isMatched = keepsAll ? new Uint8Array(keyCount + 1) : undefined
    this.keyCount = keyCount
    // One more than there are keys, so that there is a first one.
    const heads = new Int32Array(2 * (keyCount + 1)).fill(-1)
    let keysWithRows = 0
    let most = -1
    let keyedRows = 0
    for (let row = 0; row < numbers.length; row++) {
      const key = numbers[row]
      if (key === NO_KEY) continue
      keyedRows++
      const more = ++heads[2 * key + 1]
      if (more === 0) {
        heads[2 * key] = row
        keysWithRows++
      }
      if (more > most) most = more
    }
    this.heads = heads
    this.#mostRows = most + 1
    const isOneEach = keysWithRows === keyedRows
    this.starts = new Uint32Array(isOneEach ? 0 : keyCount + 2)
    this.rows = new Uint32Array(isOneEach ? 0 : keyedRows)
    if (!isOneEach) this.#listRows()
  }

  #listRows(): void {
    const { starts, rows, heads } = this
    const numbers = this.numbers
    for (let key = 0; key < this.keyCount; key++) starts[key + 2] = starts[key + 1] + heads[2 * key + 1] + 1
    for (let row = 0; row < numbers.length; row++) {
      const key = numbers[row]
      if (key !== NO_KEY) rows[starts[key + 1]++] = row
    }
  }

  /** How many right rows one left row goes with at most. */
  mostRowsOfKey(isCross: boolean): number {
    return isCross ? this.frame.rowCount : this.#mostRows
  }

  /** How many pairs left rows with keys of these numbers are in; those without a partner are in none. */
  countPairs(numbers: Uint32Array): number {
    const { heads } = this
    let pairs = 0
    for (let i = 0; i < numbers.length; i++) if (numbers[i] !== NO_KEY) pairs += heads[2 * numbers[i] + 1] + 1
    return pairs
  }

  get memoryBytes(): number {
    const { starts, heads, rows, isMatched } = this
    return 4 * (starts.length + heads.length + rows.length + this.numbers.length) + (isMatched?.length ?? 0)
  }

  /** Rows that no left row had the keys of, in their order. */
  unmatched(): Uint32Array {
    const rows = new Uint32Array(this.numbers.length)
    let count = 0
    this.numbers.forEach((key, row) => {
      if (key === NO_KEY || this.isMatched?.[key] !== 1) rows[count++] = row
    })
    return rows.slice(0, count)
  }
}
