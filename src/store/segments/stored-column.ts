import { Bytes, sharedMemory } from '../../base/index.ts'
import type { Bitmap, Codes, Column, Dictionary, TextParts } from '../../data/index.ts'
import {
  codeOrder,
  type CodeOrder,
  type CodeZones,
  type GrowingDictionary,
  type StoredColumn,
  type ZoneMap,
} from '../memory/index.ts'
import { CachedPart, type BlockCache } from './block-cache.ts'
import type { Elements } from './codings.ts'
import {
  doubleOfHex,
  type FieldContents,
  type StoredArray,
  type StoredColumnContents,
  type StoredTexts,
} from './layout.ts'
import type { OpenContents, SegmentFile } from './segment-file.ts'
import { decodeTexts, decodeTextsInto, type DecodedTexts } from './texts.ts'
import { PAGE_BYTES, keyOfCode, mayHave, pageOf } from './word-filter.ts'

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
}

function kept<T>(source: ColumnSource, part: CachedPart<T>): CachedPart<T> {
  source.parts.push(part)
  return part
}

function arrayPart<T extends Elements>(
  source: ColumnSource,
  stored: StoredArray,
  length: number,
  type: new (length: number) => T,
): CachedPart<T> {
  const { file } = source
  if (stored.length !== length) throw file.damaged(`block ${stored.block} has ${stored.length} elements, not ${length}`)
  return kept(source, new CachedPart(source.cache, file.bytesOf(stored), () => file.typed(source.open(), stored, type)))
}

function bitsPart(source: ColumnSource, stored: StoredArray | undefined, rows: number): CachedPart<Bitmap> | undefined {
  return stored === undefined ? undefined : arrayPart(source, stored, (rows + 31) >>> 5, Uint32Array)
}

function codesPart(source: ColumnSource, stored: StoredArray, length: number): CachedPart<Codes> {
  switch (stored.type) {
    case 'u8':
      return arrayPart(source, stored, length, Uint8Array)
    case 'u16':
      return arrayPart(source, stored, length, Uint16Array)
    default:
      return arrayPart(source, stored, length, Uint32Array)
  }
}

/** Texts of rows, all at once for scans or block by block for single rows. */
class StoredTextParts implements TextParts {
  readonly #source: ColumnSource
  readonly #stored: StoredTexts
  readonly #rows: number
  readonly #whole: CachedPart<DecodedTexts>
  readonly #blocks: (CachedPart<DecodedTexts> | undefined)[] = []

  constructor(source: ColumnSource, stored: StoredTexts, rows: number) {
    this.#source = source
    this.#stored = stored
    this.#rows = rows
    const isAscending = stored.firstRows.every((row, i) => (i === 0 ? row === 0 : row > (stored.firstRows[i - 1] ?? 0)))
    if (!isAscending || (stored.firstRows.at(-1) ?? -1) >= rows)
      throw source.file.damaged('the rows of its text blocks do not add up')
    this.#whole = kept(source, new CachedPart(source.cache, stored.bytes + rows * 4, () => this.#readWhole()))
  }

  get bytes(): Bytes {
    return this.#whole.get().bytes
  }

  get offsets(): Uint32Array {
    return this.#whole.get().offsets
  }

  get byteLength(): number {
    return this.#stored.bytes
  }

  #rowsOf(block: number): number {
    const { firstRows } = this.#stored
    return (firstRows[block + 1] ?? this.#rows) - firstRows[block]
  }

  #damaged(block: number): Error {
    return this.#source.file.damaged(`block ${block} is not texts of its rows`)
  }

  #readWhole(): DecodedTexts {
    const { file } = this.#source
    const { block: first, firstRows, bytes } = this.#stored
    const open = this.#source.open()
    // Unpacked blocks are as long as the table says: texts cannot be more.
    let most = 0
    for (let i = 0; i < firstRows.length; i++) most += open.blocks.plainBytes[first + i] ?? 0
    if (!(bytes <= most)) throw this.#damaged(first)
    const texts = { bytes: Bytes.from(sharedMemory(bytes)), offsets: new Uint32Array(this.#rows + 1) }
    let number = 0
    for (const block of file.blocks(open, first, firstRows.length)) {
      if (decodeTextsInto(block, this.#rowsOf(number), texts, firstRows[number]) === undefined)
        throw this.#damaged(first + number)
      number++
    }
    if (texts.offsets[this.#rows] !== bytes) throw this.#damaged(first)
    return texts
  }

  at(row: number): { readonly bytes: Bytes; readonly start: number; readonly end: number } {
    if (this.#whole.isHeld) {
      const { bytes, offsets } = this.#whole.get()
      return { bytes, start: offsets[row], end: offsets[row + 1] }
    }
    const { firstRows, block } = this.#stored
    let low = 0
    let high = firstRows.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (firstRows[middle] <= row) low = middle
      else high = middle - 1
    }
    const number = low
    let part = this.#blocks[number]
    if (part === undefined) {
      const { file } = this.#source
      const plainBytes = this.#source.open().blocks.plainBytes[block + number] ?? 0
      part = kept(
        this.#source,
        new CachedPart(this.#source.cache, plainBytes, () => {
          const bytes = file.plainBlock(this.#source.open(), block + number)
          const texts = decodeTexts(bytes, this.#rowsOf(number))
          if (texts === undefined) throw this.#damaged(block + number)
          return texts
        }),
      )
      this.#blocks[number] = part
    }
    const { bytes, offsets } = part.get()
    const at = row - firstRows[number]
    return { bytes, start: offsets[at], end: offsets[at + 1] }
  }
}

/** A column whose arrays are read when they are asked for. */
function storedColumn(source: ColumnSource, name: string, stored: StoredColumnContents): Column {
  const { length } = stored
  switch (stored.kind) {
    case 'dictionary': {
      const dictionary = source.dictionary(name)
      if (!(stored.maxCode < dictionary.size))
        throw source.file.damaged(`its field \`${name}\` has codes that the dictionary lacks`)
      return new LazyCodes(length, dictionary, codesPart(source, stored.codes, length))
    }
    case 'float64':
      return new LazyDoubles(
        length,
        arrayPart(source, stored.values, length, Float64Array),
        bitsPart(source, stored.validity, length),
      )
    case 'int64':
      return new LazyIntegers(
        length,
        arrayPart(source, stored.high, length, Int32Array),
        arrayPart(source, stored.low, length, Uint32Array),
        bitsPart(source, stored.validity, length),
      )
    case 'time': {
      const isRowTime = stored.deltas.block === source.deltasBlock
      const deltas = isRowTime ? source.deltas : arrayPart(source, stored.deltas, length, Float64Array)
      return new LazyTimes(length, BigInt(stored.baseNs), deltas, bitsPart(source, stored.validity, length))
    }
    case 'text':
      return new LazyTexts(
        length,
        new StoredTextParts(source, stored.texts, length),
        bitsPart(source, stored.validity, length),
        bitsPart(source, stored.wide, length),
      )
    case 'mixed':
      return new LazyMixed(
        length,
        arrayPart(source, stored.tags, length, Uint8Array),
        arrayPart(source, stored.numbers, length, Float64Array),
        new StoredTextParts(source, stored.texts, length),
      )
    case 'sparse': {
      const { present } = stored
      return new LazySparse(
        length,
        arrayPart(source, stored.rows, present.length, Uint32Array),
        storedColumn(source, name, present),
      )
    }
    default:
      throw source.file.damaged(`its field \`${name}\` has a column of an unknown kind`)
  }
}

class LazyCodes {
  readonly kind = 'dictionary'
  readonly length: number
  readonly dictionary: Dictionary
  readonly #codes: CachedPart<Codes>

  constructor(length: number, dictionary: Dictionary, codes: CachedPart<Codes>) {
    this.length = length
    this.dictionary = dictionary
    this.#codes = codes
  }

  get codes(): Codes {
    return this.#codes.get()
  }
}

class LazyDoubles {
  readonly kind = 'float64'
  readonly length: number
  readonly #values: CachedPart<Float64Array>
  readonly #validity: CachedPart<Bitmap> | undefined

  constructor(length: number, values: CachedPart<Float64Array>, validity: CachedPart<Bitmap> | undefined) {
    this.length = length
    this.#values = values
    this.#validity = validity
  }

  get values(): Float64Array {
    return this.#values.get()
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

class LazyIntegers {
  readonly kind = 'int64'
  readonly length: number
  readonly #high: CachedPart<Int32Array>
  readonly #low: CachedPart<Uint32Array>
  readonly #validity: CachedPart<Bitmap> | undefined

  constructor(
    length: number,
    high: CachedPart<Int32Array>,
    low: CachedPart<Uint32Array>,
    validity: CachedPart<Bitmap> | undefined,
  ) {
    this.length = length
    this.#high = high
    this.#low = low
    this.#validity = validity
  }

  get high(): Int32Array {
    return this.#high.get()
  }

  get low(): Uint32Array {
    return this.#low.get()
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

class LazyTimes {
  readonly kind = 'time'
  readonly length: number
  readonly baseNs: bigint
  readonly #deltas: CachedPart<Float64Array>
  readonly #validity: CachedPart<Bitmap> | undefined

  constructor(
    length: number,
    baseNs: bigint,
    deltas: CachedPart<Float64Array>,
    validity: CachedPart<Bitmap> | undefined,
  ) {
    this.length = length
    this.baseNs = baseNs
    this.#deltas = deltas
    this.#validity = validity
  }

  get deltas(): Float64Array {
    return this.#deltas.get()
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

class LazyTexts {
  readonly kind = 'text'
  readonly length: number
  readonly parts: StoredTextParts
  readonly #validity: CachedPart<Bitmap> | undefined
  readonly #wide: CachedPart<Bitmap> | undefined

  constructor(
    length: number,
    parts: StoredTextParts,
    validity: CachedPart<Bitmap> | undefined,
    wide: CachedPart<Bitmap> | undefined,
  ) {
    this.length = length
    this.parts = parts
    this.#validity = validity
    this.#wide = wide
  }

  get bytes(): Bytes {
    return this.parts.bytes
  }

  get offsets(): Uint32Array {
    return this.parts.offsets
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }

  get wide(): Bitmap | undefined {
    return this.#wide?.get()
  }
}

class LazyMixed {
  readonly kind = 'mixed'
  readonly length: number
  readonly parts: StoredTextParts
  readonly #tags: CachedPart<Uint8Array>
  readonly #numbers: CachedPart<Float64Array>

  constructor(length: number, tags: CachedPart<Uint8Array>, numbers: CachedPart<Float64Array>, parts: StoredTextParts) {
    this.length = length
    this.#tags = tags
    this.#numbers = numbers
    this.parts = parts
  }

  get tags(): Uint8Array {
    return this.#tags.get()
  }

  get numbers(): Float64Array {
    return this.#numbers.get()
  }

  get bytes(): Bytes {
    return this.parts.bytes
  }

  get offsets(): Uint32Array {
    return this.parts.offsets
  }
}

class LazySparse {
  readonly kind = 'sparse'
  readonly length: number
  readonly present: Column
  readonly #rows: CachedPart<Uint32Array>

  constructor(length: number, rows: CachedPart<Uint32Array>, present: Column) {
    this.length = length
    this.#rows = rows
    this.present = present
  }

  get rows(): Uint32Array {
    return this.#rows.get()
  }
}

/** A field of a segment file. */
export class StoredField implements StoredColumn {
  readonly missingCount: number
  readonly #source: ColumnSource
  readonly #contents: FieldContents
  readonly #rowCount: number
  #column: Column | undefined
  #counts: CachedPart<Uint32Array> | undefined
  #order: CachedPart<CodeOrder> | undefined
  #zones: CachedPart<ZoneMap> | undefined
  #zonesByCode: CachedPart<ReadonlyMap<string, CodeZones>> | undefined
  readonly #pages = new Map<number, CachedPart<Buffer>>()

  constructor(source: ColumnSource, contents: FieldContents, rowCount: number) {
    this.#source = source
    this.#contents = contents
    this.#rowCount = rowCount
    this.missingCount = contents.missingCount
  }

  get column(): Column {
    return (this.#column ??= this.#made())
  }

  #made(): Column {
    const { name, column } = this.#contents
    if (column.length !== this.#rowCount)
      throw this.#source.file.damaged(`its field \`${name}\` has ${column.length} rows, not ${this.#rowCount}`)
    return storedColumn(this.#source, name, column)
  }

  get counts(): Uint32Array | undefined {
    const { counts } = this.#contents
    if (counts === undefined) return undefined
    return (this.#counts ??= arrayPart(this.#source, counts, counts.length, Uint32Array)).get()
  }

  get hasOrder(): boolean {
    return this.#contents.hasOrder
  }

  /** Made from the codes: that takes less time than to read it, and a third of what the codes take on the disk. */
  get order(): CodeOrder | undefined {
    if (!this.#contents.hasOrder) return undefined
    this.#order ??= kept(
      this.#source,
      new CachedPart(this.#source.cache, this.#rowCount * 2 + (this.#contents.counts?.length ?? 0) * 6, () => {
        const { column } = this
        if (column.kind !== 'dictionary') throw this.#source.file.damaged('rows by code of a field without codes')
        return codeOrder(column.codes, this.counts)
      }),
    )
    return this.#order.get()
  }

  get zones(): ZoneMap | undefined {
    const { zones } = this.#contents
    if (zones === undefined) return undefined
    const { file, cache } = this.#source
    this.#zones ??= kept(
      this.#source,
      new CachedPart(cache, zones.mins.length * 16, () => {
        const { hasNan, isInteger, mins, maxs, min, max } = zones
        const open = this.#source.open()
        return {
          hasNan,
          isInteger,
          mins: file.typed(open, mins, Float64Array),
          maxs: file.typed(open, maxs, Float64Array),
          min: doubleOfHex(min),
          max: doubleOfHex(max),
        }
      }),
    )
    return this.#zones.get()
  }

  get zonesByCode(): ReadonlyMap<string, CodeZones> {
    const { zonesByCode } = this.#contents
    if (zonesByCode.length === 0) return NO_ZONES
    const { file, cache } = this.#source
    let bytes = 0
    for (const { mins } of zonesByCode) bytes += mins.length * 16
    this.#zonesByCode ??= kept(
      this.#source,
      new CachedPart(cache, bytes, () => {
        const open = this.#source.open()
        return new Map(
          zonesByCode.map(({ field, codes, mins, maxs }) => [
            field,
            { codes, mins: file.typed(open, mins, Float64Array), maxs: file.typed(open, maxs, Float64Array) },
          ]),
        )
      }),
    )
    return this.#zonesByCode.get()
  }

  mayHave(code: number): boolean {
    const { codeFilter, column } = this.#contents
    if (column.kind === 'dictionary' && code > column.maxCode) return false
    if (codeFilter === undefined) return true
    const key = keyOfCode(code)
    const number = codeFilter.block + pageOf(codeFilter, key)
    let part = this.#pages.get(number)
    if (part === undefined) {
      const { file, cache } = this.#source
      part = kept(
        this.#source,
        new CachedPart(cache, PAGE_BYTES, () => {
          const page = file.plainBlock(this.#source.open(), number)
          if (page.length !== PAGE_BYTES) throw file.damaged(`block ${number} is not a page of a filter`)
          return page
        }),
      )
      this.#pages.set(number, part)
    }
    return mayHave(part.get(), key)
  }
}

const NO_ZONES: ReadonlyMap<string, CodeZones> = new Map()
