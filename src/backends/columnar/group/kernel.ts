import type { Column } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'

/** Some rows of a segment with their groups: row `rows[i]` belongs to group `groups[i]`, for `i` below `length`. */
export interface GroupedRows {
  readonly segment: Segment
  /** The columns that the kernel may read. */
  readonly frame: Frame
  readonly rows: Uint32Array
  /** The first row when the rows are consecutive, so that `rows[i]` is `first + i`; else `undefined`. */
  readonly first: number | undefined
  readonly groups: Uint32Array
  readonly length: number
}

/** The states of one aggregate call for all groups. Rows are added segment by segment, in any order. */
export interface Kernel {
  /** Allocates states for all groups below `bound`. */
  reserve(bound: number): void
  add(rows: GroupedRows): void
  /** Number of passes over all rows; 1 by default. `endPass` is called after each pass. */
  readonly passes?: number
  /** True if `reserve` must be called with the final number of groups before the first rows are added. */
  readonly needsBound?: boolean
  endPass?(pass: number): void
  /** Returns the results of the given groups, in this order. */
  finish(groups: Uint32Array): Column
  /** Returns the bytes of memory that the kernel holds. */
  bytes(): number
  /** Releases memory for the next query. The kernel must not be used afterwards. */
  release?(): void
  /** Moves the state between threads; absent if the state cannot be moved. */
  readonly partials?: KernelPartials | undefined
}

/**
 * Merges the states that several threads computed for one call. All data are plain: typed arrays, numbers, strings, and
 * lists of these.
 */
export interface KernelPartials<P = unknown, T = unknown> {
  /**
   * Returns what this pass added to the groups below `bound`, and resets it. `undefined` if another thread could not
   * tell the values apart.
   */
  exportPartial(bound: number): P | undefined
  /** True if the state of another thread has the same layout, so that `mergePartial` accepts it. */
  fits?(partial: P): boolean
  /** Adds the state of another thread: group `g` of that thread is group `groups[g]` of this one. */
  mergePartial(partial: P, groups: Uint32Array): void
  /**
   * Returns, between two passes, the data that the other threads need for the next pass. All threads then have the same
   * group numbers.
   */
  broadcast?(): T
  receive?(state: T): void
}

/**
 * Returns an array of at least `length` entries: the given one if it is long enough, else a copy with at least twice
 * the length.
 */
export function grown(old: Float64Array, length: number): Float64Array {
  if (old.length >= length) return old
  const next = new Float64Array(Math.max(length, old.length * 2))
  next.set(old)
  return next
}
