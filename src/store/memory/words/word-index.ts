import { firstNotBefore, work, type Bytes } from '../../../base/index.ts'
import { rowsOfBitmap, setBit, type Bitmap } from '../../../data/index.ts'
import { layout } from '../../../kernels/index.ts'
import type { KnownTemplates } from './text-templates.ts'

/**
 * Maximum length of an indexed word, bytes. Longer words are truncated, so a match of a truncated word must be verified
 * in the text.
 */
export const maxWordBytes = layout.Word.MAX_BYTES
/** Number of words in a block. The directory has one entry per block. */
export const blockWords = 16

/** A word of an index. */
export interface FoundWord {
  /** The number of rows that contain the word. */
  readonly count: number
  /** True if the rows of the word are a bitmap rather than a list. */
  readonly isFrequent: boolean
  /** The location of the rows, in a form that only the index understands. */
  readonly location: number
}

/** Searches consecutive texts and returns those that may match. Text `i` is `bytes[offsets[i], offsets[i + 1])`. */
export type TextsSearch = (bytes: Bytes, offsets: Uint32Array, count: number) => Bitmap

/** A search for words by their content, such as a substring. */
export interface WordSearch {
  /** Finds candidates: returns which texts, each a sequence of words, may contain a matching word. */
  readonly search: TextsSearch
  /**
   * Returns true if a word matches. Also called for every word of `maxWordBytes` bytes, since such a word may be
   * truncated.
   */
  readonly holds: (bytes: Bytes, start: number, end: number) => boolean
}

/** The folded words of a segment's text field, and the rows that contain each word. */
export interface WordIndex {
  readonly rowCount: number
  readonly wordCount: number
  /** The size of the index in memory, bytes. */
  readonly memoryBytes: number
  /** Returns the words that begin with `needle`; without `isPrefix`, only the word that equals `needle`. */
  find(needle: Uint8Array, isPrefix: boolean): readonly FoundWord[]
  /** True if some word equals `needle`, or begins with it if `isPrefix`. */
  has(needle: Uint8Array, isPrefix: boolean): boolean
  /** Scans all words and returns those that match; `undefined` if there are more than `limitWords`. */
  findInside(wanted: WordSearch, limitWords: number): readonly FoundWord[] | undefined
  /** Returns the bitmap of a frequent word. The bitmap must not be changed. */
  bitmapOf(word: FoundWord): Bitmap
  /** Returns the rows of a word that is not frequent, ascending. The result must not be changed. */
  rowsOf(word: FoundWord): Uint16Array
  /** Access to the templates of the texts; absent if there are none. */
  readonly templates?: KnownTemplates | undefined
  /**
   * Prefetches the data that a lookup of a word needs, and with `withRows` also the rows of the word. Steps 0, 1 and 2
   * must be called in order, each after the data of the previous step has arrived. Returns false once all data known to
   * be needed is in memory.
   */
  readAhead?(needle: Uint8Array, isPrefix: boolean, step: number, withRows: boolean): boolean
}

/** True if a folded word is fixed: wherever it occurs in texts, their templates contain it. */
export function isFixed(index: WordIndex, known: KnownTemplates, word: Uint8Array): boolean {
  if (word.length >= maxWordBytes) return false
  for (const byte of word) if ((byte >= 48 && byte < 58) || byte >= 0x80) return false
  const [found] = index.find(word, false)
  return found !== undefined && found.count >= known.leastRows && !known.isLeftOut(word)
}

/** True if a word that is in `count` rows has a bitmap rather than a list. */
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
 * The arrays of an index in memory. Words are sorted by their UTF-8 bytes. The directory, `keysHigh` and `keysLow`, has
 * the first 8 bytes of the first word of each block as a big-endian number, so keys sort like words. A word in more
 * than 1/16 of the rows has a bitmap, any other word a list of row numbers.
 */
export interface WordArrays {
  readonly rowCount: number
  readonly wordCount: number
  readonly bytes: Bytes
  readonly lengths: Uint8Array
  /** For each word, the number of rows minus one; `MANY` if that number does not fit. */
  readonly counts: Uint8Array
  /** The words whose count is `MANY`, ascending. `manyCounts` has their numbers of rows, minus one. */
  readonly manyWords: Uint32Array
  readonly manyCounts: Uint16Array
  readonly keysHigh: Uint32Array
  readonly keysLow: Uint32Array
  /**
   * Offset of the bytes of each block's words, and the end of the last block. `postingStarts` has the same for
   * postings.
   */
  readonly byteStarts: Uint32Array
  readonly postingStarts: Uint32Array
  /** The ascending row numbers of each word; for a frequent word, the number of its bitmap instead. */
  readonly postings: Uint16Array
  readonly bitmaps: Uint32Array
  readonly memoryBytes: number
}

/** Stands for a value of 255 or more in `counts`. Nearly all words are in few rows, so one byte per word suffices. */
export const MANY = 255

function countOf({ counts, manyWords, manyCounts }: WordArrays, word: number): number {
  const count = counts[word]
  if (count < MANY) return count + 1
  return manyCounts[firstNotBefore(0, manyWords.length, (at) => manyWords[at] < word)] + 1
}

/** Returns, for each word, the number of rows minus one. */
export function countsOfWords({ counts, manyWords, manyCounts }: WordArrays): Uint16Array {
  const all = Uint16Array.from(counts)
  for (let i = 0; i < manyWords.length; i++) all[manyWords[i]] = manyCounts[i]
  return all
}

/** A position in the index: a word number, the offset of its bytes, and the offset of its postings. */
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

/** Returns the first 4 bytes from `at` as a big-endian number; bytes after `end` count as zeros. */
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
 * Returns the last block whose first word sorts before `needle`; block 0 if there is none. `high` and `low` are the
 * first 8 bytes of `needle`.
 */
function seekBlock(index: WordArrays, needle: Uint8Array, high: number, low: number): number {
  const { keysHigh, keysLow, byteStarts, bytes, lengths } = index
  let first = 0
  let last = keysHigh.length - 1
  // One loop without calls: a query runs this once per segment, mostly before the runtime has optimized the code.
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

/** Returns a cursor at the first word that does not sort before `needle`. */
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

/** Truncates a word to `maxWordBytes`, as the index does. */
export function cutWord(needle: Uint8Array): Uint8Array {
  return needle.length > maxWordBytes ? needle.subarray(0, maxWordBytes) : needle
}

/** A word index whose arrays are in memory. */
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
