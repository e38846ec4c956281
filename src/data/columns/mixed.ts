import type { Bytes } from '../../base/index.ts'
import type { Value } from '../value.ts'
import { valueOfParts } from './dictionary.ts'

/** A field whose values are of several classes: a tag a row, and the value where its class keeps it. */
export interface MixedColumn {
  readonly kind: 'mixed'
  readonly length: number
  readonly tags: Uint8Array
  readonly numbers: Float64Array
  readonly bytes: Bytes
  readonly offsets: Uint32Array
}

export function mixedAt(column: MixedColumn, index: number): Value {
  const { tags, numbers, bytes, offsets } = column
  return valueOfParts(tags[index], numbers[index], bytes, offsets[index], offsets[index + 1])
}
