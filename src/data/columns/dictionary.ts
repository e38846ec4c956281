import type { Bytes } from '../../base/index.ts'
import { integer, Instant, JsonText, type Value } from '../value.ts'
import { decodeText, latin1 } from './bytes.ts'

/** The type of an entry in a dictionary or a mixed column. */
export const valueTag = { missing: 0, bool: 1, number: 2, bigint: 3, text: 4, time: 5, json: 6 } as const

/**
 * Distinct typed values, numbered by code; code 0 means "missing". Entries are only appended and codes never change, so
 * that columns of many segments can share a dictionary. `bytes` holds strings and JSON as UTF-8 (a lone surrogate as
 * three bytes), and the digits of big integers and times.
 */
export interface Dictionary {
  /** The number of codes, code 0 included. */
  readonly size: number
  readonly tags: Uint8Array
  /** The values of number entries, and 0 or 1 for bool entries. */
  readonly numbers: Float64Array
  readonly bytes: Bytes
  /** `size + 1` offsets: entry `c` is `bytes[offsets[c], offsets[c + 1])`. */
  readonly offsets: Uint32Array
  /** True if every entry after code 0 is a string. */
  readonly isAllText: boolean
  /** True if the entries are in memory; otherwise reading `tags`, `numbers`, `bytes` or `offsets` loads all of them. */
  readonly isInMemory: boolean
  valueAt(code: number): Value
  /** Returns the codes of string entries that equal `folded`, ignoring case. */
  findFolded(folded: string): readonly number[]
  /** Returns the codes of entries that are not strings, ascending. */
  nonTextCodes(): readonly number[]
  /** Returns the code of the string entry with these bytes; 0 if there is none. */
  codeOfText(bytes: Uint8Array, start: number, end: number): number
}

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** A column with one code for each row. */
export interface DictionaryColumn {
  readonly kind: 'dictionary'
  readonly length: number
  readonly codes: Codes
  readonly dictionary: Dictionary
  /**
   * Returns a column of the values at `rows`, in that order. Present only if reading the codes of a few rows costs less
   * than reading those of all rows. Other encodings have this function too.
   */
  taken?(rows: Uint32Array): DictionaryColumn
}

/** Builds a value from its parts in a dictionary or mixed column. */
export function valueOfParts(tag: number, number: number, bytes: Bytes, start: number, end: number): Value {
  switch (tag) {
    case valueTag.bool:
      return number === 1
    case valueTag.number:
      return number
    case valueTag.bigint:
      return integer(BigInt(latin1(bytes, start, end)))
    case valueTag.text:
      return decodeText(bytes, start, end)
    case valueTag.time:
      return new Instant(BigInt(latin1(bytes, start, end)))
    case valueTag.json:
      return new JsonText(decodeText(bytes, start, end))
    default:
      return null
  }
}

export function tagOf(value: Value): number {
  switch (typeof value) {
    case 'string':
      return valueTag.text
    case 'number':
      return valueTag.number
    case 'boolean':
      return valueTag.bool
    case 'bigint':
      return valueTag.bigint
    default:
      return value === null ? valueTag.missing : value instanceof Instant ? valueTag.time : valueTag.json
  }
}
