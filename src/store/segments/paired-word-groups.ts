import { CachedParts, type BlockCache, type CachedPart } from './block-cache.ts'
import type { StoredArray } from './layout.ts'
import type { OpenContents, SegmentFile } from './segment-file.ts'
import { decodeWords, placesOfRows, type WordGroup, type WordGroups } from './word-groups.ts'

interface PairedGroup extends WordGroup {
  /** Where what each word has begins among the rows of the group; one more than there are words. */
  readonly places: Uint32Array
}

/** The words of a group take about so much; what they take is known once they are read. */
const WORDS_BYTES = 24 * 1024
const HEAD = 8

/** Groups of files of versions 1 and 2: of each a block of words and, elsewhere, a block of rows. */
export class PairedWordGroups implements WordGroups {
  readonly #file: SegmentFile
  readonly #words: number
  readonly #rows: number
  readonly #wordParts: CachedParts<PairedGroup>
  readonly #rowParts: CachedParts<Uint16Array>

  /** `words` and `rows`: the blocks of the first group. */
  constructor(
    file: SegmentFile,
    open: () => OpenContents,
    cache: BlockCache,
    rowCount: number,
    { words, rows }: { readonly words: number; readonly rows: number },
  ) {
    this.#file = file
    this.#words = words
    this.#rows = rows
    this.#wordParts = new CachedParts(
      cache,
      () => WORDS_BYTES,
      (group) => readPairedGroup(file, open(), words + group, rowCount),
    )
    this.#rowParts = new CachedParts(
      cache,
      (group) => file.bytesOf(this.#storedRows(group)),
      (group) => file.typed(open(), this.#storedRows(group), Uint16Array),
    )
  }

  get(group: number): PairedGroup {
    return this.#wordParts.get(group)
  }

  #storedRows(group: number): StoredArray {
    const { counts, places } = this.get(group)
    return { type: 'u16', length: places[counts.length], block: this.#rows + group }
  }

  rowsOf(group: number, place: number): Uint16Array {
    const { places } = this.get(group)
    return this.#rowParts.get(group).subarray(places[place], places[place + 1])
  }

  bitmapOf(group: number, place: number): number {
    return this.#rowParts.get(group)[this.get(group).places[place]]
  }

  isHeld(group: number): boolean {
    return this.#wordParts.isHeld(group)
  }

  readAhead(open: OpenContents, group: number, step: number, withRows: boolean): boolean {
    if (step > 1) return false
    const areRowsHeld = !withRows || this.#rowParts.isHeld(group)
    if (!this.isHeld(group)) this.#file.blocksAhead(open, this.#words + group)
    if (!areRowsHeld) this.#file.blocksAhead(open, this.#rows + group)
    return !this.isHeld(group) || !areRowsHeld
  }

  *parts(): Generator<CachedPart<unknown>> {
    yield* this.#wordParts.parts()
    yield* this.#rowParts.parts()
  }
}

/**
 * A block with how many words there are 4 · their bytes 4 · the words as `decodeWords` has them. Past the cache. Throws SluiceError
 * `durable/damaged`.
 */
export function readPairedGroup(file: SegmentFile, open: OpenContents, number: number, rowCount: number): PairedGroup {
  const block = file.plainBlock(open, number)
  const isLong = block.length >= HEAD
  const words = isLong ? decodeWords(block.subarray(HEAD), block.readUInt32LE(0)) : undefined
  if (words === undefined || words.offsets.at(-1) !== block.readUInt32LE(4))
    throw file.damaged(`block ${number} is not a group of words`)
  return { ...words, places: placesOfRows(words.counts, rowCount, (count) => count, 1) }
}
