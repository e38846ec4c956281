import { radixPass } from './radix-pass.ts'

/**
 * Returns the rows `[from, to)` sorted by time, then by sequence number. Returns `undefined` if `from` is 0 and the
 * rows are already sorted. `deltas` and `sequences` are in order of ingestion.
 */
export function sortedRows(
  deltas: Float64Array,
  sequences: Float64Array,
  from: number,
  to: number,
): Uint32Array | undefined {
  let isSorted = true
  let isSequential = true
  let min = Infinity
  let max = -Infinity
  for (let i = from; i < to; i++) {
    const delta = deltas[i]
    if (delta < min) min = delta
    if (delta > max) max = delta
    if (i === from) continue
    if (sequences[i] <= sequences[i - 1]) isSequential = false
    if (delta < deltas[i - 1] || (delta === deltas[i - 1] && sequences[i] < sequences[i - 1])) isSorted = false
  }
  if (isSorted && from === 0) return undefined
  if (isSequential && !isSorted) return radixSorted(deltas, from, to, min, max - min)
  const rows = Uint32Array.from({ length: to - from }, (_, i) => from + i)
  return isSorted ? rows : rows.sort((a, b) => deltas[a] - deltas[b] || sequences[a] - sequences[b])
}

/** Sorts rows by time. The sort is stable: rows with equal times stay in order of ingestion. */
function radixSorted(deltas: Float64Array, first: number, end: number, min: number, span: number): Uint32Array {
  const count = end - first
  const low = new Uint32Array(count)
  const high = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const value = deltas[first + i] - min
    const top = Math.floor(value / 4294967296)
    high[i] = top
    low[i] = value - top * 4294967296
  }
  let rows = Uint32Array.from(low, (_, i) => i)
  let other = new Uint32Array(count)
  const starts = new Uint32Array(65_537)
  for (let pass = 0; pass < 4 && span >= 2 ** (16 * pass); pass++) {
    radixPass(rows, other, { keys: pass < 2 ? low : high, shift: (pass & 1) * 16, starts })
    ;[rows, other] = [other, rows]
  }
  if (first > 0) for (let i = 0; i < count; i++) rows[i] += first
  return rows
}
