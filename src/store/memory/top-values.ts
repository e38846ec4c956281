import { sharedFloat64, sharedUint16 } from './shared.ts'
import { zoneRows, type ZoneMap } from './zone-map.ts'

/** So many rows of a segment are listed at each end. */
const LISTED_ROWS = 128
/** Rows that wait to be cut down to those. */
const HELD_ROWS = LISTED_ROWS * 4

/** Rows of a segment at one end of a numeric field, best first, and their numbers. */
export interface TopList {
  readonly rows: Uint16Array
  readonly numbers: Float64Array
}

/** Rows of a segment with the highest and the lowest numbers of a field; of those that tie with the last one any. */
export interface TopValues {
  /** The highest first. */
  readonly highest: TopList
  /** The lowest first. */
  readonly lowest: TopList
}

/** Whether a list has all rows with a number. */
export function listsAllRows({ rows }: TopList): boolean {
  return rows.length < LISTED_ROWS
}

export function topListBytes({ rows, numbers }: TopList): number {
  return rows.byteLength + numbers.byteLength
}

/** Rows without a value have NaN in their slot and are not listed. */
export function topValues(values: Float64Array, zones: ZoneMap): TopValues {
  return { highest: listRows(values, zones.maxs, 1), lowest: listRows(values, zones.mins, -1) }
}

/** `bests` are the bounds of the zones. Zones come best first: soon a look at the bound of one is enough. */
function listRows(values: Float64Array, bests: Float64Array, sign: 1 | -1): TopList {
  const order = Uint16Array.from(bests, (_, zone) => zone).sort((a, b) => (bests[b] - bests[a]) * sign || b - a)
  const held = new Uint16Array(HELD_ROWS)
  let count = 0
  let isFull = false
  let bound = 0
  const cut = (): void => {
    held.subarray(0, count).sort((a, b) => (values[b] - values[a]) * sign || b - a)
    isFull ||= count >= LISTED_ROWS
    count = Math.min(count, LISTED_ROWS)
    if (isFull) bound = values[held[LISTED_ROWS - 1]] * sign
  }
  for (const zone of order) {
    if (isFull && !(bests[zone] * sign > bound)) break
    const end = Math.min(values.length, (zone + 1) * zoneRows)
    for (let row = zone * zoneRows; row < end; row++) {
      const value = values[row] * sign
      if (isFull ? !(value > bound) : value !== value) continue
      held[count++] = row
      if (count === HELD_ROWS) cut()
    }
  }
  cut()
  const rows = sharedUint16(count)
  rows.set(held.subarray(0, count))
  const numbers = sharedFloat64(count)
  for (let i = 0; i < count; i++) numbers[i] = values[rows[i]]
  return { rows, numbers }
}
