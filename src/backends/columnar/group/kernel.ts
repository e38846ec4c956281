import type { Column } from '../../../data/index.ts'
import type { Slice } from '../scan/source.ts'

/**
 * Rows of a slice with their groups. `at` lists positions in the slice when a call sees only some of its rows; position
 * `i` is row `slice.rows[i]`, or `slice.from + i` without a list, and belongs to group `ids[i]`.
 */
export interface GroupedRows {
  readonly slice: Slice
  readonly ids: Uint32Array
  readonly at: Uint32Array | undefined
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
}

/** Calls `see(row, group)` for each row, in order. */
export function eachRow({ slice, ids, at }: GroupedRows, see: (row: number, group: number) => void): void {
  const { rows, from, length } = slice
  if (at === undefined) {
    for (let i = 0; i < length; i++) see(rows === undefined ? from + i : rows[i], ids[i])
  } else {
    for (let k = 0; k < at.length; k++) {
      const i = at[k]
      see(rows === undefined ? from + i : rows[i], ids[i])
    }
  }
}

/** The array itself when it is long enough, else a longer copy; at least doubled, so that growth stays cheap. */
export function grown(old: Float64Array, length: number): Float64Array {
  if (old.length >= length) return old
  const next = new Float64Array(Math.max(length, old.length * 2))
  next.set(old)
  return next
}
