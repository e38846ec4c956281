import { sharedFloat64, sharedUint16 } from './shared.ts'
import { zoneRows, type ZoneMap } from './zone-map.ts'

/** A list has one entry for this many rows of the segment, but at least `LEAST_LISTED` entries. */
const LISTED_ONE_IN = 64
const LEAST_LISTED = 128
/** The buffer of candidates may grow to this many times the length of a list before it is reduced. */
const HELD_TIMES = 4

/** The rows with the highest or lowest numbers of a field, best first, with these numbers. */
export interface TopList {
  readonly rows: Uint16Array
  readonly numbers: Float64Array
}

export type TopEnd = 'highest' | 'lowest'

/**
 * The rows of a segment with the highest and the lowest numbers of a field. If rows tie for the last place of a list,
 * any of them may be listed.
 */
export interface TopValues {
  /** Rows in descending order of numbers. */
  readonly highest: TopList
  /** Rows in ascending order of numbers. */
  readonly lowest: TopList
  /** Returns true if the list for `end` is in memory. Absent if both lists are. */
  isHeld?(end: TopEnd): boolean
}

/**
 * True if a list contains every row whose field is a number. `numberCount` is the number of such rows in the segment.
 */
export function listsAllRows({ rows }: TopList, numberCount: number): boolean {
  return rows.length >= numberCount
}

export function topListBytes({ rows, numbers }: TopList): number {
  return rows.byteLength + numbers.byteLength
}

/** Returns the lists. Rows without a value have NaN in `values` and are not listed. */
export function topValues(values: Float64Array, zones: ZoneMap): TopValues {
  return { highest: listRows(values, zones.maxs, 1), lowest: listRows(values, zones.mins, -1) }
}

/**
 * Returns one list. Zones are searched in the order of their best value, so that most zones are soon skipped. `bests`
 * has the best value of each zone.
 */
function listRows(values: Float64Array, bests: Float64Array, sign: 1 | -1): TopList {
  const order = Uint16Array.from(bests, (_, zone) => zone).sort((a, b) => (bests[b] - bests[a]) * sign || b - a)
  const listed = Math.max(LEAST_LISTED, Math.floor(values.length / LISTED_ONE_IN))
  const held = new Uint16Array(listed * HELD_TIMES)
  const numbers = new Float64Array(held.length)
  let count = 0
  let isFull = false
  let bound = 0
  /** Reduces the candidates to the best ones. If candidates tie for the last place, any of them may remain. */
  const cut = (): void => {
    if (count < listed) return
    for (let i = 0; i < count; i++) numbers[i] = values[held[i]] * sign
    const sorted = numbers.subarray(0, count).sort()
    const first = count - listed
    bound = sorted[first]
    let ties = 1
    while (ties < listed && sorted[first + ties] === bound) ties++
    let kept = 0
    for (let i = 0; i < count; i++) {
      const number = values[held[i]] * sign
      if (number > bound || (number === bound && ties-- > 0)) held[kept++] = held[i]
    }
    count = kept
    isFull = true
  }
  for (const zone of order) {
    if (isFull && !(bests[zone] * sign > bound)) break
    const end = Math.min(values.length, (zone + 1) * zoneRows)
    for (let row = zone * zoneRows; row < end; row++) {
      const value = values[row] * sign
      if (isFull ? !(value > bound) : value !== value) continue
      held[count++] = row
      if (count === held.length) cut()
    }
  }
  cut()
  const best = held.subarray(0, count).sort((a, b) => (values[b] - values[a]) * sign || b - a)
  const list = { rows: sharedUint16(count), numbers: sharedFloat64(count) }
  list.rows.set(best)
  for (let i = 0; i < count; i++) list.numbers[i] = values[best[i]]
  return list
}
