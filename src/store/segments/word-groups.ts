import { Bytes } from '../../base/index.ts'
import { isFrequentIn, maxWordBytes, type WordArrays } from '../memory/index.ts'
import { CachedParts, type BlockCache, type CachedPart } from './block-cache.ts'
import { codedAndPacked, decodedArray } from './codings.ts'
import { coding, packing } from './layout.ts'
import { PackingFault, packed, unpacked } from './packing.ts'
import { fromPlanes } from './plane-codings.ts'
import { decodeRun, encodeRun, runBytes } from './row-runs.ts'
import type { OpenContents, SegmentFile } from './segment-file.ts'

/*
 * A block of a group of words, with everything that a look-up of one of them reads: how many words n 4 · stored bytes of the
 * words 4 · their plain bytes 4 · their packing 1 · packing of the rows 1 · coding of the rows 1 · zero 1 · plain bytes of the rows 4 · the words ·
 * the rows.
 *
 * Words: lengths n · rows of each less one, 2 each in planes · bytes of the words. Rows: a run of each word, or where they are shorter so,
 * all of them as one array; for a frequent word the number of its bitmap.
 */
const HEAD = 20

/** The words of one group. */
export interface WordGroup {
  readonly bytes: Bytes
  /** One more than there are words. */
  readonly offsets: Uint32Array
  /** Rows of each word, less one. */
  readonly counts: Uint16Array
}

/** The groups of words of one file; words are named by their place in their group. Each may throw SluiceError `durable/damaged`. */
export interface WordGroups {
  get(group: number): WordGroup
  /** The rows of a word that is not frequent. */
  rowsOf(group: number, place: number): Uint16Array
  /** The number of the bitmap of a frequent word. */
  bitmapOf(group: number, place: number): number
  isHeld(group: number): boolean
  /** As `readAhead` of a `WordIndex`, of one group: false where it is there or an earlier step asked for it. */
  readAhead(open: OpenContents, group: number, step: number, withRows: boolean): boolean
  parts(): Iterable<CachedPart<unknown>>
}

/** Lengths, rows less one and bytes of words, unpacked. */
export function decodeWords(words: Buffer, count: number): WordGroup | undefined {
  if (words.length < count * 3) return undefined
  const offsets = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i] + words[i]
  if (words.length !== count * 3 + offsets[count]) return undefined
  const counts = new Uint16Array(count)
  fromPlanes(words.subarray(count), 2, new Uint8Array(counts.buffer))
  return { bytes: words.subarray(count * 3), offsets, counts }
}

/** Where what each word has of the rows begins; one more than there are words. */
export function placesOfRows(
  counts: Uint16Array,
  rowCount: number,
  ofRows: (count: number) => number,
  ofBitmap: number,
): Uint32Array {
  const places = new Uint32Array(counts.length + 1)
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] + 1
    places[i + 1] = places[i] + (isFrequentIn(rowCount, count) ? ofBitmap : ofRows(count))
  }
  return places
}

const BITMAP_NUMBER_BYTES = 2

function placesOfRuns(counts: Uint16Array, rowCount: number): Uint32Array {
  return placesOfRows(counts, rowCount, (count) => runBytes(count, rowCount), BITMAP_NUMBER_BYTES)
}

function placesInArray(counts: Uint16Array, rowCount: number): Uint32Array {
  return placesOfRows(counts, rowCount, (count) => count, 1)
}

/** Words of a group up to so many bytes are not packed: groups of words with many rows have few. */
const PLAIN_WORDS_BYTES = 512

/**
 * Words `[from, to)` with bytes `[start, end)`, whose rows or numbers of bitmaps are `rows`; `all` are the counts of all words, less one.
 */
export function encodeGroup(
  { rowCount, lengths, bytes }: WordArrays,
  all: Uint16Array,
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
  rows: Uint16Array,
): Buffer {
  const count = to - from
  const counts = all.subarray(from, to)
  const plain = Bytes.allocUnsafe(count * 3 + end - start)
  plain.set(lengths.subarray(from, to))
  for (let i = 0; i < count; i++) {
    plain[count + i] = counts[i]
    plain[2 * count + i] = counts[i] >>> 8
  }
  bytes.copy(plain, count * 3, start, end)
  const words = plain.length <= PLAIN_WORDS_BYTES ? { bytes: plain, packing: packing.none } : packed(plain, 'words')
  const starts = placesOfRuns(counts, rowCount)
  const stored = isCrowded(rows, starts[count])
    ? codedAndPacked(rows, coding.ascents)
    : { packing: packing.none, coding: coding.runs, ...encodedRuns(rows, counts, starts, rowCount) }
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(count, 0)
  head.writeUInt32LE(words.bytes.length, 4)
  head.writeUInt32LE(plain.length, 8)
  head[12] = words.packing
  head[13] = stored.packing
  head[14] = stored.coding
  head.writeUInt32LE(stored.plainBytes, 16)
  return Buffer.concat([head, words.bytes, stored.bytes])
}

function encodedRuns(
  rows: Uint16Array,
  counts: Uint16Array,
  starts: Uint32Array,
  rowCount: number,
): { readonly bytes: Buffer; readonly plainBytes: number } {
  const places = placesInArray(counts, rowCount)
  const bytes = Buffer.alloc(starts[counts.length])
  for (let i = 0; i < counts.length; i++) {
    // Most words have one row, and a run of one is that row: a view of it would be garbage.
    if (counts[i] === 0 || isFrequentIn(rowCount, counts[i] + 1)) bytes.writeUInt16LE(rows[places[i]], starts[i])
    else encodeRun(rows.subarray(places[i], places[i + 1]), rowCount, bytes, starts[i])
  }
  return { bytes, plainBytes: bytes.length }
}

/** Differences of rows are packed to about their own bits and one and a half more. */
const BITS_MORE = 1.5
/** Runs may be longer by a third than an array: of that, all has to be unpacked for one word. */
const MOST_OF_ARRAY = 4 / 3

/** Whether rows lie so close together that one packed array is much shorter than their runs, which are as long wherever the rows are. */
function isCrowded(rows: Uint16Array, bytesOfRuns: number): boolean {
  let bits = rows.length * BITS_MORE
  for (let i = 1; i < rows.length; i++) bits += 32 - Math.clz32((rows[i] - rows[i - 1]) & 0xffff)
  return bytesOfRuns * 8 > bits * MOST_OF_ARRAY
}

/** A group that was read. What is asked of the rows is kept. */
class ReadGroup implements WordGroup {
  readonly bytes: Bytes
  readonly offsets: Uint32Array
  readonly counts: Uint16Array
  readonly #rowCount: number
  readonly #coding: number
  readonly #packing: number
  readonly #plainBytes: number
  readonly #stored: Buffer
  readonly #lists: (Uint16Array | undefined)[] = []
  #starts: Uint32Array | undefined
  #all: Uint16Array | undefined

  private constructor(words: WordGroup, head: Buffer, stored: Buffer, rowCount: number) {
    this.bytes = words.bytes
    this.offsets = words.offsets
    this.counts = words.counts
    this.#packing = head[13]
    this.#coding = head[14]
    this.#plainBytes = head.readUInt32LE(16)
    this.#stored = stored
    this.#rowCount = rowCount
  }

  /** `undefined` where it is no block of words. */
  static of(block: Buffer, rowCount: number): ReadGroup | undefined {
    if (block.length < HEAD) return undefined
    const end = HEAD + block.readUInt32LE(4)
    const plainBytes = block.readUInt32LE(8)
    const count = block.readUInt32LE(0)
    if (end > block.length || plainBytes > count * (maxWordBytes + 3)) return undefined
    const words = decodeWords(unpacked(block.subarray(HEAD, end), block[12], plainBytes), count)
    return words && new ReadGroup(words, block.subarray(0, HEAD), block.subarray(end), rowCount)
  }

  /** What stands for a word among the rows; `undefined` where that is not so. */
  rowsOf(place: number): Uint16Array | undefined {
    return (this.#lists[place] ??= this.#coding === coding.runs ? this.#run(place) : this.#part(place))
  }

  #run(place: number): Uint16Array | undefined {
    const starts = (this.#starts ??= placesOfRuns(this.counts, this.#rowCount))
    if (starts[this.counts.length] !== this.#stored.length) return undefined
    const count = this.counts[place] + 1
    return isFrequentIn(this.#rowCount, count)
      ? Uint16Array.of(this.#stored.readUInt16LE(starts[place]))
      : decodeRun(this.#stored, starts[place], count, this.#rowCount)
  }

  #part(place: number): Uint16Array | undefined {
    const starts = (this.#starts ??= placesInArray(this.counts, this.#rowCount))
    const length = starts[this.counts.length]
    if (this.#all === undefined) {
      if (this.#plainBytes !== length * 2) return undefined
      const array = decodedArray(unpacked(this.#stored, this.#packing, length * 2), this.#coding, 'u16', length)
      if (!(array instanceof Uint16Array)) return undefined
      this.#all = array
    }
    return this.#all.subarray(starts[place], starts[place + 1])
  }
}

function whole<T>(file: SegmentFile, block: number, made: () => T | undefined): T {
  let value: T | undefined
  let what = 'is not a group of words'
  try {
    value = made()
  } catch (error) {
    if (!(error instanceof PackingFault)) throw error
    what = `is a group of words, but ${error.message}`
  }
  if (value === undefined) throw file.damaged(`block ${block} ${what}`)
  return value
}

/** Past the cache. Throws SluiceError `durable/damaged`. */
export function readGroup(file: SegmentFile, open: OpenContents, number: number, rowCount: number): ReadGroup {
  const block = file.plainBlock(open, number)
  return whole(file, number, () => ReadGroup.of(block, rowCount))
}

/** What a group takes at most with all of its rows asked for; known once it is read. */
const GROUP_BYTES = 64 * 1024

/** Groups of which each is a block. */
export class GroupsOfWords implements WordGroups {
  readonly #file: SegmentFile
  readonly #open: () => OpenContents
  readonly #rowCount: number
  readonly #first: number
  readonly #parts: CachedParts<ReadGroup>
  /** Those that the system was asked to read, and in which step. */
  readonly #asked = new Map<number, number>()

  /** `first`: the block of the first group. */
  constructor(file: SegmentFile, open: () => OpenContents, cache: BlockCache, rowCount: number, first: number) {
    this.#file = file
    this.#open = open
    this.#rowCount = rowCount
    this.#first = first
    this.#parts = new CachedParts(
      cache,
      () => GROUP_BYTES,
      (group) => this.#read(group),
    )
  }

  get(group: number): ReadGroup {
    return this.#parts.get(group)
  }

  #read(group: number): ReadGroup {
    this.#asked.delete(group)
    return readGroup(this.#file, this.#open(), this.#first + group, this.#rowCount)
  }

  rowsOf(group: number, place: number): Uint16Array {
    const words = this.get(group)
    return whole(this.#file, this.#first + group, () => words.rowsOf(place))
  }

  bitmapOf(group: number, place: number): number {
    return this.rowsOf(group, place)[0]
  }

  isHeld(group: number): boolean {
    return this.#parts.isHeld(group)
  }

  readAhead(open: OpenContents, group: number, step: number): boolean {
    if (this.isHeld(group)) return false
    const askedIn = this.#asked.get(group)
    if (askedIn !== undefined) return askedIn === step
    this.#asked.set(group, step)
    this.#file.blocksAhead(open, this.#first + group)
    return true
  }

  parts(): Iterable<CachedPart<unknown>> {
    return this.#parts.parts()
  }
}
