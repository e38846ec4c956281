import { firstNotBefore, work, type Bytes } from '../../../base/index.ts'
import { rowsOfBitmap, setBit, type Bitmap } from '../../../data/index.ts'
import { layout } from '../../../kernels/index.ts'
import type { KnownTemplates } from './text-templates.ts'

/** Words are kept up to so many bytes; a longer one is found by its beginning and must be looked at again. */
export const maxWordBytes = layout.Word.MAX_BYTES
/** Words of one block share an entry of the directory. */
export const blockWords = 16

/** A word of an index. */
export interface FoundWord {
  /** How many rows have it. */
  readonly count: number
  /** Whether it has a bitmap, not a list. */
  readonly isFrequent: boolean
  /** Where its rows are, as the index knows it. */
  readonly place: number
}

/** Finds, of texts that lie one behind the other, those that may have what is looked for; text `i` is `bytes[offsets[i], offsets[i + 1])`. */
export type TextsSearch = (bytes: Bytes, offsets: Uint32Array, count: number) => Bitmap

/** What is looked for inside words. */
export interface WordSearch {
  /** Of texts made of words, those in which some word may hold. */
  readonly search: TextsSearch
  /** Whether a word holds. One of `maxWordBytes` may be the beginning of a longer one, and is always asked about. */
  readonly holds: (bytes: Bytes, start: number, end: number) => boolean
}

/** The folded words of one segment's text field, each with the rows that have it. */
export interface WordIndex {
  readonly rowCount: number
  readonly wordCount: number
  /** Bytes of the whole index in memory. */
  readonly memoryBytes: number
  /** The words that begin with `needle`, or the one that equals it. */
  find(needle: Uint8Array, isPrefix: boolean): readonly FoundWord[]
  /** Whether some word equals `needle`, or begins with it. */
  has(needle: Uint8Array, isPrefix: boolean): boolean
  /** The words that hold; `undefined` when they are more than `limitWords`. Looks at all words. */
  findInside(wanted: WordSearch, limitWords: number): readonly FoundWord[] | undefined
  /** The bitmap of a frequent word, not to be changed. */
  bitmapOf(word: FoundWord): Bitmap
  /** The rows of a word that is not frequent, ascending, not to be changed. */
  rowsOf(word: FoundWord): Uint16Array
  /** Templates of the texts, if there are any. */
  readonly templates?: KnownTemplates | undefined
  /**
   * Has the system read, in three steps from 0 on, what looking up a word and, with `withRows`, its rows needs of a file; each step
   * needs what the one before it asked for. False where all that is known to be needed is held.
   */
  readAhead?(needle: Uint8Array, isPrefix: boolean, step: number, withRows: boolean): boolean
}

/** Whether a folded word stands in templates wherever it occurs. */
export function isFixed(index: WordIndex, known: KnownTemplates, word: Uint8Array): boolean {
  if (word.length >= maxWordBytes) return false
  for (const byte of word) if ((byte >= 48 && byte < 58) || byte >= 0x80) return false
  const [found] = index.find(word, false)
  return found !== undefined && found.count >= known.leastRows && !known.isLeftOut(word)
}

/** Whether a word in so many rows has a bitmap. */
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
 * The words sorted by their UTF-8 bytes. Every 16th word has its first 8 bytes in the directory `keysHigh`/`keysLow`,
 * big-endian, so that order of keys is order of words. A word in more than 1/16 of the rows has a bitmap, the others a list of
 * row numbers.
 */
export interface WordArrays {
  readonly rowCount: number
  readonly wordCount: number
  readonly bytes: Bytes
  readonly lengths: Uint8Array
  /** Rows of each word, less one; `MANY` for one with more. */
  readonly counts: Uint8Array
  /** Words with more, ascending, and their rows less one. */
  readonly manyWords: Uint32Array
  readonly manyCounts: Uint16Array
  readonly keysHigh: Uint32Array
  readonly keysLow: Uint32Array
  /** Per block, where its bytes and its postings begin; one more entry at the end. */
  readonly byteStarts: Uint32Array
  readonly postingStarts: Uint32Array
  /** Ascending rows, or for a frequent word the number of its bitmap. */
  readonly postings: Uint16Array
  readonly bitmaps: Uint32Array
  readonly memoryBytes: number
}

/** In place of the count of a word: nearly all words have few rows, so that a byte does. */
export const MANY = 255

/** How many rows a word has. */
function countOf({ counts, manyWords, manyCounts }: WordArrays, word: number): number {
  const count = counts[word]
  if (count < MANY) return count + 1
  return manyCounts[firstNotBefore(0, manyWords.length, (at) => manyWords[at] < word)] + 1
}

/** Rows of each word, less one. */
export function countsOfWords({ counts, manyWords, manyCounts }: WordArrays): Uint16Array {
  const all = Uint16Array.from(counts)
  for (let i = 0; i < manyWords.length; i++) all[manyWords[i]] = manyCounts[i]
  return all
}

/** A place among the words: its number, where its bytes and where its postings begin. */
interface WordCursor {
  word: number
  byteStart: number
  postingStart: number
}

/** Moves to the next word. */
function advance(index: WordArrays, cursor: WordCursor): void {
  const { word } = cursor
  const count = countOf(index, word)
  cursor.byteStart += index.lengths[word]
  cursor.postingStart += isFrequentIn(index.rowCount, count) ? 1 : count
  cursor.word = word + 1
}

/** The first 4 bytes from `at`, big-endian, zero behind the end. */
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

/** The last block whose first word is before `needle`, of which `high` and `low` are the first 8 bytes; or the first block. */
function seekBlock(index: WordArrays, needle: Uint8Array, high: number, low: number): number {
  const { keysHigh, keysLow, byteStarts, bytes, lengths } = index
  let first = 0
  let last = keysHigh.length - 1
  // One loop without calls: a query asks every segment, and mostly before this is compiled.
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

/** The first word that is not before `needle`. */
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

/** Whether the word at the cursor is `needle`, or begins with it. */
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

/** As words are kept. */
export function cutWord(needle: Uint8Array): Uint8Array {
  return needle.length > maxWordBytes ? needle.subarray(0, maxWordBytes) : needle
}

/** The words of a segment in memory. */
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
      found.push({ count, isFrequent: isFrequentIn(arrays.rowCount, count), place: cursor.postingStart })
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
        found.push({ count, isFrequent: isFrequentIn(rowCount, count), place: postingStart })
      }
    }
    return found
  }

  bitmapOf({ place }: FoundWord): Bitmap {
    const { rowCount, postings, bitmaps } = this.arrays
    const words = (rowCount + 31) >>> 5
    const at = postings[place] * words
    return bitmaps.subarray(at, at + words)
  }

  rowsOf({ place, count }: FoundWord): Uint16Array {
    return this.arrays.postings.subarray(place, place + count)
  }
}
