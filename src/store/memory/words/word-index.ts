import { firstNotBefore, work, type Bytes } from '../../../base/index.ts'
import { rowsOfBitmap, setBit, type Bitmap } from '../../../data/index.ts'
import { layout } from '../../../kernels/index.ts'
import type { KnownTemplates } from './text-templates.ts'

/**
 * Most bytes of an indexed word. A longer word is indexed by its beginning, so a match must be verified in the text.
 */
export const maxWordBytes = layout.Word.MAX_BYTES
/** Words in a block; a block has one entry in the directory. */
export const blockWords = 16

/** A word of an index. */
export interface FoundWord {
  /** The number of rows that contain it. */
  readonly count: number
  /** True if its rows are a bitmap rather than a list. */
  readonly isFrequent: boolean
  /** The location of its rows, in a form that only the index knows. */
  readonly location: number
}

/** Searches consecutive texts and returns those that may match; text `i` is `bytes[offsets[i], offsets[i + 1])`. */
export type TextsSearch = (bytes: Bytes, offsets: Uint32Array, count: number) => Bitmap

/** A search for words by their contents. */
export interface WordSearch {
  /** Returns which texts, made of words, may contain a matching word. */
  readonly search: TextsSearch
  /** True if a word matches. It is always called for words of `maxWordBytes`, since such a word may be truncated. */
  readonly holds: (bytes: Bytes, start: number, end: number) => boolean
}

/** The folded words of one segment's text field, each with the rows that contain it. */
export interface WordIndex {
  readonly rowCount: number
  readonly wordCount: number
  /** The number of bytes of the whole index in memory. */
  readonly memoryBytes: number
  /** Returns the words that begin with `needle` if `isPrefix`, else the word equal to it. */
  find(needle: Uint8Array, isPrefix: boolean): readonly FoundWord[]
  /** True if some word equals `needle`, or begins with it if `isPrefix`. */
  has(needle: Uint8Array, isPrefix: boolean): boolean
  /** Returns the matching words; `undefined` if there are more than `limitWords`. It scans all words. */
  findInside(wanted: WordSearch, limitWords: number): readonly FoundWord[] | undefined
  /** Returns the bitmap of a frequent word, which must not be changed. */
  bitmapOf(word: FoundWord): Bitmap
  /** Returns the rows of a word that is not frequent, ascending; the result must not be changed. */
  rowsOf(word: FoundWord): Uint16Array
  /** The templates of the texts, if there are any. */
  readonly templates?: KnownTemplates | undefined
  /**
   * Prefetches from a file what a lookup of a word needs, and with `withRows` also its rows. The three steps are
   * numbered from 0, and each needs the data requested by the one before. Returns false when everything known to be
   * needed is in memory.
   */
  readAhead?(needle: Uint8Array, isPrefix: boolean, step: number, withRows: boolean): boolean
}

/** Returns whether templates contain a folded word wherever it occurs in texts. */
export function isFixed(index: WordIndex, known: KnownTemplates, word: Uint8Array): boolean {
  if (word.length >= maxWordBytes) return false
  for (const byte of word) if ((byte >= 48 && byte < 58) || byte >= 0x80) return false
  const [found] = index.find(word, false)
  return found !== undefined && found.count >= known.leastRows && !known.isLeftOut(word)
}

/** True if a word in this many rows has a bitmap. */
export function isFrequentIn(rowCount: number, count: number): boolean {
  return count > rowCount >>> 4
}

/** Adds the rows of a word to a bitmap. */
export function addRowsOfWord(index: WordIndex, word: FoundWord, target: Bitmap): void {
  if (word.isFrequent) {
    const bits = index.bitmapOf(word)
    for (let i = 0; i < bits.length; i++) target[i] |= bits[i]
  } else for (const row of index.rowsOf(word)) setBit(target, row)
}

/**
 * Words sorted by their UTF-8 bytes. The directory `keysHigh`/`keysLow` has the first 8 bytes of every 16th word,
 * big-endian, so that keys have the same order as words. A word in more than 1/16 of the rows has a bitmap, the others
 * have a list of row numbers.
 */
export interface WordArrays {
  readonly rowCount: number
  readonly wordCount: number
  readonly bytes: Bytes
  readonly lengths: Uint8Array
  /** The number of rows of each word, minus one; `MANY` for larger numbers. */
  readonly counts: Uint8Array
  /** The words with `MANY`, ascending; `manyCounts` has their numbers of rows, minus one. */
  readonly manyWords: Uint32Array
  readonly manyCounts: Uint16Array
  readonly keysHigh: Uint32Array
  readonly keysLow: Uint32Array
  /** The offset of each block's bytes, and the end of the last; `postingStarts` has those of its postings. */
  readonly byteStarts: Uint32Array
  readonly postingStarts: Uint32Array
  /** Ascending row numbers; for a frequent word the number of its bitmap. */
  readonly postings: Uint16Array
  readonly bitmaps: Uint32Array
  readonly memoryBytes: number
}

/** Stands for a count of at least 255. Nearly all words have few rows, so one byte suffices. */
export const MANY = 255

/** Returns the number of rows of a word. */
function countOf({ counts, manyWords, manyCounts }: WordArrays, word: number): number {
  const count = counts[word]
  if (count < MANY) return count + 1
  return manyCounts[firstNotBefore(0, manyWords.length, (at) => manyWords[at] < word)] + 1
}

/** Returns the number of rows of each word, minus one. */
export function countsOfWords({ counts, manyWords, manyCounts }: WordArrays): Uint16Array {
  const all = Uint16Array.from(counts)
  for (let i = 0; i < manyWords.length; i++) all[manyWords[i]] = manyCounts[i]
  return all
}

/** A position among the words: word number, offset of its bytes, offset of its postings. */
interface WordCursor {
  word: number
  byteStart: number
  postingStart: number
}

/** Moves the cursor to the next word. */
function advance(index: WordArrays, cursor: WordCursor): void {
  const { word } = cursor
  const count = countOf(index, word)
  cursor.byteStart += index.lengths[word]
  cursor.postingStart += isFrequentIn(index.rowCount, count) ? 1 : count
  cursor.word = word + 1
}

/** Returns the first 4 bytes from `at` as a big-endian number, padded with zeros after `end`. */
export function keyAt(bytes: Uint8Array, at: number, end: number): number {
  let key = 0
  for (let i = at; i < at + 4; i++) key = (key << 8) | (i < end ? bytes[i] : 0)
  return key >>> 0
}

export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart)
  for (let i = 0; i < length; i++) {
    const difference = a[aStart + i] - b[bStart + i]
    if (difference !== 0) return difference
  }
  return aEnd - aStart - (bEnd - bStart)
}

/**
 * Returns the last block whose first word is before `needle`, or the first block. `high` and `low` are the first 8
 * bytes of `needle`.
 */
function seekBlock(index: WordArrays, needle: Uint8Array, high: number, low: number): number {
  const { keysHigh, keysLow, byteStarts, bytes, lengths } = index
  let first = 0
  let last = keysHigh.length - 1
  // A single loop without calls, because a query searches every segment, mostly before the runtime has optimized this
  // code.
  while (first < last) {
    const middle = (first + last + 1) >>> 1
    const key = keysHigh[middle]
    let isBefore = key < high
    if (key === high) {
      isBefore = keysLow[middle] < low
      if (keysLow[middle] === low) {
        const start = byteStarts[middle]
        const end = start + lengths[middle * blockWords]
        isBefore = compareBytes(bytes, start, end, needle, 0, needle.length) < 0
      }
    }
    if (isBefore) first = middle
    else last = middle - 1
  }
  return first
}

/** Returns the first word that is not before `needle`. */
function seekWord(index: WordArrays, needle: Uint8Array): WordCursor {
  const { keysHigh, counts, byteStarts, bytes, lengths, rowCount, wordCount } = index
  if (keysHigh.length === 0) return { word: 0, byteStart: 0, postingStart: 0 }
  const first = seekBlock(index, needle, keyAt(needle, 0, needle.length), keyAt(needle, 4, needle.length))
  let word = first * blockWords
  let byteStart = byteStarts[first]
  let postingStart = index.postingStarts[first]
  for (; word < wordCount; word++) {
    const length = lengths[word]
    const most = Math.min(length, needle.length)
    let same = 0
    while (same < most && bytes[byteStart + same] === needle[same]) same++
    if (same < most ? bytes[byteStart + same] > needle[same] : length >= needle.length) break
    const few = counts[word]
    const count = few < MANY ? few + 1 : countOf(index, word)
    byteStart += length
    postingStart += isFrequentIn(rowCount, count) ? 1 : count
  }
  return { word, byteStart, postingStart }
}

/** True if the word at the cursor equals `needle`, or begins with it if `isPrefix`. */
function isAtWord(index: WordArrays, cursor: WordCursor, needle: Uint8Array, isPrefix: boolean): boolean {
  if (cursor.word >= index.wordCount) return false
  const length = index.lengths[cursor.word]
  if (isPrefix ? length < needle.length : length !== needle.length) return false
  for (let i = 0; i < needle.length; i++) {
    if (index.bytes[cursor.byteStart + i] !== needle[i]) return false
  }
  return true
}

const NO_WORDS: readonly FoundWord[] = []

/** Truncates a word to the maximum length in indexes. */
export function cutWord(needle: Uint8Array): Uint8Array {
  return needle.length > maxWordBytes ? needle.subarray(0, maxWordBytes) : needle
}

/** The word index of a segment in memory. */
export class WordsInMemory implements WordIndex {
  readonly arrays: WordArrays

  constructor(arrays: WordArrays) {
    this.arrays = arrays
  }

  get rowCount(): number {
    return this.arrays.rowCount
  }

  get wordCount(): number {
    return this.arrays.wordCount
  }

  get memoryBytes(): number {
    return this.arrays.memoryBytes
  }

  has(needle: Uint8Array, isPrefix: boolean): boolean {
    const cut = cutWord(needle)
    return isAtWord(this.arrays, seekWord(this.arrays, cut), cut, isPrefix)
  }

  find(needle: Uint8Array, isPrefix: boolean): readonly FoundWord[] {
    const { arrays } = this
    const cut = cutWord(needle)
    const cursor = seekWord(arrays, cut)
    if (!isAtWord(arrays, cursor, cut, isPrefix)) return NO_WORDS
    const found: FoundWord[] = []
    while (isAtWord(arrays, cursor, cut, isPrefix)) {
      const count = countOf(arrays, cursor.word)
      found.push({ count, isFrequent: isFrequentIn(arrays.rowCount, count), location: cursor.postingStart })
      if (!isPrefix) break
      advance(arrays, cursor)
    }
    return found
  }

  findInside({ search, holds }: WordSearch, limitWords: number): readonly FoundWord[] | undefined {
    const { arrays } = this
    const { bytes, lengths, rowCount, wordCount, byteStarts, postingStarts } = arrays
    const blocks = byteStarts.length - 1
    const hits = search(bytes, byteStarts, blocks)
    for (let word = lengths.indexOf(maxWordBytes); word !== -1; word = lengths.indexOf(maxWordBytes, word + 1)) {
      setBit(hits, (word / blockWords) | 0)
    }
    const found: FoundWord[] = []
    for (const block of rowsOfBitmap(hits)) {
      const cursor = { word: block * blockWords, byteStart: byteStarts[block], postingStart: postingStarts[block] }
      const end = Math.min(wordCount, cursor.word + blockWords)
      work(blockWords)
      for (; cursor.word < end; advance(arrays, cursor)) {
        const { word, byteStart, postingStart } = cursor
        if (!holds(bytes, byteStart, byteStart + lengths[word])) continue
        if (found.length === limitWords) return undefined
        const count = countOf(arrays, word)
        found.push({ count, isFrequent: isFrequentIn(rowCount, count), location: postingStart })
      }
    }
    return found
  }

  bitmapOf({ location }: FoundWord): Bitmap {
    const { rowCount, postings, bitmaps } = this.arrays
    const words = (rowCount + 31) >>> 5
    const at = postings[location] * words
    return bitmaps.subarray(at, at + words)
  }

  rowsOf({ location, count }: FoundWord): Uint16Array {
    return this.arrays.postings.subarray(location, location + count)
  }
}
