import type { Bitmap } from '../../data/index.ts'

/**
 * What a part knows of all its row groups without reading any of them. Answers are bitmaps over the row groups by their numbers: one whose bit is not set
 * has nothing of what was asked for. `undefined` where that cannot be told.
 */
export interface SegmentGroup {
  readonly textField: string
  /** Row groups with a folded word in their text field. */
  withWord(word: Uint8Array): Bitmap | undefined
  /** Row groups in which a field has a string that folds to one of these, or values of which that is not known. */
  withTexts(field: string, folded: readonly Uint8Array[]): Bitmap | undefined
}

/** The part that has a segment, and its number there. */
export interface GroupPlace {
  readonly group: SegmentGroup
  readonly place: number
}
