import type { Codes, Column } from '../../../data/index.ts'
import type { KeysPart } from '../keys/group-keys.ts'
import type { Slice } from '../segments/source.ts'

/** One group key over the rows of slices: it gives each row a number, equal for equal keys. */
export interface Lane {
  /** All numbers so far are below this; constant when `isFixed`. */
  readonly size: number
  readonly isFixed: boolean
  /** Its memory in bytes without stored columns; 0 by default. */
  readonly memoryBytes?: number
  /** Writes the number of each row of the slice. */
  fill(slice: Slice, into: Uint32Array): void
  /** Returns the stored codes of all rows of a slice, when they are the numbers. */
  codesOf?(slice: Slice): Codes | undefined
  /** Returns the key values of these numbers. */
  values(ids: Uint32Array): Column
  /**
   * Returns what identifies the numbers below `size` in other threads; `undefined` when that is not certain. Absent
   * when numbers are the same everywhere.
   */
  keys?(): KeysPart | undefined
  /** Returns the own numbers of another lane's keys. */
  numbersOf?(keys: KeysPart): Uint32Array
  /** Returns the position in group order of each given number; other entries have no meaning. */
  places(ids: Uint32Array): Uint32Array
}
