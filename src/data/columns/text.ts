import type { Bytes } from '../../base/index.ts'
import { hasBit, type Bitmap } from '../bitmap.ts'
import type { Value } from '../value.ts'
import { decodeText, latin1 } from './bytes.ts'

/** Texts that are read in parts when rows are requested. */
export interface TextParts {
  /** The bytes of all texts. */
  readonly byteLength: number
  /** Returns where the text of a row is. */
  at(row: number): { readonly bytes: Bytes; readonly start: number; readonly end: number }
}

/** Texts as UTF-8: row `i` is `bytes[offsets[i], offsets[i + 1])`, or missing according to `validity`. */
export interface TextColumn {
  readonly kind: 'text'
  readonly length: number
  readonly bytes: Bytes
  readonly offsets: Uint32Array
  /** `undefined` when no row is missing. */
  readonly validity: Bitmap | undefined
  /** Rows with characters beyond ASCII; `undefined` when there are none. */
  readonly wide: Bitmap | undefined
  /** Present when reading `bytes` and `offsets` of all rows costs more than reading those of one. */
  readonly parts?: TextParts | undefined
}

/** Returns the text of a row, or only its first `maxBytes` bytes. */
export function textColumnAt(column: TextColumn, index: number, maxBytes?: number): Value {
  if (column.validity !== undefined && !hasBit(column.validity, index)) return null
  const { wide, parts } = column
  const isWide = wide !== undefined && hasBit(wide, index)
  if (parts !== undefined) {
    const { bytes, start, end: whole } = parts.at(index)
    const end = maxBytes === undefined ? whole : Math.min(whole, start + maxBytes)
    return isWide ? decodeText(bytes, start, end) : latin1(bytes, start, end)
  }
  const start = column.offsets[index]
  const next = column.offsets[index + 1]
  const end = maxBytes === undefined ? next : Math.min(next, start + maxBytes)
  return isWide ? decodeText(column.bytes, start, end) : latin1(column.bytes, start, end)
}
