import { ITEMS_PER_CHECKPOINT, runToEnd, Bytes, SPACE, type StepwiseTask } from '../../../base/index.ts'
import { encodeText, hasBit, toText, valueAt, type Column, type TextColumn } from '../../../data/index.ts'
import { layout } from '../../../kernels/index.ts'
import { radixPass } from '../radix-pass.ts'
import { sharedBytes, sharedUint16, sharedUint32, sharedUint8 } from '../shared.ts'
import { foldedWords } from './tokenize.ts'
import { BATCH_BYTES, BATCH_ROWS, leaveWordMemory, takeWordMemory, type WordMemory } from './word-index-memory.ts'
import { MANY, WordsInMemory, blockWords, cutWord, type WordIndex } from './word-index.ts'

/** Number of rows that are read per step; a step is one batch. */
const ROWS_AT_ONCE = BATCH_ROWS

/** Size of a word's entry and offsets of its members, in 32-bit words. */
const ENTRY = layout.Entry.BYTES / 4
const SIZE_AND_COUNT = layout.Entry.SIZE_AND_COUNT_AT / 4
const LONG = layout.Entry.LONG_AT / 4
const FIRST_ROW = layout.Entry.FIRST_ROW_AT / 4
const HEAD = layout.Entry.HEAD_AT / 4
/** Maximum number of words of a row whose positions are loaded together. */
const WORDS_OF_ROW_AT_ONCE = 1024

/** Builds word indexes. Reuses working memory for the next index. */
export class WordIndexBuilder {
  build(column: Column): WordIndex {
    return runToEnd(this.buildInTurns(column))
  }

  *buildInTurns(column: Column): StepwiseTask<WordIndex> {
    const reader = new WordReader(column.length)
    for (let row = 0; row < column.length; row += ROWS_AT_ONCE) {
      const end = Math.min(column.length, row + ROWS_AT_ONCE)
      if (column.kind === 'text') reader.readTexts(column, row, end)
      else for (let each = row; each < end; each++) reader.readText(toText(valueAt(column, each)), each)
      yield
    }
    const index = yield* indexOf(reader.memory, column.length)
    leaveWordMemory(reader.memory)
    return index
  }
}

function isWide({ wide }: TextColumn, row: number): boolean {
  return wide !== undefined && hasBit(wide, row)
}

/** Collects the words of rows, which must be read in ascending order. */
class WordReader {
  memory: WordMemory
  /** Buffer for the words of one text, separated by spaces. */
  #words: Bytes | undefined
  readonly #offsets = new Uint32Array(2)

  constructor(rowCount: number) {
    this.memory = takeWordMemory(rowCount)
  }

  readTexts(column: TextColumn, from: number, to: number): void {
    const { bytes, offsets } = column
    for (let row = from; row < to;) {
      const most = offsets[row] + BATCH_BYTES
      let end = row
      while (end < to && offsets[end + 1] <= most && !isWide(column, end)) end++
      // The kernel cannot split texts with non-ASCII characters, and a very long text does not fit into a batch.
      if (end === row) this.readText(toText(valueAt(column, row)), row++)
      else {
        this.#readBatch(bytes, offsets, row, end, row)
        row = end
      }
    }
  }

  /** Reads the words of a text of any kind. */
  readText(text: string, row: number): void {
    const words = (this.#words ??= Bytes.allocUnsafeSlow(BATCH_BYTES))
    let length = 0
    for (const word of foldedWords(text)) {
      const bytes = cutWord(encodeText(word))
      if (length + bytes.length >= BATCH_BYTES) {
        this.#readWords(words, length, row)
        length = 0
      }
      words.set(bytes, length)
      length += bytes.length
      words[length++] = SPACE
    }
    this.#readWords(words, length, row)
  }

  #readWords(words: Bytes, length: number, row: number): void {
    this.#offsets[1] = length
    this.#readBatch(words, this.#offsets, 0, 1, row)
  }

  /** Reads texts `[from, to)`. The first belongs to row `row`, the others to the following rows. */
  #readBatch(bytes: Bytes, offsets: Uint32Array, from: number, to: number, row: number): void {
    this.memory.put(bytes, offsets, from, to)
    for (let at = 0; ;) {
      at = this.memory.read(row, at, to - from)
      if (at === to - from) return
      this.memory = this.memory.withRoomFor(offsets[from + at + 1] - offsets[from + at])
    }
  }
}

/** Returns the sort key of four bytes: their big-endian number. */
function keyOf(word: number): number {
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0
}

/** Returns the word numbers, sorted by the bytes of the words. */
function* sortedWords(memory: WordMemory): StepwiseTask<Uint32Array> {
  const { entries, wordCount } = memory
  let from = new Uint32Array(wordCount)
  const high = new Uint32Array(wordCount)
  const low = new Uint32Array(wordCount)
  for (let id = 0, at = HEAD; id < wordCount; id++, at += ENTRY) {
    from[id] = id
    high[id] = keyOf(entries[at])
    low[id] = keyOf(entries[at + 1])
  }
  yield
  let to = new Uint32Array(wordCount)
  const starts = new Uint32Array(65_537)
  for (let pass = 0; pass < 4; pass++) {
    radixPass(from, to, { keys: pass < 2 ? low : high, shift: (pass & 1) * 16, starts })
    ;[from, to] = [to, from]
    yield
  }
  sortTies(memory, from, high, low)
  return from
}

/** Sorts words whose first 8 bytes are equal. */
function sortTies(memory: WordMemory, ids: Uint32Array, high: Uint32Array, low: Uint32Array): void {
  const compare = comparing(memory)
  for (let start = 0; start < ids.length;) {
    let end = start + 1
    while (end < ids.length && high[ids[end]] === high[ids[start]] && low[ids[end]] === low[ids[start]]) end++
    if (end - start > 1) ids.subarray(start, end).sort(compare)
    start = end
  }
}

/** Returns a comparison function for words whose first 8 bytes are equal. */
function comparing({ entries, longBytes }: WordMemory): (a: number, b: number) => number {
  return (a, b) => {
    const aAt = a * ENTRY
    const bAt = b * ENTRY
    for (let k = HEAD + 2; k < ENTRY; k++) {
      const difference = keyOf(entries[aAt + k]) - keyOf(entries[bAt + k])
      if (difference !== 0) return difference
    }
    const aSize = entries[aAt + SIZE_AND_COUNT] & layout.Entry.SIZE_MASK
    const bSize = entries[bAt + SIZE_AND_COUNT] & layout.Entry.SIZE_MASK
    if (aSize <= layout.Word.HEAD_BYTES || bSize <= layout.Word.HEAD_BYTES) return aSize - bSize
    const aStart = entries[aAt + LONG]
    const bStart = entries[bAt + LONG]
    return longBytes.compare(longBytes, bStart, bStart + bSize, aStart, aStart + aSize)
  }
}

function* indexOf(memory: WordMemory, rowCount: number): StepwiseTask<WordIndex> {
  const { entries, entryBytes, longBytes, wordCount } = memory
  const order = yield* sortedWords(memory)
  const blocks = Math.ceil(wordCount / blockWords)
  const frequent = rowCount >>> 4
  let byteTotal = 0
  let postingTotal = 0
  let bitmapTotal = 0
  let manyTotal = 0
  for (let id = 0, at = 0; id < wordCount; id++, at += ENTRY) {
    const count = entries[at + SIZE_AND_COUNT] >> layout.Entry.COUNT_SHIFT
    byteTotal += entries[at + SIZE_AND_COUNT] & layout.Entry.SIZE_MASK
    const isDense = count > frequent
    postingTotal += isDense ? 1 : count
    if (isDense) bitmapTotal++
    if (count > MANY) manyTotal++
  }
  const mapWords = (rowCount + 31) >>> 5
  const bytes = sharedBytes(byteTotal)
  const view = new DataView(bytes.buffer, bytes.byteOffset, byteTotal)
  const lastHeadAt = byteTotal - layout.Word.HEAD_BYTES
  const lengths = sharedUint8(wordCount)
  const counts = sharedUint8(wordCount)
  const manyWords = sharedUint32(manyTotal)
  const manyCounts = sharedUint16(manyTotal)
  const keysHigh = sharedUint32(blocks)
  const keysLow = sharedUint32(blocks)
  const byteStarts = sharedUint32(blocks + 1)
  const postingStarts = sharedUint32(blocks + 1)
  const postings = sharedUint16(postingTotal)
  const bitmaps = sharedUint32(bitmapTotal * mapWords)
  /**
   * For each word with several rows, the position of its next row in the postings; for a frequent word, `~` of its
   * bitmap number.
   */
  const next = new Int32Array(wordCount)
  /** For each bitmap, the bits of the current 32 rows. */
  const bits = new Int32Array(bitmapTotal)
  let byteAt = 0
  let postingAt = 0
  let bitmapAt = 0
  let many = 0
  for (let i = 0; i < wordCount; i++) {
    if (i % ITEMS_PER_CHECKPOINT === 0) yield
    const id = order[i]
    const at = id * ENTRY
    const size = entries[at + SIZE_AND_COUNT] & layout.Entry.SIZE_MASK
    const count = entries[at + SIZE_AND_COUNT] >> layout.Entry.COUNT_SHIFT
    const firstRow = entries[at + FIRST_ROW]
    if (i % blockWords === 0) {
      const block = i / blockWords
      keysHigh[block] = keyOf(entries[at + HEAD])
      keysLow[block] = keyOf(entries[at + HEAD + 1])
      byteStarts[block] = byteAt
      postingStarts[block] = postingAt
    }
    if (size <= layout.Word.HEAD_BYTES && byteAt <= lastHeadAt) {
      // Copies the whole head although the word may be shorter, since the next word overwrites the excess.
      for (let k = 0, from = at + HEAD; k < layout.Word.HEAD_BYTES; k += 4)
        view.setInt32(byteAt + k, entries[from++], true)
      byteAt += size
    } else {
      const isLong = size > layout.Word.HEAD_BYTES
      const source = isLong ? longBytes : entryBytes
      const start = isLong ? entries[at + LONG] : (at + HEAD) * 4
      for (let k = start; k < start + size; k++) bytes[byteAt++] = source[k]
    }
    lengths[i] = size
    counts[i] = Math.min(count - 1, MANY)
    if (count > MANY) {
      manyWords[many] = i
      manyCounts[many++] = count - 1
    }
    if (count > frequent) {
      next[id] = ~bitmapAt
      bitmaps[bitmapAt * mapWords + (firstRow >>> 5)] = 1 << (firstRow & 31)
      postings[postingAt++] = bitmapAt++
    } else {
      postings[postingAt] = firstRow
      if (count > 1) next[id] = postingAt + 1
      postingAt += count
    }
  }
  byteStarts[blocks] = byteAt
  postingStarts[blocks] = postingAt
  const { stream, ends } = memory
  const offsets = new Int32Array(WORDS_OF_ROW_AT_ONCE)
  for (let row = 0, from = 0; row < rowCount; row++) {
    if (row % ROWS_AT_ONCE === 0) yield
    const end = ends[row]
    while (from < end) {
      // Each word occurs once per row, so the positions can all be loaded before any of them changes.
      const count = Math.min(end - from, offsets.length)
      for (let k = 0; k < count; k++) offsets[k] = next[stream[from + k]]
      for (let k = 0; k < count; k++) {
        const at = offsets[k]
        if (at < 0) bits[~at] |= 1 << (row & 31)
        else {
          postings[at] = row
          next[stream[from + k]] = at + 1
        }
      }
      from += count
    }
    // Bits are collected for 32 rows and then written, since the bitmaps of frequent words are far apart in memory.
    if ((row & 31) !== 31 && row !== rowCount - 1) continue
    for (let k = 0, to = row >>> 5; k < bitmapTotal; k++, to += mapWords) {
      bitmaps[to] |= bits[k]
      bits[k] = 0
    }
  }
  const memoryBytes = byteTotal + wordCount * 2 + manyTotal * 6 + blocks * 16 + postingTotal * 2 + bitmaps.byteLength
  return new WordsInMemory({
    rowCount,
    wordCount,
    bytes,
    lengths,
    counts,
    manyWords,
    manyCounts,
    keysHigh,
    keysLow,
    byteStarts,
    postingStarts,
    postings,
    bitmaps,
    memoryBytes,
  })
}
