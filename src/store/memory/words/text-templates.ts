import type { Bytes } from '../../../base/index.ts'

/** Stands in a template for a word that is left out. */
export const variableByte = 0

/**
 * What the texts of a segment are but for the words that change from one to the next. A text of ASCII without `variableByte` has a
 * template: all of it as it is, each word that is not fixed replaced by `variableByte`. So a fixed word that a template lacks is not in
 * its texts, and fixed words with what lies between them are where the template has them.
 */
export interface TextTemplates {
  readonly count: number
  readonly bytes: Bytes
  /** Template `i`, from 1 on, is `bytes[offsets[i - 1], offsets[i])`. */
  readonly offsets: Uint32Array
  /** Of each row its template; 0 where there is none for it. */
  readonly codes: Uint8Array | Uint16Array
}

/** The templates of a segment, which may have to be read. */
export interface KnownTemplates {
  /** A word is fixed when it has no digit, at least so many rows have it and it is not left out. */
  readonly leastRows: number
  isLeftOut(word: Uint8Array): boolean
  read(): TextTemplates
  /** Has the system read what `read` and `isLeftOut` need. */
  readAhead?(): void
}
