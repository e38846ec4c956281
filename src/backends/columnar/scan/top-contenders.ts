import type { Column } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { compareRows } from '../segments/segment-range.ts'

/** A row that may be among the first ones. */
export interface Contender {
  readonly segment: Segment
  readonly row: number
  /** The number it is ordered by, turned round for `asc`: more is better. */
  readonly value: number
}

/** Best first, then newest first. */
export function byPlace(a: Contender, b: Contender): number {
  return b.value - a.value || compareRows(b.segment, b.row, a.segment, a.row)
}

/** The `place`-th smallest of the numbers, counted from 0; the array is put in another order. */
export function select(values: Float64Array, place: number): number {
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

/**
 * Rows that may be among the first `keep` by this key, ties included, in their order; `undefined` when only a look at all
 * rows can say. Only for columns of plain numbers.
 */
export function topContenders(column: Column, direction: 'asc' | 'desc', keep: number): Uint32Array | undefined {
  if (column.kind !== 'float64' || column.validity !== undefined || keep >= column.length || keep === 0)
    return undefined
  const { values, length } = column
  for (let row = 0; row < length; row++) if (values[row] !== values[row]) return undefined
  const bound = select(values.slice(), direction === 'asc' ? keep - 1 : length - keep)
  const rows = new Uint32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) {
    if (direction === 'asc' ? values[row] <= bound : values[row] >= bound) rows[count++] = row
  }
  return rows.slice(0, count)
}
