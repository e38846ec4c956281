import { CachedPart, CachedParts, type BlockCache } from './block-cache.ts'
import { emptyArray, type Elements } from './codings/elements.ts'
import type { StoredArray } from './layout.ts'
import type { PieceElements } from './codings/piece-elements.ts'
import type { OpenContents } from './block-file.ts'
import type { RowGroupFile } from './part-file.ts'
import type { WantedPiece } from './wanted-pieces.ts'

/**
 * If more than 1/2 of the pieces are needed, the whole array is read, which costs no more. A single piece is always
 * read alone.
 */
const MOST_PIECES_SHARE = 2

/** The file of an array, and the cache for what is read. */
export interface ArraySource {
  readonly file: RowGroupFile
  readonly cache: BlockCache
  open(): OpenContents
}

/**
 * An array in a file. Scans read it whole. For single rows, an array stored in pieces reads only the pieces with these
 * rows.
 */
export class ElementParts<T extends Elements> {
  readonly #source: ArraySource
  readonly #stored: StoredArray
  readonly #type: new (length: number) => T
  readonly #whole: CachedPart<T>
  readonly #pieces: CachedParts<PieceElements>
  readonly #count: number
  readonly #elements: number
  readonly #check: (elements: Elements) => void

  /** `check` must throw for invalid elements. */
  constructor(
    source: ArraySource,
    stored: StoredArray,
    type: new (length: number) => T,
    check: (elements: Elements) => void = () => undefined,
  ) {
    const { file, cache } = source
    this.#source = source
    this.#stored = stored
    this.#type = type
    this.#check = check
    this.#elements = stored.pieces?.elements ?? stored.length
    this.#count = Math.ceil(stored.length / this.#elements)
    const bytes = file.bytesOf(stored)
    this.#whole = new CachedPart(cache, bytes, () => {
      const { block, length } = stored
      const copy = cache.copyOf(file.source, block, (found) => (found === bytes ? new type(length) : undefined))
      if (copy !== undefined) return copy
      const elements = file.typed(source.open(), stored, type)
      check(elements)
      cache.share(file.source, block, elements)
      return elements
    })
    this.#pieces = new CachedParts(
      cache,
      () => (this.#elements * file.bytesOf(stored)) / stored.length,
      (number) => file.piece(this.#typed(), stored, number),
    )
  }

  get length(): number {
    return this.#stored.length
  }

  /** True if the whole array is cached. */
  get isHeld(): boolean {
    return this.#whole.isHeld
  }

  /** Returns the whole array. */
  get(): T {
    return this.#whole.get()
  }

  /** Returns one element. */
  at(index: number): number {
    if (this.#whole.isHeld || this.#count <= 1) return this.#whole.get()[index]
    const number = Math.floor(index / this.#elements)
    if (!this.#pieces.isHeld(number) && this.#isMuch(this.#pieces.heldCount + 1)) return this.#whole.get()[index]
    return this.#pieces.get(number).at(index - number * this.#elements)
  }

  /** Returns the footer of the file. Throws SluiceError `durable/damaged` if the array has another element type. */
  #typed(): OpenContents {
    const { file } = this.#source
    file.ofType(this.#stored, emptyArray(this.#stored.type, 0), this.#type)
    return this.#source.open()
  }

  /** Returns the elements at these indexes, in this order. */
  taken(indexes: Uint32Array): T {
    const taken = new this.#type(indexes.length)
    if (this.#isWholeFor(indexes)) {
      const whole = this.#whole.get()
      for (let i = 0; i < indexes.length; i++) taken[i] = whole[indexes[i]]
      return taken
    }
    let number = -1
    let piece: PieceElements | undefined
    for (let i = 0; i < indexes.length; i++) {
      const wanted = Math.floor(indexes[i] / this.#elements)
      if (wanted !== number || piece === undefined) piece = this.#pieces.get((number = wanted))
      taken[i] = piece.at(indexes[i] - number * this.#elements)
    }
    this.#check(taken)
    return taken
  }

  /** Prefetches the whole array. Returns true if it is not in memory yet. Throws SluiceError `durable/damaged`. */
  wholeAhead(): boolean {
    const { file, cache } = this.#source
    if (this.#whole.isHeld || cache.isShared(file.source, this.#stored.block)) return false
    return file.blocksAhead(this.#source.open(), this.#stored.block)
  }

  /**
   * Prefetches the data that `taken` reads for these indexes. Returns true if some of it is not in memory yet. Throws
   * SluiceError `durable/damaged`.
   */
  readAhead(indexes: Uint32Array): boolean {
    if (this.#isWholeFor(indexes)) return this.wholeAhead()
    const { file } = this.#source
    let isAhead = false
    for (const number of this.#missing(indexes))
      if (file.pieceAhead(this.#source.open(), this.#stored, number)) isAhead = true
    return isAhead
  }

  /** Yields the pieces that `taken` would read for these indexes. Throws SluiceError `durable/damaged`. */
  *wanted(indexes: Uint32Array): Generator<WantedPiece> {
    if (this.#isWholeFor(indexes)) return
    const { file } = this.#source
    for (const number of this.#missing(indexes))
      yield {
        file,
        open: this.#typed(),
        stored: this.#stored,
        number,
        take: (elements) => this.#pieces.put(number, elements),
      }
  }

  /** Returns the numbers of the pieces that contain these indexes and are not cached. */
  #missing(indexes: Uint32Array): ReadonlySet<number> {
    const missing = new Set<number>()
    for (const index of indexes) {
      const number = Math.floor(index / this.#elements)
      if (!this.#pieces.isHeld(number)) missing.add(number)
    }
    return missing
  }

  #isMuch(pieces: number): boolean {
    return pieces > 1 && pieces * MOST_PIECES_SHARE > this.#count
  }

  #isWholeFor(indexes: Uint32Array): boolean {
    if (this.#whole.isHeld || this.#count <= 1) return true
    const wanted = new Set<number>()
    for (const index of indexes) {
      const number = Math.floor(index / this.#elements)
      if (!this.#pieces.isHeld(number)) wanted.add(number)
      if (this.#isMuch(wanted.size)) return true
    }
    return false
  }
}
