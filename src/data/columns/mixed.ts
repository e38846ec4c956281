import type { Bytes } from '../../base/index.ts'
import type { Value } from '../value.ts'
import { valueOfParts } from './dictionary.ts'
import type { TextReader } from './text.ts'
import type { ValuesColumn } from './values.ts'

/** A field with values of several types: a tag for each row, and the value in the array of its type. */
export interface MixedColumn {
  readonly kind: 'mixed'
  readonly length: number
  readonly tags: Uint8Array
  readonly numbers: Float64Array
  readonly bytes: Bytes
  readonly offsets: Uint32Array
  /** Present if reading `bytes` and `offsets`, which hold all rows, costs more than reading one row. */
  readonly reader?: TextReader | undefined
  taken?(rows: Uint32Array): ValuesColumn
}

export function mixedAt(column: MixedColumn, index: number): Value {
  const { tags, numbers, reader } = column
  if (reader !== undefined) {
    const { bytes, start, end } = reader.at(index)
    return valueOfParts(tags[index], numbers[index], bytes, start, end)
  }
  const { bytes, offsets } = column
  return valueOfParts(tags[index], numbers[index], bytes, offsets[index], offsets[index + 1])
}
