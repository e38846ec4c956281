/**
 * The rows `[from, to)` in order of time, then of sequence; `undefined` when these are all rows from 0 on and in order
 * already. `deltas` and `sequences` are in order of ingestion.
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
  if (isSequential && !isSorted) {
    return nearlySorted(deltas, from, to) ?? radixSorted(deltas, from, to, min, max - min)
  }
  const rows = Uint32Array.from({ length: to - from }, (_, i) => from + i)
  return isSorted ? rows : rows.sort((a, b) => deltas[a] - deltas[b] || sequences[a] - sequences[b])
}

/** Moves per row beyond which rows are not nearly in order. */
const MAX_MOVES = 12

/** By insertion, which is quick when rows come almost in order; `undefined` when they do not. Stable. */
function nearlySorted(deltas: Float64Array, first: number, end: number): Uint32Array | undefined {
  const count = end - first
  const rows = new Uint32Array(count)
  const times = deltas.slice(first, end)
  let moves = count * MAX_MOVES
  for (let i = 0; i < count; i++) {
    const time = times[i]
    let at = i
    while (at > 0 && times[at - 1] > time) {
      times[at] = times[at - 1]
      rows[at] = rows[at - 1]
      at--
    }
    times[at] = time
    rows[at] = first + i
    moves -= i - at
    if (moves < 0) return undefined
  }
  return rows
}

/** Stable, so that rows of one instant stay in order of ingestion. */
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
  let from = new Uint32Array(count)
  for (let i = 0; i < count; i++) from[i] = i
  let to = new Uint32Array(count)
  const starts = new Uint32Array(65_537)
  for (let pass = 0; pass < 4 && span >= 2 ** (16 * pass); pass++) {
    const keys = pass < 2 ? low : high
    const shift = (pass & 1) * 16
    starts.fill(0)
    for (let i = 0; i < count; i++) starts[((keys[i] >>> shift) & 0xffff) + 1]++
    for (let i = 1; i < 65_537; i++) starts[i] += starts[i - 1]
    for (let i = 0; i < count; i++) {
      const row = from[i]
      to[starts[(keys[row] >>> shift) & 0xffff]++] = row
    }
    const swap = from
    from = to
    to = swap
  }
  if (first > 0) for (let i = 0; i < count; i++) from[i] += first
  return from
}
