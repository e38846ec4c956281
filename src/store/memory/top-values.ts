import { sharedFloat64, sharedUint16 } from './shared.ts'
import { zoneRows, type ZoneMap } from './zone-map.ts'

/** One row of a segment in so many is listed at each end, and so many at least. */
const LISTED_ONE_IN = 64
const LEAST_LISTED = 128
/** So many times as many rows wait to be cut down to those. */
const HELD_TIMES = 4

/** Rows of a segment at one end of a numeric field, best first, and their numbers. */
export interface TopList {
  readonly rows: Uint16Array
  readonly numbers: Float64Array
}

export type TopEnd = 'highest' | 'lowest'

/** Rows of a segment with the highest and the lowest numbers of a field; of those that tie with the last one any. */
export interface TopValues {
  /** The highest first. */
  readonly highest: TopList
  /** The lowest first. */
  readonly lowest: TopList
  /** Whether a list is in memory, so that nothing is read for it; each is unless this says otherwise. */
  isHeld?(end: TopEnd): boolean
}

/** Whether a list has all rows with a number, of which a field has so many. */
export function listsAllRows({ rows }: TopList, numberCount: number): boolean {
  return rows.length >= numberCount
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
  const listed = Math.max(LEAST_LISTED, Math.floor(values.length / LISTED_ONE_IN))
  const held = new Uint16Array(listed * HELD_TIMES)
  const numbers = new Float64Array(held.length)
  let count = 0
  let isFull = false
  let bound = 0
  /** Keeps the best of the rows held; of those that tie with the last one any. */
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
