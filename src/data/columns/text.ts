import type { Bytes } from '../../base/index.ts'
import { hasBit, type Bitmap } from '../bitmap.ts'
import type { Value } from '../value.ts'
import { decodeText, latin1 } from './bytes.ts'

/** Strings whose bytes are read in parts, when rows are requested. */
export interface TextReader {
  /** The number of bytes of all strings. */
  readonly byteLength: number
  /** Returns the position of a row's string. */
  at(row: number): { readonly bytes: Bytes; readonly start: number; readonly end: number }
}

/** Strings as UTF-8: row `i` is `bytes[offsets[i], offsets[i + 1])`, or missing according to `validity`. */
export interface TextColumn {
  readonly kind: 'text'
  readonly length: number
  readonly bytes: Bytes
  readonly offsets: Uint32Array
  /** The rows that are not missing; `undefined` if no row is missing. */
  readonly validity: Bitmap | undefined
  /** Rows with characters beyond ASCII; `undefined` when there are none. */
  readonly wide: Bitmap | undefined
  /** Present if reading `bytes` and `offsets`, which hold all rows, costs more than reading one row. */
  readonly reader?: TextReader | undefined
}

/** Returns the string of a row, or only its first `maxBytes` bytes. */
export function textColumnAt(column: TextColumn, index: number, maxBytes?: number): Value {
  if (column.validity !== undefined && !hasBit(column.validity, index)) return null
  const { wide, reader } = column
  const isWide = wide !== undefined && hasBit(wide, index)
  if (reader !== undefined) {
    const { bytes, start, end: whole } = reader.at(index)
    const end = maxBytes === undefined ? whole : Math.min(whole, start + maxBytes)
    return isWide ? decodeText(bytes, start, end) : latin1(bytes, start, end)
  }
  const start = column.offsets[index]
  const next = column.offsets[index + 1]
  const end = maxBytes === undefined ? next : Math.min(next, start + maxBytes)
  return isWide ? decodeText(column.bytes, start, end) : latin1(column.bytes, start, end)
}
