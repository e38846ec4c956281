import type { Bytes } from '../../../base/index.ts'

/** Replaces each variable word in a template. */
export const variableByte = 0

/**
 * The templates of a segment's texts. An ASCII text without `variableByte` has a template: the text with each word that
 * is not fixed replaced by `variableByte`. A fixed word that a template lacks is therefore not in its texts. Fixed
 * words, and the characters between them, are in the texts in the same order as in the template.
 */
export interface TextTemplates {
  readonly count: number
  readonly bytes: Bytes
  /** Template `i`, counted from 1, is `bytes[offsets[i - 1], offsets[i])`. */
  readonly offsets: Uint32Array
  /** The template of each row; 0 for rows without a template. */
  readonly codes: Uint8Array | Uint16Array
}

/** Access to the templates of a segment, which may have to be read from a file. */
export interface KnownTemplates {
  /** The minimum number of rows that contain a fixed word. Fixed words have no digits and are not excluded. */
  readonly leastRows: number
  isLeftOut(word: Uint8Array): boolean
  read(): TextTemplates
  /** Prefetches what `read` and `isLeftOut` need. */
  readAhead?(): void
}
