import type { Bytes } from '../../base/index.ts'
import { setBit, type Bitmap } from '../../data/index.ts'

/** Words are kept up to so many bytes; a longer one is found by its beginning and must be looked at again. */
export const maxWordBytes = 128
/** Words of one block share an entry of the directory. */
export const blockWords = 16

/**
 * The folded words of one segment's text field, sorted by their UTF-8 bytes, each with the rows that have it.
 * Every 16th word has its first 8 bytes in the directory `keysHigh`/`keysLow`, big-endian, so that order of keys is
 * order of words. A word in more than 1/16 of the rows has a bitmap, the others a list of row numbers.
 */
export interface WordIndex {
  readonly rowCount: number
  readonly wordCount: number
  readonly bytes: Bytes
  readonly lengths: Uint8Array
  /** Rows of each word, less one. */
  readonly counts: Uint16Array
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

/** A place among the words: its number, where its bytes and where its postings begin. */
export interface WordCursor {
  word: number
  byteStart: number
  postingStart: number
}

export function isFrequent(index: WordIndex, word: number): boolean {
  return index.counts[word] >= index.rowCount >>> 4
}

export function countOfWord(index: WordIndex, word: number): number {
  return index.counts[word] + 1
}

/** Moves to the next word. */
export function advance(index: WordIndex, cursor: WordCursor): void {
  const { word } = cursor
  cursor.byteStart += index.lengths[word]
  cursor.postingStart += isFrequent(index, word) ? 1 : index.counts[word] + 1
  cursor.word = word + 1
}

/** The first 4 bytes from `at`, big-endian, zero behind the end. */
export function keyAt(bytes: Uint8Array, at: number, end: number): number {
  let key = 0
  for (let i = at; i < at + 4; i++) key = (key << 8) | (i < end ? bytes[i] : 0)
  return key >>> 0
}

function compareBytes(
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

/** The first word that is not before `needle`. */
export function seekWord(index: WordIndex, needle: Uint8Array): WordCursor {
  const { keysHigh, keysLow, byteStarts, bytes, lengths } = index
  const high = keyAt(needle, 0, needle.length)
  const low = keyAt(needle, 4, needle.length)
  // The last block whose first word is before the needle, or the first block.
  let first = 0
  let last = keysHigh.length - 1
  while (first < last) {
    const middle = (first + last + 1) >>> 1
    const key = keysHigh[middle]
    let isBefore = key < high || (key === high && keysLow[middle] < low)
    if (key === high && keysLow[middle] === low) {
      const start = byteStarts[middle]
      isBefore = compareBytes(bytes, start, start + lengths[middle * blockWords], needle, 0, needle.length) < 0
    }
    if (isBefore) first = middle
    else last = middle - 1
  }
  const cursor: WordCursor = {
    word: first * blockWords,
    byteStart: keysHigh.length === 0 ? 0 : byteStarts[first],
    postingStart: keysHigh.length === 0 ? 0 : index.postingStarts[first],
  }
  while (cursor.word < index.wordCount) {
    const { byteStart } = cursor
    if (compareBytes(bytes, byteStart, byteStart + lengths[cursor.word], needle, 0, needle.length) >= 0) break
    advance(index, cursor)
  }
  return cursor
}

/** Whether the word at the cursor is `needle`, or begins with it. */
export function isAtWord(index: WordIndex, cursor: WordCursor, needle: Uint8Array, isPrefix: boolean): boolean {
  if (cursor.word >= index.wordCount) return false
  const length = index.lengths[cursor.word]
  if (isPrefix ? length < needle.length : length !== needle.length) return false
  for (let i = 0; i < needle.length; i++) {
    if (index.bytes[cursor.byteStart + i] !== needle[i]) return false
  }
  return true
}

/** Whether some word equals `needle`, or begins with it. */
export function hasWord(index: WordIndex, needle: Uint8Array, isPrefix: boolean): boolean {
  const cut = needle.length > maxWordBytes ? needle.subarray(0, maxWordBytes) : needle
  return isAtWord(index, seekWord(index, cut), cut, isPrefix)
}

/** The words that begin with `needle`, or the one that equals it. */
export function findWords(index: WordIndex, needle: Uint8Array, isPrefix: boolean): readonly WordCursor[] {
  const found: WordCursor[] = []
  const cut = needle.length > maxWordBytes ? needle.subarray(0, maxWordBytes) : needle
  const cursor = seekWord(index, cut)
  while (isAtWord(index, cursor, cut, isPrefix)) {
    found.push({ ...cursor })
    if (!isPrefix) break
    advance(index, cursor)
  }
  return found
}

/** The bitmap of a frequent word, not to be changed. */
export function bitmapOfWord(index: WordIndex, cursor: WordCursor): Bitmap {
  const words = (index.rowCount + 31) >>> 5
  const at = index.postings[cursor.postingStart] * words
  return index.bitmaps.subarray(at, at + words)
}

/** The rows of a word that is not frequent, ascending, not to be changed. */
export function rowsOfWord(index: WordIndex, cursor: WordCursor): Uint16Array {
  return index.postings.subarray(cursor.postingStart, cursor.postingStart + index.counts[cursor.word] + 1)
}

/** Adds the rows of a word to a bitmap. */
export function addRowsOfWord(index: WordIndex, cursor: WordCursor, target: Bitmap): void {
  if (isFrequent(index, cursor.word)) {
    const bits = bitmapOfWord(index, cursor)
    for (let i = 0; i < bits.length; i++) target[i] |= bits[i]
    return
  }
  const end = cursor.postingStart + index.counts[cursor.word] + 1
  for (let i = cursor.postingStart; i < end; i++) setBit(target, index.postings[i])
}
