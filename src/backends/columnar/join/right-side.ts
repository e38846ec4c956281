import type { Frame } from '../frame.ts'
import { NO_KEY } from '../keys/key-table.ts'

/** The right rows of a join, grouped by the numbers of their keys. */
export class RightSide {
  readonly frame: Frame
  /** The key number of each row; `NO_KEY` when no left row can have its key. */
  readonly numbers: Uint32Array
  readonly keyCount: number
  /**
   * The start of each key's rows: key `k` has `rows[starts[k], starts[k + 1])`, ascending. `starts` and `rows` are
   * empty if no key has more than one row.
   */
  readonly starts: Uint32Array
  readonly rows: Uint32Array
  /**
   * Two entries for each key: its first row, and how many more rows it has. Both are -1 (`NO_ROW` as an unsigned
   * number) for a key without rows. The two are adjacent because keys are accessed in random order.
   */
  readonly heads: Int32Array
  /** An array with 1 for each key that a left row has. Present if right rows without a match are part of the result. */
  readonly isMatched: Uint8Array | undefined
  #mostRows = 0

  /** `keepsAll`: right rows without a left row will be requested at the end. */
  constructor(frame: Frame, numbers: Uint32Array, keyCount: number, keepsAll: boolean) {
    this.frame = frame
    this.numbers = numbers
    this.isMatched = keepsAll ? new Uint8Array(keyCount + 1) : undefined
    this.keyCount = keyCount
    // One entry more than there are keys, so that the array is never empty.
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

  /** Returns the maximum number of right rows with which one left row can be paired. */
  mostRowsOfKey(isCross: boolean): number {
    return isCross ? this.frame.rowCount : this.#mostRows
  }

  /** Returns the number of pairs that left rows with these key numbers make. A left row without a match makes none. */
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

  /** Returns the right rows without a matching left row, ascending. */
  unmatched(): Uint32Array {
    const rows = new Uint32Array(this.numbers.length)
    let count = 0
    this.numbers.forEach((key, row) => {
      if (key === NO_KEY || this.isMatched?.[key] !== 1) rows[count++] = row
    })
    return rows.slice(0, count)
  }
}
