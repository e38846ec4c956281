import { Bytes, atOnce, type Turns } from '../../base/index.ts'
import { encodeText, toText, valueAt, type Column, type TextColumn } from '../../data/index.ts'
import { sharedBytes, sharedUint16, sharedUint32, sharedUint8 } from './shared.ts'
import { foldedWords, wordByte } from './tokenize.ts'
import { WordsInMemory, blockWords, keyAt, maxWordBytes, type WordIndex } from './word-index.ts'

function doubled32(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(old.length * 2)
  next.set(old)
  return next
}

/** Rows that are read, or whose words are placed, between two turns. */
const ROWS_AT_ONCE = 1024
/** The same of words. */
const WORDS_AT_ONCE = 16_384

/** Builds the word index of one segment after another, one at a time; its working memory is kept between them. */
export class WordIndexBuilder {
  #wordCount = 0
  #slots = new Uint32Array(1 << 16)
  #hashes = new Uint32Array(1 << 14)
  /** Where each word's bytes begin, one more at the end. */
  #starts = new Uint32Array((1 << 14) + 1)
  #counts = new Uint32Array(1 << 14)
  /** The row that had the word last, plus one. */
  #lastRows = new Uint32Array(1 << 14)
  #bytes = Bytes.allocUnsafeSlow(1 << 17)
  /** Numbers of the words, row after row, each once a row. */
  #stream = new Uint32Array(1 << 18)
  #streamEnds = new Uint32Array(0)
  #streamLength = 0

  build(column: Column): WordIndex {
    return atOnce(this.buildInTurns(column))
  }

  *buildInTurns(column: Column): Turns<WordIndex> {
    this.#reset(column.length)
    if (column.kind === 'text') {
      for (let row = 0; row < column.length; row += ROWS_AT_ONCE) {
        this.#readTexts(column, row, Math.min(column.length, row + ROWS_AT_ONCE))
        yield
      }
    } else {
      for (let row = 0; row < column.length; row++) {
        if (row % ROWS_AT_ONCE === 0) yield
        this.#readText(toText(valueAt(column, row)), row)
        this.#streamEnds[row] = this.#streamLength
      }
    }
    return yield* this.#finish(column.length)
  }

  #reset(rowCount: number): void {
    this.#wordCount = 0
    this.#slots.fill(0)
    this.#streamLength = 0
    if (this.#streamEnds.length < rowCount) this.#streamEnds = new Uint32Array(rowCount)
    this.#starts[0] = 0
  }

  #readTexts(column: TextColumn, from: number, to: number): void {
    const { bytes, offsets } = column
    const word = Bytes.allocUnsafeSlow(maxWordBytes)
    for (let row = from; row < to; row++) {
      const start = offsets[row]
      const end = offsets[row + 1]
      const streamStart = this.#streamLength
      let size = 0
      let hash = 0x811c9dc5
      let isAscii = true
      for (let i = start; i < end; i++) {
        const byte = wordByte[bytes[i]]
        if (byte !== 0) {
          if (size < maxWordBytes) {
            word[size++] = byte
            hash = Math.imul(hash ^ byte, 0x01000193)
          }
          continue
        }
        if (size !== 0) {
          this.#see(word, size, hash, row)
          size = 0
          hash = 0x811c9dc5
        }
        if (bytes[i] >= 0x80) {
          isAscii = false
          break
        }
      }
      if (size !== 0) this.#see(word, size, hash, row)
      if (!isAscii) {
        // Words met before the first wide character may have been cut by it: forget them and read the text again.
        for (let k = streamStart; k < this.#streamLength; k++) {
          const id = this.#stream[k]
          this.#counts[id]--
          this.#lastRows[id] = 0
        }
        this.#streamLength = streamStart
        this.#readText(toText(valueAt(column, row)), row)
      }
      this.#streamEnds[row] = this.#streamLength
    }
  }

  #readText(text: string, row: number): void {
    for (const word of foldedWords(text)) {
      const bytes = encodeText(word)
      const size = Math.min(bytes.length, maxWordBytes)
      let hash = 0x811c9dc5
      for (let i = 0; i < size; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
      this.#see(bytes, size, hash, row)
    }
  }

  #see(word: Uint8Array, size: number, rawHash: number, row: number): void {
    const hash = Math.imul(rawHash ^ (rawHash >>> 15), 0x2c1b3c6d) >>> 0
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = (hash >>> 3) & mask
    let id = -1
    while (slots[slot] !== 0) {
      const candidate = slots[slot] - 1
      if (this.#hashes[candidate] === hash) {
        const start = this.#starts[candidate]
        if (this.#starts[candidate + 1] - start === size) {
          const bytes = this.#bytes
          let i = 0
          while (i < size && bytes[start + i] === word[i]) i++
          if (i === size) {
            id = candidate
            break
          }
        }
      }
      slot = (slot + 1) & mask
    }
    if (id === -1) id = this.#add(word, size, hash, slot)
    else if (this.#lastRows[id] === row + 1) return
    this.#lastRows[id] = row + 1
    this.#counts[id]++
    if (this.#streamLength === this.#stream.length) this.#stream = doubled32(this.#stream)
    this.#stream[this.#streamLength++] = id
  }

  #add(word: Uint8Array, size: number, hash: number, slot: number): number {
    const id = this.#wordCount++
    if (id === this.#hashes.length) {
      this.#hashes = doubled32(this.#hashes)
      this.#counts = doubled32(this.#counts)
      this.#lastRows = doubled32(this.#lastRows)
      const starts = new Uint32Array(this.#hashes.length + 1)
      starts.set(this.#starts)
      this.#starts = starts
    }
    const start = this.#starts[id]
    if (start + size > this.#bytes.length) {
      const next = Bytes.allocUnsafeSlow(this.#bytes.length * 2)
      next.set(this.#bytes)
      this.#bytes = next
    }
    for (let i = 0; i < size; i++) this.#bytes[start + i] = word[i]
    this.#starts[id + 1] = start + size
    this.#hashes[id] = hash
    this.#counts[id] = 0
    this.#lastRows[id] = 0
    this.#slots[slot] = id + 1
    if (this.#wordCount * 2 > this.#slots.length) this.#rehash()
    return id
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let id = 0; id < this.#wordCount; id++) {
      let slot = (this.#hashes[id] >>> 3) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = id + 1
    }
    this.#slots = slots
  }

  /** Word numbers in the order of their bytes; words that no row has left out. */
  *#sorted(): Turns<Uint32Array> {
    let used = 0
    let from = new Uint32Array(this.#wordCount)
    for (let id = 0; id < this.#wordCount; id++) if (this.#counts[id] > 0) from[used++] = id
    from = from.subarray(0, used)
    const high = new Uint32Array(this.#wordCount)
    const low = new Uint32Array(this.#wordCount)
    for (let id = 0; id < this.#wordCount; id++) {
      high[id] = keyAt(this.#bytes, this.#starts[id], this.#starts[id + 1])
      low[id] = keyAt(this.#bytes, this.#starts[id] + 4, this.#starts[id + 1])
    }
    yield
    let to = new Uint32Array(used)
    const buckets = new Uint32Array(65_537)
    for (let pass = 0; pass < 4; pass++) {
      const keys = pass < 2 ? low : high
      const shift = (pass & 1) * 16
      buckets.fill(0)
      for (let i = 0; i < used; i++) buckets[((keys[from[i]] >>> shift) & 0xffff) + 1]++
      for (let i = 1; i < 65_537; i++) buckets[i] += buckets[i - 1]
      for (let i = 0; i < used; i++) {
        const id = from[i]
        to[buckets[(keys[id] >>> shift) & 0xffff]++] = id
      }
      const swap = from
      from = to
      to = swap
      yield
    }
    this.#sortTies(from, high, low)
    return from
  }

  #sortTies(ids: Uint32Array, high: Uint32Array, low: Uint32Array): void {
    for (let start = 0; start < ids.length;) {
      let end = start + 1
      while (end < ids.length && high[ids[end]] === high[ids[start]] && low[ids[end]] === low[ids[start]]) end++
      if (end - start > 1) {
        ids.subarray(start, end).sort((a, b) => {
          const aStart = this.#starts[a]
          const bStart = this.#starts[b]
          return this.#bytes.compare(this.#bytes, bStart, this.#starts[b + 1], aStart, this.#starts[a + 1])
        })
      }
      start = end
    }
  }

  *#finish(rowCount: number): Turns<WordIndex> {
    const order = yield* this.#sorted()
    const wordCount = order.length
    const blocks = Math.ceil(wordCount / blockWords)
    const frequent = rowCount >>> 4
    let byteTotal = 0
    let postingTotal = 0
    let bitmapTotal = 0
    for (const id of order) {
      byteTotal += this.#starts[id + 1] - this.#starts[id]
      const isDense = this.#counts[id] > frequent
      postingTotal += isDense ? 1 : this.#counts[id]
      if (isDense) bitmapTotal++
    }
    const mapWords = (rowCount + 31) >>> 5
    const bytes = sharedBytes(byteTotal)
    const lengths = sharedUint8(wordCount)
    const counts = sharedUint16(wordCount)
    const keysHigh = sharedUint32(blocks)
    const keysLow = sharedUint32(blocks)
    const byteStarts = sharedUint32(blocks + 1)
    const postingStarts = sharedUint32(blocks + 1)
    const postings = sharedUint16(postingTotal)
    const bitmaps = sharedUint32(bitmapTotal * mapWords)
    /** Where the next row of a word goes; for frequent words the bitmap's number from the top. */
    const next = new Uint32Array(this.#wordCount)
    let byteAt = 0
    let postingAt = 0
    let bitmapAt = 0
    for (let i = 0; i < wordCount; i++) {
      if (i % WORDS_AT_ONCE === 0) yield
      const id = order[i]
      const start = this.#starts[id]
      const end = this.#starts[id + 1]
      if (i % blockWords === 0) {
        const block = i / blockWords
        keysHigh[block] = keyAt(this.#bytes, start, end)
        keysLow[block] = keyAt(this.#bytes, start + 4, end)
        byteStarts[block] = byteAt
        postingStarts[block] = postingAt
      }
      for (let k = start; k < end; k++) bytes[byteAt++] = this.#bytes[k]
      lengths[i] = end - start
      counts[i] = this.#counts[id] - 1
      if (this.#counts[id] > frequent) {
        next[id] = 0x80000000 + bitmapAt * mapWords
        postings[postingAt++] = bitmapAt++
      } else {
        next[id] = postingAt
        postingAt += this.#counts[id]
      }
    }
    byteStarts[blocks] = byteAt
    postingStarts[blocks] = postingAt
    for (let row = 0, k = 0; row < rowCount; row++) {
      if (row % ROWS_AT_ONCE === 0) yield
      for (const end = this.#streamEnds[row]; k < end; k++) {
        const id = this.#stream[k]
        const at = next[id]
        if (at >= 0x80000000) bitmaps[at - 0x80000000 + (row >>> 5)] |= 1 << (row & 31)
        else {
          postings[at] = row
          next[id] = at + 1
        }
      }
    }
    const memoryBytes = byteTotal + wordCount * 3 + blocks * 16 + postingTotal * 2 + bitmaps.byteLength
    return new WordsInMemory({
      rowCount,
      wordCount,
      bytes,
      lengths,
      counts,
      keysHigh,
      keysLow,
      byteStarts,
      postingStarts,
      postings,
      bitmaps,
      memoryBytes,
    })
  }
}
