import { BATCH_ROWS, FIRST_CAPACITY, ITEMS_PER_CHECKPOINT, work } from '../../../base/index.ts'

/** Returns the `place`-th smallest of the numbers, counted from 0; the array is reordered. */
function select(values: Float64Array, place: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    const a = values[low]
    const b = values[middle]
    const c = values[high]
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b
    let i = low
    let j = high
    while (i <= j) {
      while (values[i] < pivot) i++
      while (values[j] > pivot) j--
      if (i <= j) {
        const swap = values[i]
        values[i++] = values[j]
        values[j--] = swap
      }
    }
    if (place <= j) high = j
    else if (place >= i) low = i
    else return values[place]
  }
  return values[place]
}

/** The best of some numbers. */
export interface BestNumbers {
  /** Their positions, ascending. */
  readonly places: Uint32Array
  /** The number of numbers, without absent ones. */
  readonly count: number
}

/**
 * Finds the `keep` best numbers and all that equal the last of them: the largest for `desc`, the smallest for `asc`;
 * `keep` is at least 1. A number equal to `absent` does not count. `undefined` when one is NaN. Allocates 8 bytes for
 * each of twice `keep` plus `BATCH_ROWS` numbers, and 4 bytes for each of the best.
 */
export function bestNumbers(
  values: Float64Array | Uint32Array,
  direction: 'asc' | 'desc',
  keep: number,
  absent = NaN,
): BestNumbers | undefined {
  const sign = direction === 'asc' ? -1 : 1
  // The best numbers so far, unordered. A number not above `bound` cannot change the last of them.
  const held = new Float64Array(Math.min(values.length, 2 * keep + BATCH_ROWS))
  let heldCount = 0
  let bound = -Infinity
  let count = 0
  for (let i = 0; i < values.length; i++) {
    if (i % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 6)
    const value = values[i]
    if (value === absent) continue
    if (value !== value) return undefined
    count++
    const worth = sign * value
    if (worth <= bound) continue
    if (heldCount === held.length) {
      bound = select(held, heldCount - keep)
      held.copyWithin(0, heldCount - keep)
      heldCount = keep
      if (worth <= bound) continue
    }
    held[heldCount++] = worth
  }
  if (heldCount > keep) bound = select(held.subarray(0, heldCount), heldCount - keep)
  else if (heldCount < keep) bound = -Infinity
  else for (let i = 0; i < keep; i++) bound = i === 0 ? held[0] : Math.min(bound, held[i])
  return { places: placesFrom(values, sign, bound, absent), count }
}

/** Returns the positions of the numbers that are at least `bound`. */
function placesFrom(values: Float64Array | Uint32Array, sign: number, bound: number, absent: number): Uint32Array {
  let places = new Uint32Array(Math.min(values.length, FIRST_CAPACITY))
  let count = 0
  for (let i = 0; i < values.length; i++) {
    if (i % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 6)
    const value = values[i]
    if (sign * value < bound || value === absent) continue
    if (count === places.length) {
      const more = new Uint32Array(Math.min(values.length, count * 2))
      more.set(places)
      places = more
    }
    places[count++] = i
  }
  return places.slice(0, count)
}
