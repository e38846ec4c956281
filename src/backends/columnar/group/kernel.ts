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
  /** Bytes held. */
  bytes(): number
  /** Lets go of what the next query may use; nothing may be asked from then on. */
  release?(): void
  /** Absent where what was added up cannot be given to another thread. */
  readonly parts?: KernelParts | undefined
}

/**
 * How kernels of one call in several threads become one. All that is given and told is plain data: typed arrays, numbers,
 * texts and lists of them. What one gives it no longer has.
 */
export interface KernelParts<P = unknown, T = unknown> {
  /** What was added in this pass, for groups below `bound`; `undefined` where another thread could not tell the values apart as this one does. */
  give(bound: number): P | undefined
  /** Whether what another kernel gave was added up as it is here. */
  fits?(part: P): boolean
  /** Adds what another kernel gave; its group `g` is the own group `groups[g]`. */
  take(part: P, groups: Uint32Array): void
  /** Between two passes: what the others must know to go on. Numbers of groups are the same everywhere by then. */
  tell?(): T
  hear?(told: T): void
}

/** The array itself when it is long enough, else a longer copy; at least doubled, so that growth stays cheap. */
export function grown(old: Float64Array, length: number): Float64Array {
  if (old.length >= length) return old
  const next = new Float64Array(Math.max(length, old.length * 2))
  next.set(old)
  return next
}
