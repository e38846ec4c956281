import { Bytes, InvariantError, atOnce, type Turns } from '../../base/index.ts'
import { encodeText, toText, valueAt, type Column, type TextColumn } from '../../data/index.ts'
import { sharedBytes, sharedUint16, sharedUint32, sharedUint8 } from './shared.ts'
import { foldedWords, wordByte } from './tokenize.ts'
import { MANY, WordsInMemory, blockWords, maxWordBytes, type WordIndex } from './word-index.ts'

function grown32(old: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (old.length >= length) return old
  const next = new Uint32Array(Math.max(length, old.length * 2))
  next.set(old)
  return next
}

function grownInt32(old: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (old.length >= length) return old
  const next = new Int32Array(Math.max(length, old.length * 2))
  next.set(old)
  return next
}

/** Rows that are read, or whose words are placed, between two turns. */
const ROWS_AT_ONCE = 1024
/** The same of words. */
const WORDS_AT_ONCE = 16_384
/** Longer texts are read word by word: room for as many words as they may have would be too much. */
const LONG_TEXT_BYTES = 64 * 1024

const FIRST_HASH = 0x811c9dc5
const HASH_FACTOR = 0x01000193

/** What is known of a word lies together, in `1 << ENTRY_SHIFT` numbers, since words are looked up in no order. */
const ENTRY_SHIFT = 2
/** How many bytes it has, and from the ninth bit on how many rows have it. */
const SIZE_AND_COUNT = 0
const SIZE_MASK = 0xff
const COUNT_SHIFT = 8
const ONE_ROW = 1 << COUNT_SHIFT
/** Where its bytes begin, a multiple of four; up to the next one they end with zeros, so that they can be compared four at a time. */
const START = 1
/** The first row that has it, and the last so far. Most words are in one row, which is all that has to be known of them. */
const FIRST_ROW = 2
const LAST_ROW = 3

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

/** Of four bytes in memory, the first of which weighs most. */
function keyOf(word: number): number {
  if (!isLittleEndian) return word >>> 0
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0
}

/** Builds the word index of one segment after another, one at a time; its working memory is kept between them. */
export class WordIndexBuilder {
  #wordCount = 0
  /** By hash, in two numbers each: the number of a word plus one, and its hash. */
  #slots = new Int32Array(1 << 17)
  #entries = new Int32Array(1 << (14 + ENTRY_SHIFT))
  /** Bytes of the words, and as numbers of four. */
  #bytes = Bytes.allocUnsafeSlow(1 << 17)
  #quads = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length >> 2)
  #byteEnd = 0
  /** Numbers of the words, row after row, each once a row; those that a row is the first to have are left out. */
  #stream = new Uint32Array(1 << 18)
  #streamEnds = new Uint32Array(0)
  #streamLength = 0
  /** The words of a row that are to be looked up, each from a multiple of four on; bytes up to the next one are zeros. */
  readonly #rowBytes = Bytes.allocUnsafeSlow(LONG_TEXT_BYTES * 3)
  readonly #rowQuads = new Int32Array(this.#rowBytes.buffer, this.#rowBytes.byteOffset, this.#rowBytes.length >> 2)
  /** Hash and length of each. */
  readonly #rowWords = new Int32Array(LONG_TEXT_BYTES + 2)

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
    this.#byteEnd = 0
    this.#slots.fill(0)
    this.#streamLength = 0
    if (this.#streamEnds.length < rowCount) this.#streamEnds = new Uint32Array(rowCount)
  }

  #readTexts(column: TextColumn, from: number, to: number): void {
    const { offsets } = column
    for (let row = from; row < to; row++) {
      const start = offsets[row]
      const end = offsets[row + 1]
      const isShort = end - start <= LONG_TEXT_BYTES
      if (isShort) this.#makeRoom((end - start + 1) >>> 1, end - start)
      // Where a character is wide, words are another matter.
      if (!isShort || !this.#readAscii(column.bytes, start, end, row)) this.#readText(toText(valueAt(column, row)), row)
      this.#streamEnds[row] = this.#streamLength
    }
  }

  /** For so many words more, which have so many bytes together. */
  #makeRoom(words: number, bytes: number): void {
    const count = this.#wordCount + words
    this.#entries = grownInt32(this.#entries, count << ENTRY_SHIFT)
    this.#stream = grown32(this.#stream, this.#streamLength + words)
    if (count * 4 > this.#slots.length) this.#rehash(count * 2)
    const end = this.#byteEnd + bytes + words * 4
    if (end <= this.#bytes.length) return
    const next = Bytes.allocUnsafeSlow(Math.max((end + 3) & ~3, this.#bytes.length * 2))
    next.set(this.#bytes)
    this.#bytes = next
    this.#quads = new Int32Array(next.buffer, next.byteOffset, next.length >> 2)
  }

  /** The words of a text in ASCII, for which there is room; false, with none of them taken, when it is none. */
  #readAscii(text: Uint8Array, start: number, end: number, row: number): boolean {
    const bytes = this.#rowBytes
    let count = 0
    let from = 0
    for (let i = start; i < end; i++) {
      let byte = wordByte[text[i]]
      if (byte === 0) {
        if (text[i] < 0x80) continue
        return false
      }
      let at = from
      let hash = FIRST_HASH
      do {
        if (at < from + maxWordBytes) {
          bytes[at++] = byte
          hash = Math.imul(hash ^ byte, HASH_FACTOR)
        }
        if (++i === end) break
        byte = wordByte[text[i]]
      } while (byte !== 0)
      // What ends a word is looked at for itself.
      i--
      this.#rowWords[count++] = hash
      this.#rowWords[count++] = at - from
      bytes[at] = 0
      bytes[at + 1] = 0
      bytes[at + 2] = 0
      from = (at + 3) & ~3
    }
    this.#see(count, row)
    return true
  }

  #readText(text: string, row: number): void {
    for (const word of foldedWords(text)) {
      const encoded = encodeText(word)
      const size = Math.min(encoded.length, maxWordBytes)
      this.#makeRoom(1, size)
      this.#rowQuads[(size - 1) >> 2] = 0
      let hash = FIRST_HASH
      for (let i = 0; i < size; i++) {
        this.#rowBytes[i] = encoded[i]
        hash = Math.imul(hash ^ encoded[i], HASH_FACTOR)
      }
      this.#rowWords[0] = hash
      this.#rowWords[1] = size
      this.#see(2, row)
    }
  }

  /** Takes the words that lie in `#rowBytes`, of which `#rowWords` has so many numbers. */
  #see(count: number, row: number): void {
    const words = this.#rowWords
    const slots = this.#slots
    const entries = this.#entries
    const stream = this.#stream
    const quads = this.#quads
    const rowQuads = this.#rowQuads
    const mask = slots.length / 2 - 1
    // All is fetched that the look-ups will need before the first of them waits for it.
    let touched = 0
    for (let k = 0; k < count; k += 2) {
      const rawHash = words[k]
      const hash = Math.imul(rawHash ^ (rawHash >>> 15), 0x2c1b3c6d)
      words[k] = hash
      touched |= slots[((hash >>> 3) & mask) * 2]
    }
    if (touched < 0) throw new InvariantError('numbers of words are positive')
    let streamLength = this.#streamLength
    for (let k = 0, first = 0; k < count; k += 2) {
      const hash = words[k]
      const size = words[k + 1]
      const last = first + ((size - 1) >> 2)
      let slot = ((hash >>> 3) & mask) * 2
      let id = -1
      for (let taken = slots[slot]; taken !== 0; taken = slots[slot]) {
        if (slots[slot + 1] === hash) {
          const at = (taken - 1) << ENTRY_SHIFT
          if ((entries[at + SIZE_AND_COUNT] & SIZE_MASK) === size) {
            let known = entries[at + START] >> 2
            let own = first
            while (own <= last && rowQuads[own] === quads[known]) {
              own++
              known++
            }
            if (own > last) {
              id = taken - 1
              break
            }
          }
        }
        slot = (slot + 2) & (mask * 2 + 1)
      }
      if (id === -1) {
        id = this.#wordCount++
        slots[slot] = id + 1
        slots[slot + 1] = hash
        const at = id << ENTRY_SHIFT
        entries[at + SIZE_AND_COUNT] = ONE_ROW | size
        entries[at + START] = this.#byteEnd
        entries[at + FIRST_ROW] = row
        entries[at + LAST_ROW] = row
        let to = this.#byteEnd >> 2
        for (let own = first; own <= last; own++) quads[to++] = rowQuads[own]
        this.#byteEnd = to << 2
      } else {
        const at = id << ENTRY_SHIFT
        if (entries[at + LAST_ROW] !== row) {
          entries[at + LAST_ROW] = row
          entries[at + SIZE_AND_COUNT] += ONE_ROW
          stream[streamLength++] = id
        }
      }
      first = last + 1
    }
    this.#streamLength = streamLength
  }

  #rehash(least: number): void {
    const old = this.#slots
    let length = old.length
    while (length < least * 2) length *= 2
    const slots = new Int32Array(length)
    const mask = length / 2 - 1
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue
      let slot = (old[from + 1] >>> 3) & mask
      while (slots[slot * 2] !== 0) slot = (slot + 1) & mask
      slots[slot * 2] = old[from]
      slots[slot * 2 + 1] = old[from + 1]
    }
    this.#slots = slots
  }

  /** The first four bytes of a word, or the next. */
  #keyOf(id: number, isNext: boolean): number {
    const at = id << ENTRY_SHIFT
    const first = this.#entries[at + START] >> 2
    if (!isNext) return keyOf(this.#quads[first])
    return (this.#entries[at + SIZE_AND_COUNT] & SIZE_MASK) > 4 ? keyOf(this.#quads[first + 1]) : 0
  }

  /** Word numbers in the order of their bytes. */
  *#sorted(): Turns<Uint32Array> {
    const used = this.#wordCount
    let from = new Uint32Array(used)
    const high = new Uint32Array(used)
    const low = new Uint32Array(used)
    for (let id = 0; id < used; id++) {
      from[id] = id
      high[id] = this.#keyOf(id, false)
      low[id] = this.#keyOf(id, true)
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
          const aStart = this.#entries[(a << ENTRY_SHIFT) + START]
          const bStart = this.#entries[(b << ENTRY_SHIFT) + START]
          const aEnd = aStart + (this.#entries[(a << ENTRY_SHIFT) + SIZE_AND_COUNT] & SIZE_MASK)
          const bEnd = bStart + (this.#entries[(b << ENTRY_SHIFT) + SIZE_AND_COUNT] & SIZE_MASK)
          return this.#bytes.compare(this.#bytes, bStart, bEnd, aStart, aEnd)
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
    let manyTotal = 0
    const entries = this.#entries
    for (let id = 0, at = 0; id < this.#wordCount; id++, at += 1 << ENTRY_SHIFT) {
      const count = entries[at + SIZE_AND_COUNT] >> COUNT_SHIFT
      byteTotal += entries[at + SIZE_AND_COUNT] & SIZE_MASK
      const isDense = count > frequent
      postingTotal += isDense ? 1 : count
      if (isDense) bitmapTotal++
      if (count > MANY) manyTotal++
    }
    const mapWords = (rowCount + 31) >>> 5
    const bytes = sharedBytes(byteTotal)
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
    /** Where the next row of a word goes, of those that several have; for frequent words what `~` makes of the number of their bitmap. */
    const next = new Int32Array(this.#wordCount)
    /** Of the bitmaps the word that has the row in work. */
    const bits = new Int32Array(bitmapTotal)
    let byteAt = 0
    let postingAt = 0
    let bitmapAt = 0
    let many = 0
    for (let i = 0; i < wordCount; i++) {
      if (i % WORDS_AT_ONCE === 0) yield
      const id = order[i]
      const at = id << ENTRY_SHIFT
      const start = entries[at + START]
      const size = entries[at + SIZE_AND_COUNT] & SIZE_MASK
      const count = entries[at + SIZE_AND_COUNT] >> COUNT_SHIFT
      const firstRow = entries[at + FIRST_ROW]
      if (i % blockWords === 0) {
        const block = i / blockWords
        keysHigh[block] = this.#keyOf(id, false)
        keysLow[block] = this.#keyOf(id, true)
        byteStarts[block] = byteAt
        postingStarts[block] = postingAt
      }
      for (let k = start; k < start + size; k++) bytes[byteAt++] = this.#bytes[k]
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
    const stream = this.#stream
    const streamEnds = this.#streamEnds
    const places = this.#rowWords
    for (let row = 0, from = 0; row < rowCount; row++) {
      if (row % ROWS_AT_ONCE === 0) yield
      const end = streamEnds[row]
      while (from < end) {
        // A row has each word once: where all of them go is fetched before one of them decides anything.
        const count = Math.min(end - from, places.length)
        for (let k = 0; k < count; k++) places[k] = next[stream[from + k]]
        for (let k = 0; k < count; k++) {
          const at = places[k]
          if (at < 0) bits[~at] |= 1 << (row & 31)
          else {
            postings[at] = row
            next[stream[from + k]] = at + 1
          }
        }
        from += count
      }
      // Bits of 32 rows are put down at once: bitmaps of all frequent words lie far apart.
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
}
