import type { Codes, Column } from '../../../data/index.ts'
import type { KeysPart } from '../keys/group-keys.ts'
import type { Slice } from '../segments/source.ts'

/** One group key over the rows of slices: gives each row a number, equal for equal keys. */
export interface Lane {
  /** All numbers given so far are below this; fixed from the start when `isFixed`. */
  readonly size: number
  readonly isFixed: boolean
  /** Of what it holds beside stored columns; 0 unless given. */
  readonly memoryBytes?: number
  /** Writes the number of each row of the slice. */
  fill(slice: Slice, into: Uint32Array): void
  /** The stored codes of all rows of a slice, where they are the numbers. */
  codesOf?(slice: Slice): Codes | undefined
  /** The key values of these numbers. */
  values(ids: Uint32Array): Column
  /** What other threads know its numbers by, those below `size`; `undefined` where that is not sure. Left out where numbers are the same everywhere. */
  keys?(): KeysPart | undefined
  /** The own numbers of keys that another lane has by its numbers. */
  numbersOf?(keys: KeysPart): Uint32Array
  /** The place in group order of each number given; other slots are of no meaning. */
  places(ids: Uint32Array): Uint32Array
}
