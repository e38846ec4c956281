import { lastThat, type Bytes } from '../../../base/index.ts'
import { rowsOfBitmap, setBit, type Bitmap } from '../../../data/index.ts'
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
} from '../../memory/index.ts'
import { CachedPart, CachedParts, type BlockCache } from '../block-cache.ts'
import type { StoredArray, StoredTemplates, WordsContents } from '../layout.ts'
import type { OpenContents } from '../block-file.ts'
import type { RowGroupFile } from '../part-file.ts'
import { decodeTexts, type DecodedTexts } from '../texts.ts'
import { GroupsOfWords, readGroup, type WordGroup } from './word-groups.ts'

interface StoredWord extends FoundWord {
  /** The group to which `location` refers. */
  readonly group: number
}

/**
 * The word index of a row group in a file. A lookup reads the directory, and then one group of words with their rows.
 */
export class StoredWords implements WordIndex {
  readonly rowCount: number
  readonly wordCount: number
  readonly memoryBytes: number
  readonly #file: RowGroupFile
  readonly #open: () => OpenContents
  readonly #contents: WordsContents
  readonly #groups: GroupsOfWords
  readonly #directory: CachedPart<DecodedTexts>
  readonly #templates: CachedPart<TextTemplates> | undefined
  readonly #leftOut: CachedPart<ReadonlySet<string>> | undefined
  readonly #bitmaps: CachedParts<Bitmap>

  constructor(
    file: RowGroupFile,
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
    this.#contents = contents
    this.#directory = new CachedPart(cache, contents.groups * 16, () => {
      const texts = decodeTexts(file.plainBlock(open(), contents.directory), contents.groups)
      if (texts === undefined) throw file.damaged(`block ${contents.directory} is not ${contents.groups} words`)
      return texts
    })
    const bitmap = (number: number): StoredArray => ({
      type: 'u32',
      length: (rowCount + 31) >>> 5,
      block: contents.bitmaps + number,
    })
    this.#bitmaps = new CachedParts(
      cache,
      (number) => file.bytesOf(bitmap(number)),
      (number) => file.typed(open(), bitmap(number), Uint32Array),
    )
    const { templates, words } = contents
    this.#groups = new GroupsOfWords(file, open, cache, rowCount, words)
    if (templates !== undefined) {
      const { count, leftOutCount, codes } = templates
      this.#templates = new CachedPart(cache, file.bytesOf(codes) + count * 128, () => this.#readTemplates(templates))
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
        this.#file.blocksAhead(open, texts)
        this.#file.blocksAhead(open, codes.block)
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
    const codes = stored.type === 'u8' ? file.typed(open, stored, Uint8Array) : file.typed(open, stored, Uint16Array)
    if (codes.length !== this.rowCount) throw file.damaged('its templates are not those of its rows')
    for (let row = 0; row < codes.length; row++)
      if (codes[row] > count) throw file.damaged(`a row has template ${codes[row]} of ${count}`)
    return { count, ...texts, codes }
  }

  has(needle: Uint8Array, isPrefix: boolean): boolean {
    return this.find(needle, isPrefix).length > 0
  }

  find(needle: Uint8Array, isPrefix: boolean): readonly FoundWord[] {
    const cut = cutWord(needle)
    const { groups } = this.#contents
    if (groups === 0) return []
    const found: StoredWord[] = []
    for (let group = this.#groupOf(cut); group < groups; group++) {
      const { bytes, offsets, counts } = this.#groups.get(group)
      for (let word = firstWordFrom(bytes, offsets, cut); word < counts.length; word++) {
        const start = offsets[word]
        const end = offsets[word + 1]
        const isBeginning =
          end - start >= cut.length && compareBytes(bytes, start, start + cut.length, cut, 0, cut.length) === 0
        if (!isBeginning || (!isPrefix && end - start > cut.length)) return found
        const count = counts[word] + 1
        found.push({ count, isFrequent: isFrequentIn(this.rowCount, count), location: word, group })
      }
    }
    return found
  }

  readAhead(needle: Uint8Array, isPrefix: boolean, step: number, withRows: boolean): boolean {
    const { groups, bitmaps, directory } = this.#contents
    if (groups === 0) return false
    const cut = cutWord(needle)
    const file = this.#file
    const open = this.#open()
    if (step === 0 && !this.#directory.isHeld && !file.isNear(open, directory)) {
      file.blocksAhead(open, directory)
      return true
    }
    const isAsked = this.#groups.readAhead(open, this.#groupOf(cut), step)
    if (isAsked || !withRows) return isAsked
    let isBitmapAsked = false
    for (const word of this.find(needle, isPrefix)) {
      if (!word.isFrequent) continue
      const { group, location } = word as StoredWord
      const number = this.#groups.bitmapOf(group, location)
      if (this.#bitmaps.isHeld(number)) continue
      file.blocksAhead(open, bitmaps + number)
      isBitmapAsked = true
    }
    return isBitmapAsked
  }

  findInside({ search, holds }: WordSearch, limitWords: number): readonly FoundWord[] | undefined {
    const found: StoredWord[] = []
    for (let group = 0; group < this.#contents.groups; group++) {
      const { bytes, offsets, counts } = this.#groups.get(group)
      const hits = search(bytes, offsets, counts.length)
      for (let word = 0; word < counts.length; word++) {
        if (offsets[word + 1] - offsets[word] >= maxWordBytes) setBit(hits, word)
      }
      for (const word of rowsOfBitmap(hits)) {
        if (!holds(bytes, offsets[word], offsets[word + 1])) continue
        if (found.length === limitWords) return undefined
        const count = counts[word] + 1
        found.push({ count, isFrequent: isFrequentIn(this.rowCount, count), location: word, group })
      }
    }
    return found
  }

  bitmapOf(word: FoundWord): Bitmap {
    const { group, location } = word as StoredWord
    const number = this.#groups.bitmapOf(group, location)
    const { bitmapCount } = this.#contents
    if (!(number < bitmapCount)) throw this.#file.damaged(`its rows name bitmap ${number} of ${bitmapCount}`)
    return this.#bitmaps.get(number)
  }

  rowsOf(word: FoundWord): Uint16Array {
    const { group, location } = word as StoredWord
    return this.#groups.rowsOf(group, location)
  }

  /** Returns the last group whose first word is not after `needle`; the first group if there is none. */
  #groupOf(needle: Uint8Array): number {
    const { bytes, offsets } = this.#directory.get()
    return lastThat(
      this.#contents.groups,
      (group) => compareBytes(bytes, offsets[group], offsets[group + 1], needle, 0, needle.length) <= 0,
    )
  }
}

/** Returns the words of one group without caching them. Throws SluiceError `durable/damaged`. */
export function wordsOfGroup(
  file: RowGroupFile,
  open: OpenContents,
  { words }: WordsContents,
  group: number,
): WordGroup {
  return readGroup(file, open, words + group, open.contents.rowCount)
}

/** Returns a word of templates as a string; such words are ASCII. */
function wordText(word: Uint8Array): string {
  return String.fromCharCode(...word)
}

/** Returns the index of the first word that is not before `needle`. */
function firstWordFrom(bytes: Bytes, offsets: Uint32Array, needle: Uint8Array): number {
  // Index 0 of the search stands for a position before all words.
  return lastThat(
    offsets.length,
    (index) => index === 0 || compareBytes(bytes, offsets[index - 1], offsets[index], needle, 0, needle.length) < 0,
  )
}
