import type { Column } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'

/** Rows of a segment with their groups: row `rows[i]` belongs to group `groups[i]`, for `i` below `length`. */
export interface GroupedRows {
  readonly segment: Segment
  /** The fields that the kernel may read. */
  readonly frame: Frame
  readonly rows: Uint32Array
  /** Set when the rows are consecutive: then `rows[i]` is `first + i`. */
  readonly first: number | undefined
  readonly groups: Uint32Array
  readonly length: number
}

/** One aggregate over all groups, which receives rows segment by segment in any order. */
export interface Kernel {
  /** Makes room for groups below `bound`. */
  reserve(bound: number): void
  add(rows: GroupedRows): void
  /** How many times all rows must be read; 1 by default. `endPass` is called after each pass. */
  readonly passes?: number
  /** Whether `reserve` must receive the final bound before the first rows. */
  readonly needsBound?: boolean
  endPass?(pass: number): void
  /** Returns the results of these groups. */
  finish(groups: Uint32Array): Column
  /** The bytes that it holds. */
  bytes(): number
  /** Releases memory for the next query; the kernel must not be used any more. */
  release?(): void
  /** Absent when the state cannot be passed to another thread. */
  readonly parts?: KernelParts | undefined
}

/**
 * Merges the kernels of one call in several threads. All data are plain: typed arrays, numbers, texts and lists of
 * them. A state that is given away is cleared.
 */
export interface KernelParts<P = unknown, T = unknown> {
  /**
   * Returns what was added in this pass for groups below `bound`; `undefined` when another thread could not distinguish
   * the values as this one does.
   */
  give(bound: number): P | undefined
  /** Whether another kernel's state has the same form. */
  fits?(part: P): boolean
  /** Adds another kernel's state; its group `g` is the own group `groups[g]`. */
  take(part: P, groups: Uint32Array): void
  /** Returns between two passes what the other threads need. By then group numbers are the same everywhere. */
  tell?(): T
  hear?(told: T): void
}

/** Returns the array when it is long enough, else a copy of at least twice the length. */
export function grown(old: Float64Array, length: number): Float64Array {
  if (old.length >= length) return old
  const next = new Float64Array(Math.max(length, old.length * 2))
  next.set(old)
  return next
}
