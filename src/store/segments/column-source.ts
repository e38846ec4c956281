import type { Bitmap, Codes } from '../../data/index.ts'
import type { GrowingDictionary } from '../memory/index.ts'
import type { BlockCache } from './block-cache.ts'
import type { Elements } from './codings/elements.ts'
import type { StoredArray } from './layout.ts'
import type { OpenContents } from './block-file.ts'
import type { RowGroupFile } from './part-file.ts'
import { ElementParts } from './stored-array.ts'

/** Data that all columns of a stored segment share. */
export interface ColumnSource {
  readonly file: RowGroupFile
  readonly cache: BlockCache
  open(): OpenContents
  /** The times of the rows; at the same time the values of the time field. */
  readonly deltas: ElementParts<Float64Array>
  readonly deltasBlock: number
  dictionary(field: string): GrowingDictionary
  /** The arrays created so far, by block number. */
  readonly arrays: Map<number, ElementParts<Elements>>
}

export function arrayParts<T extends Elements>(
  source: ColumnSource,
  stored: StoredArray,
  length: number,
  type: new (length: number) => T,
  check?: (elements: Elements) => void,
): ElementParts<T> {
  const { block, length: found } = stored
  if (found !== length) throw source.file.damaged(`block ${block} has ${found} elements, not ${length}`)
  const parts = new ElementParts(source, stored, type, check)
  source.arrays.set(block, parts)
  return parts
}

export function bitsParts(
  source: ColumnSource,
  stored: StoredArray | undefined,
  rows: number,
): ElementParts<Bitmap> | undefined {
  return stored === undefined ? undefined : arrayParts(source, stored, (rows + 31) >>> 5, Uint32Array)
}

/** Prefetches the bits of these rows. Returns true if some are not in memory yet. */
export function bitsAhead(bits: ElementParts<Bitmap> | undefined, rows: Uint32Array): boolean {
  return bits !== undefined && bits.readAhead(rows.map((row) => row >>> 5))
}

/**
 * Returns an array of dictionary codes. Each code is checked to be at most `maxCode` when read, since readers and
 * kernels index the dictionary without a check.
 */
export function codesParts(
  source: ColumnSource,
  stored: StoredArray,
  length: number,
  maxCode: number,
): ElementParts<Codes> {
  const check = (codes: Elements): void => {
    let most = 0
    for (let i = 0; i < codes.length; i++) if (codes[i] > most) most = codes[i]
    if (most > maxCode) throw source.file.damaged(`block ${stored.block} has code ${most}, above ${maxCode}`)
  }
  switch (stored.type) {
    case 'u8':
      return arrayParts(source, stored, length, Uint8Array, check)
    case 'u16':
      return arrayParts(source, stored, length, Uint16Array, check)
    default:
      return arrayParts(source, stored, length, Uint32Array, check)
  }
}
