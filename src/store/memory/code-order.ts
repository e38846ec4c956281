import type { Codes } from '../../data/index.ts'
import { sharedUint16 } from './shared.ts'

/** The rows of a segment by code, then by row: the rows of one code are found by binary search. */
export interface CodeOrder {
  readonly rows: Uint16Array
}

/** Stable radix sort of the row numbers by code. */
export function codeOrder(codes: Codes): CodeOrder {
  const count = codes.length
  let max = 0
  for (let i = 0; i < count; i++) if (codes[i] > max) max = codes[i]
  let from = new Uint16Array(count)
  let to = new Uint16Array(count)
  for (let i = 0; i < count; i++) from[i] = i
  const starts = new Uint32Array(2049)
  for (let shift = 0; shift < 32 && max >>> shift !== 0; shift += 11) {
    starts.fill(0)
    for (let i = 0; i < count; i++) starts[((codes[i] >>> shift) & 2047) + 1]++
    for (let i = 1; i < 2049; i++) starts[i] += starts[i - 1]
    for (let i = 0; i < count; i++) {
      const row = from[i]
      to[starts[(codes[row] >>> shift) & 2047]++] = row
    }
    const swap = from
    from = to
    to = swap
  }
  const rows = sharedUint16(count)
  rows.set(from)
  return { rows }
}

/** Where in `order.rows` the rows of `code` begin and end. */
export function rangeOfCode(order: CodeOrder, codes: Codes, code: number): { from: number; to: number } {
  const { rows } = order
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (codes[rows[middle]] < code) low = middle + 1
    else high = middle
  }
  const from = low
  while (low < rows.length && codes[rows[low]] === code) low++
  return { from, to: low }
}
