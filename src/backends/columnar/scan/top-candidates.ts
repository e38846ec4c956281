import type { Column } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { bestNumbers } from '../keys/best-numbers.ts'
import { compareRows } from '../segments/segment-range.ts'

/** A row of a segment that may be among the first rows when ordered by a number. */
export interface TopCandidate {
  readonly segment: Segment
  readonly row: number
  /** The number by which rows are ordered, negated for `asc`, so that larger is better. */
  readonly value: number
}

/** Compares two rows for sorting: better values first; of equal values, newer rows first. */
export function byPosition(a: TopCandidate, b: TopCandidate): number {
  return b.value - a.value || compareRows(b.segment, b.row, a.segment, a.row)
}

/**
 * Returns the row numbers that may be among the first `keep` by this column, ties included, ascending. `undefined`
 * unless the column has only plain numbers or only times.
 */
export function candidatesByColumn(column: Column, direction: 'asc' | 'desc', keep: number): Uint32Array | undefined {
  if (column.kind !== 'float64' && column.kind !== 'time') return undefined
  if (column.validity !== undefined || keep >= column.length || keep === 0) return undefined
  const numbers = column.kind === 'time' ? column.deltas : column.values
  return bestNumbers(numbers.subarray(0, column.length), direction, keep)?.indexes
}
