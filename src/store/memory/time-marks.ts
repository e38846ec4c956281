import { firstNotBefore } from '../../base/index.ts'

/**
 * For each whole multiple of a time unit, counted from 1970, the first row at or after it. Covers the multiples after
 * the first row and up to the last row of a segment. Rows at these times are found without reading the times of rows.
 */
export interface TimeMarks {
  readonly unitNs: number
  /** The first covered multiple, in nanoseconds since the start of the epoch. */
  readonly firstDelta: number
  readonly rows: Uint16Array
}

/**
 * Units, in nanoseconds, each a multiple of the previous one: 1, 10, 100 ms, 1, 5, 15 s, 1, 5, 15 min, 1, 6 h, 1 day.
 */
const UNITS_NS: readonly number[] = [1, 10, 100, 1e3, 5e3, 15e3, 60e3, 300e3, 900e3, 3600e3, 21_600e3, 86_400e3].map(
  (ms) => ms * 1e6,
)
const MAX_MARKS = 4096
/** Minimum number of rows per mark, on average. */
const ROWS_OF_MARK = 16

/**
 * Returns the marks of ascending times, in the finest unit with few enough marks; `undefined` if every unit needs too
 * many.
 */
export function timeMarks(deltas: Float64Array, epochStartNs: bigint): TimeMarks | undefined {
  const rowCount = deltas.length
  if (rowCount === 0 || rowCount > 65_536) return undefined
  const first = deltas[0]
  const last = deltas[rowCount - 1]
  const most = Math.min(MAX_MARKS, Math.floor(rowCount / ROWS_OF_MARK))
  for (const unitNs of UNITS_NS) {
    if ((last - first) / unitNs > most + 1) continue
    const sinceMultiple = Number((epochStartNs + BigInt(first)) % BigInt(unitNs))
    // For times before 1970, the remainder is negative.
    const firstDelta = first - sinceMultiple + (sinceMultiple < 0 ? 0 : unitNs)
    const count = firstDelta > last ? 0 : Math.floor((last - firstDelta) / unitNs) + 1
    if (count > most) continue
    const rows = new Uint16Array(count)
    let row = 0
    for (let i = 0; i < count; i++) {
      while (deltas[row] < firstDelta + i * unitNs) row++
      rows[i] = row
    }
    return { unitNs, firstDelta, rows }
  }
  return undefined
}

/** Returns bounds for the first row at or after `delta`. The bounds are equal if the marks determine the row. */
export function rowsAround(
  { unitNs, firstDelta, rows }: TimeMarks,
  delta: number,
  rowCount: number,
): readonly [number, number] {
  const after = delta - firstDelta
  if (after < 0) return [0, rows[0] ?? rowCount]
  const mark = Math.floor(after / unitNs)
  const low = rows[mark] ?? rowCount
  return [low, after % unitNs === 0 ? low : (rows[mark + 1] ?? rowCount)]
}

/** True if `delta` and all times in steps of `stepNs` from it have marks, within the range that marks cover. */
export function hasMarksAt({ unitNs, firstDelta }: TimeMarks, delta: number, stepNs: number): boolean {
  return stepNs % unitNs === 0 && (delta - firstDelta) % unitNs === 0
}

/** Returns the index of the last mark whose row is at most `row`; -1 if there is none. */
export function markBefore({ rows }: TimeMarks, row: number): number {
  return firstNotBefore(0, rows.length, (mark) => rows[mark] <= row) - 1
}
