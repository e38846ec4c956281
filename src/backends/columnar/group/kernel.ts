import type { Turns } from '../../../base/index.ts'
import type { Column } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'

/** Rows of a segment with their groups: row `rows[i]` belongs to group `groups[i]`, for `i` below `length`. */
export interface GroupedRows {
  readonly segment: Segment
  /** The fields that may be seen. */
  readonly frame: Frame
  readonly rows: Uint32Array
  /** Set when the rows are neighbours: then `rows[i]` is `first + i`. */
  readonly first: number | undefined
  readonly groups: Uint32Array
  readonly length: number
}

/** One aggregate over all groups, fed segment by segment in any order. */
export interface Kernel {
  /** Set where each row is a call of a function. */
  readonly isSlow?: boolean
  /** Makes room for groups below `bound`. */
  reserve(bound: number): void
  add(rows: GroupedRows): void
  /** How many times all rows must be seen; 1 if not given. `endPass` comes after each. */
  readonly passes?: number
  /** Whether `reserve` must be told the final bound before the first rows. */
  readonly needsBound?: boolean
  endPass?(pass: number): void
  /** The results of these groups. */
  finish(groups: Uint32Array): Column
  /** The same in turns, where a result is more than a look at a number. */
  finishInTurns?(groups: Uint32Array): Turns<Column>
  /** Bytes held. */
  bytes(): number
}

/** The array itself when it is long enough, else a longer copy; at least doubled, so that growth stays cheap. */
export function grown(old: Float64Array, length: number): Float64Array {
  if (old.length >= length) return old
  const next = new Float64Array(Math.max(length, old.length * 2))
  next.set(old)
  return next
}
