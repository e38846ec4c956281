import { BATCH_ROWS, FIRST_CAPACITY, ITEMS_PER_CHECKPOINT, work } from '../../../base/index.ts'

/** Returns the element that would have index `index` if the array were sorted (quickselect). Reorders the array. */
function select(values: Float64Array, index: number): number {
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
    if (index <= j) high = j
    else if (index >= i) low = i
    else return values[index]
  }
  return values[index]
}

/** The best numbers of an array, found by `bestNumbers`. */
export interface BestNumbers {
  /** The indexes of the best numbers in the array, ascending. */
  readonly indexes: Uint32Array
  /** The number of array elements that are not `absent`. */
  readonly count: number
}

/**
 * Finds the `keep` best numbers, and all others equal to the worst of these. Best means largest for `desc` and smallest
 * for `asc`; `keep` is at least 1. Elements equal to `absent` are ignored. Returns `undefined` if an element is NaN.
 * Allocates 8 bytes for each of `2 * keep + BATCH_ROWS` numbers, and 4 bytes for each result.
 */
export function bestNumbers(
  values: Float64Array | Uint32Array,
  direction: 'asc' | 'desc',
  keep: number,
  absent = NaN,
): BestNumbers | undefined {
  const sign = direction === 'asc' ? -1 : 1
  // The best numbers so far, unsorted. A number that is not above `bound` cannot be among the `keep` best.
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
  return { indexes: indexesFrom(values, sign, bound, absent), count }
}

/** Returns the indexes of all numbers that are, after multiplication by `sign`, at least `bound`. */
function indexesFrom(values: Float64Array | Uint32Array, sign: number, bound: number, absent: number): Uint32Array {
  let indexes = new Uint32Array(Math.min(values.length, FIRST_CAPACITY))
  let count = 0
  for (let i = 0; i < values.length; i++) {
    if (i % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 6)
    const value = values[i]
    if (sign * value < bound || value === absent) continue
    if (count === indexes.length) {
      const more = new Uint32Array(Math.min(values.length, count * 2))
      more.set(indexes)
      indexes = more
    }
    indexes[count++] = i
  }
  return indexes.slice(0, count)
}
