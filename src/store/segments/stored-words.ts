import { lastThat, type Bytes } from '../../base/index.ts'
import { rowsOfBitmap, setBit, type Bitmap } from '../../data/index.ts'
import {
  compareBytes,
  cutWord,
  isFrequentIn,
  maxWordBytes,
  type FoundWord,
  type KnownTemplates,
  type TextTemplates,
  type WordIndex,
  type WordSearch,
} from '../memory/index.ts'
import { CachedPart, type BlockCache } from './block-cache.ts'
import { fromPlanes } from './plane-codings.ts'
import { FilterPages } from './filter-pages.ts'
import type { StoredArray, StoredTemplates, WordsContents } from './layout.ts'
import type { OpenContents, SegmentFile } from './segment-file.ts'
import { decodeTexts, type DecodedTexts } from './texts.ts'
import { keyOfBytes } from './word-filter.ts'

/** The words of one group. */
interface WordGroup {
  readonly bytes: Bytes
  /** One more than there are words. */
  readonly offsets: Uint32Array
  /** Rows of each word, less one. */
  readonly counts: Uint16Array
  /** Where the rows of each word begin among those of the group; one more than there are words. */
  readonly places: Uint32Array
}

/** A group takes about so much; what it has is known once it is read. */
const GROUP_BYTES = 24 * 1024

interface StoredWord extends FoundWord {
  readonly group: number
}

/** The word index of a segment file: a look-up reads the directory, a page of the filter unless the word is likely, and then one group. */
export class StoredWords implements WordIndex {
  readonly rowCount: number
  readonly wordCount: number
  readonly memoryBytes: number
  readonly #file: SegmentFile
  readonly #open: () => OpenContents
  readonly #cache: BlockCache
  readonly #contents: WordsContents
  readonly #filter: FilterPages
  readonly #directory: CachedPart<DecodedTexts>
  readonly #templates: CachedPart<TextTemplates> | undefined
  readonly #leftOut: CachedPart<ReadonlySet<string>> | undefined
  readonly #parts = new Map<number, CachedPart<unknown>>()

  constructor(
    file: SegmentFile,
    open: () => OpenContents,
    cache: BlockCache,
    rowCount: number,
    contents: WordsContents,
  ) {
    this.rowCount = rowCount
    this.wordCount = contents.wordCount
    this.memoryBytes = contents.memoryBytes
    this.#file = file
    this.#open = open
    this.#cache = cache
    this.#contents = contents
    this.#filter = new FilterPages(file, open, cache, contents.filter)
    this.#directory = new CachedPart(cache, contents.groups * 16, () => {
      const texts = decodeTexts(file.plainBlock(open(), contents.directory), contents.groups)
      if (texts === undefined) throw file.damaged(`block ${contents.directory} is not ${contents.groups} words`)
      return texts
    })
    const { templates } = contents
    if (templates !== undefined) {
      const { count, leftOutCount } = templates
      this.#templates = new CachedPart(cache, rowCount * 2 + count * 128, () => this.#readTemplates(templates))
      this.#leftOut = new CachedPart(cache, leftOutCount * 64, () => this.#readLeftOut(templates))
    }
  }

  get templates(): KnownTemplates | undefined {
    const { templates } = this.#contents
    const part = this.#templates
    const leftOut = this.#leftOut
    if (templates === undefined || part === undefined || leftOut === undefined) return undefined
    const { leastRows } = templates
    return {
      leastRows,
      isLeftOut: (word) => leftOut.get().has(wordText(word)),
      read: () => part.get(),
      readAhead: () => {
        if (part.isHeld) return
        const { texts, codes } = templates
        const open = this.#open()
        if (!leftOut.isHeld) this.#file.blocksAhead(open, templates.leftOut)
        // They were written one behind another.
        if (codes.block === texts + 1) this.#file.blocksAhead(open, texts, 2)
      },
    }
  }

  #readLeftOut({ leftOut: block, leftOutCount: count }: StoredTemplates): ReadonlySet<string> {
    const texts = decodeTexts(this.#file.plainBlock(this.#open(), block), count)
    if (texts === undefined) throw this.#file.damaged(`block ${block} is not ${count} words`)
    const { bytes, offsets } = texts
    return new Set(Array.from({ length: count }, (_, i) => wordText(bytes.subarray(offsets[i], offsets[i + 1]))))
  }

  #readTemplates({ count, texts: block, codes: stored }: StoredTemplates): TextTemplates {
    const file = this.#file
    const open = this.#open()
    const texts = decodeTexts(file.plainBlock(open, block), count)
    if (texts === undefined) throw file.damaged(`block ${block} is not ${count} templates`)
    const codes = file.typed(open, stored, Uint16Array)
    if (codes.length !== this.rowCount) throw file.damaged('its templates are not those of its rows')
    for (let row = 0; row < codes.length; row++)
      if (codes[row] > count) throw file.damaged(`a row has template ${codes[row]} of ${count}`)
    return { count, ...texts, codes }
  }

  has(needle: Uint8Array, isPrefix: boolean, isLikely = false): boolean {
    return this.find(needle, isPrefix, isLikely).length > 0
  }

  find(needle: Uint8Array, isPrefix: boolean, isLikely = false): readonly FoundWord[] {
    const cut = cutWord(needle)
    const { groups } = this.#contents
    if (groups === 0) return []
    const isFiltered = !isPrefix && !isLikely && !this.#isGroupHeld(cut)
    if (isFiltered && !this.#filter.mayHave(keyOfBytes(cut))) return []
    const found: StoredWord[] = []
    for (let group = this.#groupOf(cut); group < groups; group++) {
      const { bytes, offsets, counts, places } = this.#group(group)
      for (let word = firstWordFrom(bytes, offsets, cut); word < counts.length; word++) {
        const start = offsets[word]
        const end = offsets[word + 1]
        const isBeginning =
          end - start >= cut.length && compareBytes(bytes, start, start + cut.length, cut, 0, cut.length) === 0
        if (!isBeginning || (!isPrefix && end - start > cut.length)) return found
        const count = counts[word] + 1
        found.push({ count, isFrequent: isFrequentIn(this.rowCount, count), place: places[word], group })
      }
    }
    return found
  }

  readAhead(needle: Uint8Array, isPrefix: boolean, step: number, withRows: boolean, isLikely = false): boolean {
    const { groups, words, postings, bitmaps, directory } = this.#contents
    if (groups === 0) return false
    const cut = cutWord(needle)
    const file = this.#file
    const isFiltered = !isPrefix && !isLikely && !this.#isGroupHeld(cut)
    const isFilterHeld = !isFiltered || this.#filter.isHeld(keyOfBytes(cut))
    // Where the filter denies the word nothing else of it is read, now or later.
    if (isFiltered && isFilterHeld && !this.#filter.mayHave(keyOfBytes(cut))) return false
    if (step === 0 && !(isFilterHeld && this.#directory.isHeld)) {
      if (!this.#directory.isHeld) file.blocksAhead(this.#open(), directory)
      if (!isFilterHeld) this.#filter.readAhead(keyOfBytes(cut))
      return true
    }
    if (!isFilterHeld && !this.#filter.mayHave(keyOfBytes(cut))) return false
    const group = this.#groupOf(cut)
    const isGroupHeld = this.#isHeld(words + group)
    const areRowsHeld = !withRows || this.#isHeld(postings + group)
    if (step < 2) {
      if (!isGroupHeld) file.blocksAhead(this.#open(), words + group)
      if (!areRowsHeld) file.blocksAhead(this.#open(), postings + group)
      return !isGroupHeld || !areRowsHeld
    }
    if (!withRows) return false
    for (const word of this.find(needle, isPrefix, isLikely)) {
      if (!word.isFrequent) continue
      const number = this.#postings((word as StoredWord).group)[word.place]
      if (!this.#isHeld(bitmaps + number)) file.blocksAhead(this.#open(), bitmaps + number)
    }
    return true
  }

  /** Whether the words among which the needle would be are there: they tell better than the filter. */
  #isGroupHeld(needle: Uint8Array): boolean {
    return this.#directory.isHeld && this.#isHeld(this.#contents.words + this.#groupOf(needle))
  }

  #isHeld(block: number): boolean {
    return this.#parts.get(block)?.isHeld === true
  }

  findInside({ search, holds }: WordSearch, limitWords: number): readonly FoundWord[] | undefined {
    const found: StoredWord[] = []
    for (let group = 0; group < this.#contents.groups; group++) {
      const { bytes, offsets, counts, places } = this.#group(group)
      const hits = search(bytes, offsets, counts.length)
      for (let word = 0; word < counts.length; word++) {
        if (offsets[word + 1] - offsets[word] >= maxWordBytes) setBit(hits, word)
      }
      for (const word of rowsOfBitmap(hits)) {
        if (!holds(bytes, offsets[word], offsets[word + 1])) continue
        if (found.length === limitWords) return undefined
        const count = counts[word] + 1
        found.push({ count, isFrequent: isFrequentIn(this.rowCount, count), place: places[word], group })
      }
    }
    return found
  }

  bitmapOf(word: FoundWord): Bitmap {
    const { group } = word as StoredWord
    const number = this.#postings(group)[word.place]
    const { bitmaps, bitmapCount } = this.#contents
    if (!(number < bitmapCount)) throw this.#file.damaged(`its rows name bitmap ${number} of ${bitmapCount}`)
    const length = (this.rowCount + 31) >>> 5
    return this.#array({ type: 'u32', length, block: bitmaps + number }, Uint32Array)
  }

  rowsOf(word: FoundWord): Uint16Array {
    const { group } = word as StoredWord
    return this.#postings(group).subarray(word.place, word.place + word.count)
  }

  /** The last group whose first word is not after the needle, or the first. */
  #groupOf(needle: Uint8Array): number {
    const { bytes, offsets } = this.#directory.get()
    return lastThat(
      this.#contents.groups,
      (group) => compareBytes(bytes, offsets[group], offsets[group + 1], needle, 0, needle.length) <= 0,
    )
  }

  #group(group: number): WordGroup {
    return this.#part(this.#contents.words + group, GROUP_BYTES, (open, block) => {
      const bytes = this.#file.plainBlock(open, block)
      const decoded = decodedGroup(bytes, this.rowCount)
      if (decoded === undefined) throw this.#file.damaged(`block ${block} is not a group of words`)
      return decoded
    })
  }

  #postings(group: number): Uint16Array {
    const { counts, places } = this.#group(group)
    const length = places[counts.length]
    return this.#array({ type: 'u16', length, block: this.#contents.postings + group }, Uint16Array)
  }

  #array<T extends Uint16Array | Uint32Array>(stored: StoredArray, type: new (length: number) => T): T {
    return this.#part(stored.block, this.#file.bytesOf(stored), (open) => this.#file.typed(open, stored, type))
  }

  #part<T>(block: number, bytes: number, read: (open: OpenContents, block: number) => T): T {
    let part = this.#parts.get(block) as CachedPart<T> | undefined
    if (part === undefined) {
      part = new CachedPart(this.#cache, bytes, () => read(this.#open(), block))
      this.#parts.set(block, part)
    }
    return part.get()
  }

  *parts(): Generator<CachedPart<unknown>> {
    yield this.#directory
    if (this.#templates !== undefined) yield this.#templates
    if (this.#leftOut !== undefined) yield this.#leftOut
    yield* this.#filter.parts()
    yield* this.#parts.values()
  }
}

/** Words of templates are ASCII. */
function wordText(word: Uint8Array): string {
  return String.fromCharCode(...word)
}

/** The first word that is not before the needle. */
function firstWordFrom(bytes: Bytes, offsets: Uint32Array, needle: Uint8Array): number {
  // As if a word that is before all stood in front.
  return lastThat(
    offsets.length,
    (place) => place === 0 || compareBytes(bytes, offsets[place - 1], offsets[place], needle, 0, needle.length) < 0,
  )
}

function decodedGroup(block: Buffer, rowCount: number): WordGroup | undefined {
  if (block.length < 8) return undefined
  const count = block.readUInt32LE(0)
  const length = block.readUInt32LE(4)
  if (block.length !== 8 + count * 3 + length) return undefined
  const offsets = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i] + block[8 + i]
  if (offsets[count] !== length) return undefined
  const counts = new Uint16Array(count)
  fromPlanes(block.subarray(8 + count), 2, new Uint8Array(counts.buffer))
  const places = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++)
    places[i + 1] = places[i] + (isFrequentIn(rowCount, counts[i] + 1) ? 1 : counts[i] + 1)
  return { bytes: block.subarray(8 + count * 3), offsets, counts, places }
}
