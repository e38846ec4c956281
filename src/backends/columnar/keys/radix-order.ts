import { ITEMS_PER_CHECKPOINT, work, checkpoint } from '../../../base/index.ts'
import type { SortWords } from './sort-words.ts'

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
/** Returns row numbers sorted by several keys, most significant first. Rows with equal words keep their order. */
export function radixOrder(rowCount: number, keys: readonly SortWords[]): Uint32Array {
  let order = new Uint32Array(rowCount)
  for (let row = 0; row < rowCount; row++) order[row] = row
  if (isInOrder(order, keys)) return order
  // Sorts by the least significant key first. Each sort is stable, so the first key decides in the end.
  for (const key of keys.toReversed()) {
    checkpoint()
    order = orderByKey(order, key)
  }
  return order
}

/** True if the row numbers in `order` are already sorted by these keys. */
function isInOrder(order: Uint32Array, keys: readonly SortWords[]): boolean {
  for (let i = 1; i < order.length; i++) {
    if (i % ITEMS_PER_CHECKPOINT === 0) work((ITEMS_PER_CHECKPOINT >>> 5) * keys.length)
    if (compareRows(order[i - 1], order[i], keys) > 0) return false
  }
  return true
}

function compareRows(a: number, b: number, keys: readonly SortWords[]): number {
  for (const { high, low } of keys) {
    if (high !== undefined && high[a] !== high[b]) return high[a] - high[b]
    if (low[a] !== low[b]) return low[a] - low[b]
  }
  return 0
}

function orderByKey(order: Uint32Array<ArrayBuffer>, { high, low }: SortWords): Uint32Array<ArrayBuffer> {
  const byLow = orderByWord(order, low)
  return high === undefined ? byLow : orderByWord(byLow, high)
}

/**
 * Returns row numbers sorted by one 32-bit word for each row. Radix sort in three passes over 11, 11 and 10 bits; a
 * pass is skipped if all rows have the same digit.
 */
function orderByWord(order: Uint32Array<ArrayBuffer>, words: Uint32Array): Uint32Array<ArrayBuffer> {
  const { length } = order
  let keys = new Uint32Array(length)
  const counts = new Uint32Array(3 * DIGITS)
  for (let i = 0; i < length; i++) {
    if (i % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 4)
    const key = words[order[i]]
    keys[i] = key
    counts[key & (DIGITS - 1)]++
    counts[DIGITS + ((key >>> DIGIT_BITS) & (DIGITS - 1))]++
    counts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]++
  }
  let rows = order
  let otherKeys: Uint32Array<ArrayBuffer> | undefined
  let otherRows = new Uint32Array(0)
  for (let pass = 0; pass < 3; pass++) {
    const offsets = counts.subarray(pass * DIGITS, (pass + 1) * DIGITS)
    const shift = pass * DIGIT_BITS
    if (length === 0 || offsets[(keys[0] >>> shift) & (DIGITS - 1)] === length) continue
    if (otherKeys === undefined) {
      otherKeys = new Uint32Array(length)
      otherRows = new Uint32Array(length)
    }
    let at = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = offsets[digit]
      offsets[digit] = at
      at += count
    }
    for (let i = 0; i < length; i++) {
      if (i % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 4)
      const key = keys[i]
      const offset = offsets[(key >>> shift) & (DIGITS - 1)]++
      otherKeys[offset] = key
      otherRows[offset] = rows[i]
    }
    const keysBefore = keys
    const rowsBefore = rows
    keys = otherKeys
    rows = otherRows
    otherKeys = keysBefore
    // `order` belongs to the caller and must not be changed.
    otherRows = rowsBefore === order ? new Uint32Array(length) : rowsBefore
  }
  return rows
}
