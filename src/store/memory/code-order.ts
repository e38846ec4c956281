import type { Codes } from '../../data/index.ts'
import { sharedUint16, sharedUint32 } from './shared.ts'

/** The rows of a segment by code, then by row. */
export interface CodeOrder {
  readonly rows: Uint16Array
  /** Where the rows of each code begin, one more at the end; without it they are found by binary search. */
  readonly starts: Uint32Array | undefined
}

/** Stable radix sort of the row numbers by code. `counts` are the rows of each code, when codes are few. */
export function codeOrder(codes: Codes, counts: Uint32Array | undefined): CodeOrder {
  const rows = sortedByCode(codes)
  if (counts === undefined) return { rows, starts: undefined }
  const starts = sharedUint32(counts.length + 1)
  for (let code = 0; code < counts.length; code++) starts[code + 1] = starts[code] + counts[code]
  return { rows, starts }
}

function sortedByCode(codes: Codes): Uint16Array {
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
  return rows
}

const GUESSES = 4

/** The rows of one code, ascending; not to be changed. */
export function rowsOfCode(order: CodeOrder, codes: Codes, code: number): Uint16Array {
  const { rows, starts } = order
  if (starts !== undefined) {
    return code + 1 < starts.length ? rows.subarray(starts[code], starts[code + 1]) : rows.subarray(0, 0)
  }
  let low = 0
  let high = rows.length
  let lowCode = 0
  let highCode = codes[rows[rows.length - 1]]
  if (code > highCode) return rows.subarray(0, 0)
  // Codes are spread evenly as a rule: a few guesses come close, halving does the rest.
  for (let guess = 0; low < high; guess++) {
    const share = guess < GUESSES && highCode > lowCode ? (code - lowCode) / (highCode - lowCode) : 0.5
    const middle = Math.min(high - 1, low + Math.floor((high - low) * Math.max(0, share)))
    const found = codes[rows[middle]]
    if (found < code) {
      low = middle + 1
      lowCode = found
    } else {
      high = middle
      highCode = found
    }
  }
  const from = low
  while (low < rows.length && codes[rows[low]] === code) low++
  return rows.subarray(from, low)
}
