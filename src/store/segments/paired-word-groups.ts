import { CachedPart, type BlockCache } from './block-cache.ts'
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
  readonly #open: () => OpenContents
  readonly #cache: BlockCache
  readonly #rowCount: number
  readonly #words: number
  readonly #rows: number
  readonly #wordParts = new Map<number, CachedPart<PairedGroup>>()
  readonly #rowParts = new Map<number, CachedPart<Uint16Array>>()

  /** `words` and `rows`: the blocks of the first group. */
  constructor(
    file: SegmentFile,
    open: () => OpenContents,
    cache: BlockCache,
    rowCount: number,
    { words, rows }: { readonly words: number; readonly rows: number },
  ) {
    this.#file = file
    this.#open = open
    this.#cache = cache
    this.#rowCount = rowCount
    this.#words = words
    this.#rows = rows
  }

  get(group: number): PairedGroup {
    let part = this.#wordParts.get(group)
    if (part === undefined) {
      part = new CachedPart(this.#cache, WORDS_BYTES, () =>
        readPairedGroup(this.#file, this.#open(), this.#words + group, this.#rowCount),
      )
      this.#wordParts.set(group, part)
    }
    return part.get()
  }

  #rowsOfGroup(group: number): Uint16Array {
    let part = this.#rowParts.get(group)
    if (part === undefined) {
      const { counts, places } = this.get(group)
      const stored = { type: 'u16', length: places[counts.length], block: this.#rows + group } as const
      const file = this.#file
      part = new CachedPart(this.#cache, file.bytesOf(stored), () => file.typed(this.#open(), stored, Uint16Array))
      this.#rowParts.set(group, part)
    }
    return part.get()
  }

  rowsOf(group: number, place: number): Uint16Array {
    const { places } = this.get(group)
    return this.#rowsOfGroup(group).subarray(places[place], places[place + 1])
  }

  bitmapOf(group: number, place: number): number {
    return this.#rowsOfGroup(group)[this.get(group).places[place]]
  }

  isHeld(group: number): boolean {
    return this.#wordParts.get(group)?.isHeld === true
  }

  readAhead(open: OpenContents, group: number, step: number, withRows: boolean): boolean {
    if (step > 1) return false
    const areRowsHeld = !withRows || this.#rowParts.get(group)?.isHeld === true
    if (!this.isHeld(group)) this.#file.blocksAhead(open, this.#words + group)
    if (!areRowsHeld) this.#file.blocksAhead(open, this.#rows + group)
    return !this.isHeld(group) || !areRowsHeld
  }

  *parts(): Generator<CachedPart<unknown>> {
    yield* this.#wordParts.values()
    yield* this.#rowParts.values()
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
