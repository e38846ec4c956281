import { firstNotBefore } from '../../../base/index.ts'
import type { Bitmap, Codes } from '../../../data/index.ts'
import { radixPass } from '../radix-pass.ts'
import { sharedUint16, sharedUint32 } from '../shared.ts'

/**
 * The rows of a segment by code. If codes are few, each code in more than 1/16 of the rows has a bitmap, and each other
 * code a list. If codes are many, `rows` has all rows in the order of their codes, and a binary search finds a code.
 */
export interface CodeOrder {
  /** The rows of codes without bitmap, ordered by code, then by row. */
  readonly rows: Uint16Array
  /** The start of each code's rows in `rows`, and the end of the last; `undefined` if codes are many. */
  readonly starts: Uint32Array | undefined
  /** The bitmaps of frequent codes, one after another. */
  readonly bitmaps: Uint32Array
  /** For each code, the number of its bitmap plus one; 0 if the code has no bitmap. */
  readonly bitmapNumbers: Uint16Array
}

/** Returns the order. `counts` is the number of rows by code; `undefined` if codes are many. */
export function codeOrder(codes: Codes, counts: Uint32Array | undefined): CodeOrder {
  return counts === undefined ? sortedOrder(codes) : countedOrder(codes, counts)
}

function sortedOrder(codes: Codes): CodeOrder {
  return { rows: sortedByCode(codes), starts: undefined, bitmaps: sharedUint32(0), bitmapNumbers: sharedUint16(0) }
}

function countedOrder(codes: Codes, counts: Uint32Array): CodeOrder {
  const words = (codes.length + 31) >>> 5
  const bitmapNumbers = sharedUint16(counts.length)
  const starts = sharedUint32(counts.length + 1)
  let bitmapCount = 0
  for (let code = 0; code < counts.length; code++) {
    const isFrequent = counts[code] > codes.length >>> 4
    if (isFrequent) bitmapNumbers[code] = ++bitmapCount
    starts[code + 1] = starts[code] + (isFrequent ? 0 : counts[code])
  }
  const rows = sharedUint16(starts[counts.length])
  const bitmaps = sharedUint32(bitmapCount * words)
  const next = starts.slice()
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]
    const number = bitmapNumbers[code]
    if (number === 0) rows[next[code]++] = row
    else bitmaps[(number - 1) * words + (row >>> 5)] |= 1 << (row & 31)
  }
  return { rows, starts, bitmaps, bitmapNumbers }
}

/** Returns the row numbers, sorted by code with a stable radix sort. */
function sortedByCode(codes: Codes): Uint16Array {
  const count = codes.length
  let max = 0
  for (let i = 0; i < count; i++) if (codes[i] > max) max = codes[i]
  let order = Uint32Array.from(codes, (_, i) => i)
  let other = new Uint32Array(count)
  const starts = new Uint32Array(2049)
  for (let shift = 0; shift < 32 && max >>> shift !== 0; shift += 11) {
    radixPass(order, other, { keys: codes, shift, starts })
    ;[order, other] = [other, order]
  }
  const rows = sharedUint16(count)
  rows.set(order)
  return rows
}

/** Returns the bitmap of a code; `undefined` if the code has a list. The bitmap must not be changed. */
export function bitmapOfCode(order: CodeOrder, codes: Codes, code: number): Bitmap | undefined {
  const number = code < order.bitmapNumbers.length ? order.bitmapNumbers[code] : 0
  if (number === 0) return undefined
  const words = (codes.length + 31) >>> 5
  return order.bitmaps.subarray((number - 1) * words, number * words)
}

/** Returns the rows of a code that has a list, ascending. The result must not be changed. */
export function rowsOfCode(order: CodeOrder, codes: Codes, code: number): Uint16Array {
  const { rows, starts } = order
  if (starts !== undefined) {
    return code + 1 < starts.length ? rows.subarray(starts[code], starts[code + 1]) : rows.subarray(0, 0)
  }
  // Values that are new at the same time have adjacent codes. A short-lived id is therefore outside the range of codes
  // in most segments.
  if (rows.length === 0 || code < codes[rows[0]] || code > codes[rows[rows.length - 1]]) return rows.subarray(0, 0)
  const from = firstNotBefore(0, rows.length, (at) => codes[rows[at]] < code)
  let to = from
  while (to < rows.length && codes[rows[to]] === code) to++
  return rows.subarray(from, to)
}
