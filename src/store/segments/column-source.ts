import type { Bitmap, Codes } from '../../data/index.ts'
import type { GrowingDictionary } from '../memory/index.ts'
import { CachedPart, type BlockCache } from './block-cache.ts'
import type { Elements } from './codings.ts'
import type { FilterPages } from './filter-pages.ts'
import type { StoredArray } from './layout.ts'
import type { OpenContents, SegmentFile } from './segment-file.ts'

/** What columns of one segment share. */
export interface ColumnSource {
  readonly file: SegmentFile
  readonly cache: BlockCache
  open(): OpenContents
  /** The times of the rows, which the time field is. */
  readonly deltas: CachedPart<Float64Array>
  readonly deltasBlock: number
  dictionary(field: string): GrowingDictionary
  /** Every part that was made, so that they can be let go together. */
  readonly parts: CachedPart<unknown>[]
  /** Those of arrays, by their blocks. */
  readonly partsByBlock: Map<number, CachedPart<unknown>>
  /** Every filter of a field that was asked. */
  readonly filters: FilterPages[]
}

export function kept<T>(source: ColumnSource, part: CachedPart<T>): CachedPart<T> {
  source.parts.push(part)
  return part
}

export function arrayPart<T extends Elements>(
  source: ColumnSource,
  stored: StoredArray,
  length: number,
  type: new (length: number) => T,
): CachedPart<T> {
  const { file } = source
  if (stored.length !== length) throw file.damaged(`block ${stored.block} has ${stored.length} elements, not ${length}`)
  const part = new CachedPart(source.cache, file.bytesOf(stored), () => file.typed(source.open(), stored, type))
  source.partsByBlock.set(stored.block, part)
  return kept(source, part)
}

export function bitsPart(
  source: ColumnSource,
  stored: StoredArray | undefined,
  rows: number,
): CachedPart<Bitmap> | undefined {
  return stored === undefined ? undefined : arrayPart(source, stored, (rows + 31) >>> 5, Uint32Array)
}

export function codesPart(source: ColumnSource, stored: StoredArray, length: number): CachedPart<Codes> {
  switch (stored.type) {
    case 'u8':
      return arrayPart(source, stored, length, Uint8Array)
    case 'u16':
      return arrayPart(source, stored, length, Uint16Array)
    default:
      return arrayPart(source, stored, length, Uint32Array)
  }
}
