import type { Bitmap } from '../../data/index.ts'

/**
 * Facts about all row groups of a part, known without reading the row groups. Results are bitmaps by row group number:
 * a row group whose bit is not set has no match. The result is `undefined` when the part cannot tell.
 */
export interface SegmentGroup {
  readonly textField: string
  /** Returns the row groups that contain a folded word in their text field. */
  withWord(word: Uint8Array): Bitmap | undefined
  /** Returns the row groups where a field may have a string that folds to one of these. */
  withTexts(field: string, folded: readonly Uint8Array[]): Bitmap | undefined
}

/** The part that contains a segment, and the segment's number in it. */
export interface GroupMember {
  readonly group: SegmentGroup
  readonly number: number
}
