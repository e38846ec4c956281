import type { Bytes } from '../../base/index.ts'
import { integer, Instant, JsonText, type Value } from '../value.ts'
import { decodeText, latin1 } from './bytes.ts'

/** Which class of value an entry of a dictionary or of a mixed column is. */
export const valueTag = { missing: 0, bool: 1, number: 2, bigint: 3, text: 4, time: 5, json: 6 } as const

/**
 * Distinct typed values by code; code 0 is "missing". Append-only: a code keeps its meaning for ever, so columns of
 * many segments share one dictionary. `bytes` holds the text of text and JSON entries, and the digits of big integers
 * and times, as UTF-8 (lone surrogates as three bytes).
 */
export interface Dictionary {
  /** Codes in use, code 0 included. */
  readonly size: number
  readonly tags: Uint8Array
  /** Values of number entries, 0 or 1 of bool entries. */
  readonly numbers: Float64Array
  readonly bytes: Bytes
  /** `size + 1` ends: entry `c` is `bytes[offsets[c], offsets[c + 1])`. */
  readonly offsets: Uint32Array
  /** Whether every entry behind code 0 is a text. */
  readonly isAllText: boolean
  /** Whether the entries are in memory; else all of them are read when `tags`, `numbers`, `bytes` or `offsets` are asked for. */
  readonly isInMemory: boolean
  valueAt(code: number): Value
  /** Codes of text entries whose folded text is `folded`, whatever their case. */
  findFolded(folded: string): readonly number[]
  /** Codes of entries that are not texts, ascending. */
  nonTextCodes(): readonly number[]
  /** The code of the text entry with these bytes; 0 when there is none. */
  codeOfText(bytes: Uint8Array, start: number, end: number): number
}

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** One code a row. */
export interface DictionaryColumn {
  readonly kind: 'dictionary'
  readonly length: number
  readonly codes: Codes
  readonly dictionary: Dictionary
  /** Set where `codes` of all rows cost more than those of few: the values at `rows`, in that order. Other columns have the same. */
  taken?(rows: Uint32Array): DictionaryColumn
}

/** A value from its parts, as dictionaries and mixed columns keep them. */
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
