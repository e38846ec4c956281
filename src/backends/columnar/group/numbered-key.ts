import type { Codes, Column } from '../../../data/index.ts'
import type { PartialKeys } from '../keys/group-keys.ts'
import type { Slice } from '../segments/source.ts'

/** One group key. Assigns a key number to each row; rows with equal keys get the same number. */
export interface NumberedKey {
  /** An exclusive upper bound of all key numbers so far; constant when `isFixed`. */
  readonly size: number
  readonly isFixed: boolean
  /** The bytes of memory that the key holds, without stored columns; 0 by default. */
  readonly memoryBytes?: number
  /** Writes the key number of each row of the slice to `into`. */
  fill(slice: Slice, into: Uint32Array): void
  /** Returns the stored dictionary codes of the slice's rows if these codes are the key numbers. */
  codesOf?(slice: Slice): Codes | undefined
  /** Returns a column with the key value for each of these key numbers. */
  values(ids: Uint32Array): Column
  /**
   * Returns the values of all key numbers, by which another thread translates the numbers. `undefined` if such a
   * translation could be ambiguous. Absent if all threads use the same key numbers.
   */
  keys?(): PartialKeys | undefined
  /** Returns, for each key number of another thread, the key number of this thread. */
  numbersOf?(keys: PartialKeys): Uint32Array
  /**
   * Returns an array indexed by key number: the position in group order of each number in `ids`. Other entries are
   * undefined.
   */
  ranks(ids: Uint32Array): Uint32Array
}
