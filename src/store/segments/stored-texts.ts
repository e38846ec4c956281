import { Bytes, sharedMemory } from '../../base/index.ts'
import { chunkOfRow, type TextReader } from '../../data/index.ts'
import { CachedPart, CachedParts } from './block-cache.ts'
import type { ColumnSource } from './column-source.ts'
import type { StoredTexts } from './layout.ts'
import { decodeTexts, decodeTextsInto, type DecodedTexts } from './texts.ts'

/** Texts of rows in a file. Scans read all texts at once; for a single row, one block is read. */
export class StoredTextParts implements TextReader {
  readonly #source: ColumnSource
  readonly #stored: StoredTexts
  readonly #rows: number
  readonly #firstRows: Uint32Array
  #lastBlock = 0
  readonly #whole: CachedPart<DecodedTexts>
  readonly #blocks: CachedParts<DecodedTexts>

  constructor(source: ColumnSource, stored: StoredTexts, rows: number) {
    this.#source = source
    this.#stored = stored
    this.#rows = rows
    const isAscending = stored.firstRows.every((row, i) => (i === 0 ? row === 0 : row > (stored.firstRows[i - 1] ?? 0)))
    if (!isAscending || (stored.firstRows.at(-1) ?? -1) >= rows)
      throw source.file.damaged('the rows of its text blocks do not add up')
    this.#firstRows = Uint32Array.from(stored.firstRows)
    this.#whole = new CachedPart(source.cache, stored.bytes + rows * 4, () => this.#readWhole())
    this.#blocks = new CachedParts(
      source.cache,
      (number) => source.open().blocks.plainBytes[stored.block + number] ?? 0,
      (number) => this.#readBlock(number),
    )
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
    const { file, cache } = this.#source
    const { block: first, firstRows, bytes } = this.#stored
    const copy = this.#copyWhole()
    if (copy !== undefined) return copy
    const open = this.#source.open()
    // The block table has the decompressed length of each block, which bounds the length of the texts.
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
    cache.share(file.source, first, texts.bytes)
    cache.share(file.source, first, texts.offsets, 1)
    return texts
  }

  /** Returns a copy of all texts, if another thread has read them; otherwise `undefined`. */
  #copyWhole(): DecodedTexts | undefined {
    const { file, cache } = this.#source
    const { block, bytes: textBytes } = this.#stored
    const offsets = cache.copyOf(
      file.source,
      block,
      (found) => (found === (this.#rows + 1) * 4 ? new Uint32Array(this.#rows + 1) : undefined),
      1,
    )
    if (offsets === undefined) return undefined
    const allocate = (found: number): Bytes | undefined =>
      found === textBytes ? Bytes.from(sharedMemory(found)) : undefined
    const bytes = cache.copyOf(file.source, block, allocate)
    return bytes && { bytes, offsets }
  }

  #readBlock(number: number): DecodedTexts {
    const block = this.#stored.block + number
    const texts = decodeTexts(this.#source.file.plainBlock(this.#source.open(), block), this.#rowsOf(number))
    if (texts === undefined) throw this.#damaged(block)
    return texts
  }

  /** Returns the block with a row. Tries the last block first, since rows are mostly read in order. */
  #blockOf(row: number): number {
    const number = this.#lastBlock
    const isSame = row >= this.#firstRows[number] && row < (this.#firstRows[number + 1] ?? this.#rows)
    return isSame ? number : (this.#lastBlock = chunkOfRow(this.#firstRows, row))
  }

  /** Prefetches the blocks with these rows. Returns true if some are not in memory yet. */
  readAhead(rows: Uint32Array): boolean {
    if (this.#whole.isHeld) return false
    let isAhead = false
    for (const row of rows) {
      const number = chunkOfRow(this.#firstRows, row)
      if (this.#blocks.isHeld(number)) continue
      if (this.#source.file.blocksAhead(this.#source.open(), this.#stored.block + number)) isAhead = true
    }
    return isAhead
  }

  at(row: number): { readonly bytes: Bytes; readonly start: number; readonly end: number } {
    if (this.#whole.isHeld) {
      const { bytes, offsets } = this.#whole.get()
      return { bytes, start: offsets[row], end: offsets[row + 1] }
    }
    const number = this.#blockOf(row)
    const { bytes, offsets } = this.#blocks.get(number)
    const at = row - this.#firstRows[number]
    return { bytes, start: offsets[at], end: offsets[at + 1] }
  }
}
