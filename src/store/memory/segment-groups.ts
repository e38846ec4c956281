import type { Bitmap } from '../../data/index.ts'

/**
 * Facts about all row groups of a part, known without reading the row groups. Methods return a bitmap by row group
 * number: 0 means that the row group has no match, 1 that it may have one. Methods return `undefined` if the part has
 * no such facts.
 */
export interface SegmentGroup {
  readonly textField: string
  /** Returns the row groups whose text field may contain a folded word. */
  withWord(word: Uint8Array): Bitmap | undefined
  /** Returns the row groups in which a field may have a string whose folded form is one of these. */
  withTexts(field: string, folded: readonly Uint8Array[]): Bitmap | undefined
}

/** The part of which a segment is a row group, and the number of the row group. */
export interface GroupMember {
  readonly group: SegmentGroup
  readonly number: number
}
