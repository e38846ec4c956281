import type { Bytes } from '../../../base/index.ts'

/** The byte that stands for a variable word in a template. */
export const variableByte = 0

/**
 * The templates of a segment's texts. Every ASCII text without `variableByte` has a template: the text in which each
 * word that is not fixed is replaced by `variableByte`. Therefore a fixed word that a template lacks is in none of the
 * template's texts. The fixed words and the characters between words have the same order in a text and in its template.
 */
export interface TextTemplates {
  readonly count: number
  readonly bytes: Bytes
  /** Offsets into `bytes`: template `i`, counted from 1, is `bytes[offsets[i - 1], offsets[i])`. */
  readonly offsets: Uint32Array
  /** For each row, the number of the template; 0 if the row has none. */
  readonly codes: Uint8Array | Uint16Array
}

/** Access to the templates of a segment, which may have to be read from a file. */
export interface KnownTemplates {
  /**
   * Minimum number of rows that contain a fixed word. A word is fixed if it reaches this number, is ASCII without
   * digits, and is not left out.
   */
  readonly leastRows: number
  isLeftOut(word: Uint8Array): boolean
  read(): TextTemplates
  /** Prefetches the data that `read` and `isLeftOut` need. */
  readAhead?(): void
}
