import { work, checkpoint } from '../../../base/index.ts'
import type { SortLane } from './sort-lane.ts'

const DIGITS = 2048
const DIGIT_BITS = 11
/** Rows between two looks at the clock: a pass takes some nanoseconds a row. */
const BLOCK_ROWS = 65_536
/** The same where each row is compared by all lanes. */
const ROWS_PER_LOOK = 256

/** Row numbers in the order of the lanes, the first lane before the others; equal rows stay in their order. */
export function radixOrder(rowCount: number, lanes: readonly SortLane[]): Uint32Array {
  let order = new Uint32Array(rowCount)
  for (let row = 0; row < rowCount; row++) order[row] = row
  if (isInOrder(order, lanes)) return order
  // From the last lane to the first, each keeping the order before where it finds rows equal.
  for (const lane of lanes.toReversed()) {
    checkpoint()
    order = orderByLane(order, lane)
  }
  return order
}

/** Whether no row stands before a lesser one. */
function isInOrder(order: Uint32Array, lanes: readonly SortLane[]): boolean {
  for (let i = 1; i < order.length; i++) {
    if (i % ROWS_PER_LOOK === 0) work((ROWS_PER_LOOK >>> 5) * lanes.length)
    if (compareRows(order[i - 1], order[i], lanes) > 0) return false
  }
  return true
}

function compareRows(a: number, b: number, lanes: readonly SortLane[]): number {
  for (const { high, low } of lanes) {
    if (high !== undefined && high[a] !== high[b]) return high[a] - high[b]
    if (low[a] !== low[b]) return low[a] - low[b]
  }
  return 0
}

function orderByLane(order: Uint32Array<ArrayBuffer>, lane: SortLane): Uint32Array<ArrayBuffer> {
  if (isTurned(order, lane)) return turned(order, lane)
  const byLow = orderByWord(order, lane.low)
  return lane.high === undefined ? byLow : orderByWord(byLow, lane.high)
}

/** Whether no row stands before a greater one: newest first, against an order by the time. */
function isTurned(order: Uint32Array, { high, low }: SortLane): boolean {
  for (let i = 1; i < order.length; i++) {
    const a = order[i - 1]
    const b = order[i]
    if (high !== undefined && high[a] !== high[b]) {
      if (high[a] < high[b]) return false
    } else if (low[a] < low[b]) return false
  }
  return true
}

/** The rows from the last to the first, but equal ones as they were. */
function turned(order: Uint32Array, { high, low }: SortLane): Uint32Array<ArrayBuffer> {
  const rows = order.toReversed()
  const areEqual = (a: number, b: number): boolean => low[a] === low[b] && (high === undefined || high[a] === high[b])
  for (let from = 0; from < rows.length;) {
    let to = from + 1
    while (to < rows.length && areEqual(rows[from], rows[to])) to++
    if (to - from > 1) rows.subarray(from, to).reverse()
    from = to
  }
  return rows
}

/** Three passes over eleven, eleven and ten bits; a pass over digits that are all the same is left out. */
function orderByWord(order: Uint32Array<ArrayBuffer>, words: Uint32Array): Uint32Array<ArrayBuffer> {
  const { length } = order
  let keys = new Uint32Array(length)
  const counts = new Uint32Array(3 * DIGITS)
  for (let i = 0; i < length; i++) {
    if (i % BLOCK_ROWS === 0) work(BLOCK_ROWS >>> 4)
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
    const places = counts.subarray(pass * DIGITS, (pass + 1) * DIGITS)
    const shift = pass * DIGIT_BITS
    if (length === 0 || places[(keys[0] >>> shift) & (DIGITS - 1)] === length) continue
    if (otherKeys === undefined) {
      otherKeys = new Uint32Array(length)
      otherRows = new Uint32Array(length)
    }
    let at = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = places[digit]
      places[digit] = at
      at += count
    }
    for (let i = 0; i < length; i++) {
      if (i % BLOCK_ROWS === 0) work(BLOCK_ROWS >>> 4)
      const key = keys[i]
      const place = places[(key >>> shift) & (DIGITS - 1)]++
      otherKeys[place] = key
      otherRows[place] = rows[i]
    }
    const keysBefore = keys
    const rowsBefore = rows
    keys = otherKeys
    rows = otherRows
    otherKeys = keysBefore
    // The order given stays as it is.
    otherRows = rowsBefore === order ? new Uint32Array(length) : rowsBefore
  }
  return rows
}
