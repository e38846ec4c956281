import type { Column } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { bestNumbers } from '../keys/best-numbers.ts'
import { compareRows } from '../segments/segment-range.ts'

/** A row that may be among the first ones. */
export interface TopCandidate {
  readonly segment: Segment
  readonly row: number
  /** The number by which it is ordered, negated for `asc`: a larger number is better. */
  readonly value: number
}

/** Orders best first, then newest first. */
export function byPlace(a: TopCandidate, b: TopCandidate): number {
  return b.value - a.value || compareRows(b.segment, b.row, a.segment, a.row)
}

/**
 * Rows that may be among the first `keep` by this key, ties included, in their order; `undefined` when only a look at all
 * rows can say. Only for columns of plain numbers or times.
 */
export function topContenders(column: Column, direction: 'asc' | 'desc', keep: number): Uint32Array | undefined {
  if (column.kind !== 'float64' && column.kind !== 'time') return undefined
  if (column.validity !== undefined || keep >= column.length || keep === 0) return undefined
  const numbers = column.kind === 'time' ? column.deltas : column.values
  return bestNumbers(numbers.subarray(0, column.length), direction, keep)?.places
}
