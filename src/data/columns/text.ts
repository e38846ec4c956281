import type { Bytes } from '../../base/index.ts'
import { hasBit, type Bitmap } from '../bitmap.ts'
import type { Value } from '../value.ts'
import { decodeText, latin1 } from './bytes.ts'

/** Texts as UTF-8 bytes: row `i` is `bytes[offsets[i], offsets[i + 1])`, or missing when `validity` says so. */
export interface TextColumn {
  readonly kind: 'text'
  readonly length: number
  readonly bytes: Bytes
  readonly offsets: Uint32Array
  /** `undefined` when no row is missing. */
  readonly validity: Bitmap | undefined
  /** Rows with characters beyond ASCII; `undefined` when there are none. */
  readonly wide: Bitmap | undefined
}

export function textColumnAt(column: TextColumn, index: number): Value {
  if (column.validity !== undefined && !hasBit(column.validity, index)) return null
  const start = column.offsets[index]
  const end = column.offsets[index + 1]
  return column.wide === undefined || !hasBit(column.wide, index)
    ? latin1(column.bytes, start, end)
    : decodeText(column.bytes, start, end)
}
