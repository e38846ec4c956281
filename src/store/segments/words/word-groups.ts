import { headBytes } from '../layout.ts'
import { Bytes } from '../../../base/index.ts'
import { isFrequentIn, maxWordBytes, type WordArrays } from '../../memory/index.ts'
import { CachedParts, type BlockCache } from '../block-cache.ts'
import { PackingFault, packed, unpacked } from '../codings/packing.ts'
import { fromPlanes } from '../codings/plane-codings.ts'
import { decodeRun, encodeRun, runBytes } from './row-runs.ts'
import type { OpenContents } from '../block-file.ts'
import type { RowGroupFile } from '../part-file.ts'

/*
 * A group of words is one block, with everything that a lookup of one of them reads. Lengths are in bytes.
 *
 * - block: number of words n 4 · encoded bytes of the words 4 · their decompressed bytes 4 · their compression 1 ·
 *   zeros 3 · words · rows
 * - words: n lengths 1 each · number of rows minus one for each word, 2 each in planes · bytes of the words
 * - rows: the run of each word; for a frequent word, the number of its bitmap
 */

/** The words of one group. */
export interface WordGroup {
  readonly bytes: Bytes
  /** The start of each word's bytes, and the end of the last. */
  readonly offsets: Uint32Array
  /** For each word, the number of rows minus one. */
  readonly counts: Uint16Array
}

/** Decodes the decompressed words of a group; returns `undefined` if the lengths do not add up. */
function decodeWords(words: Buffer, count: number): WordGroup | undefined {
  if (words.length < count * 3) return undefined
  const offsets = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i] + words[i]
  if (words.length !== count * 3 + offsets[count]) return undefined
  const counts = new Uint16Array(count)
  fromPlanes(words.subarray(count), 2, new Uint8Array(counts.buffer))
  return { bytes: words.subarray(count * 3), offsets, counts }
}

const BITMAP_NUMBER_BYTES = 2

/** Returns the offset of each word's run or bitmap number, and the end of the last. */
function offsetsOfRuns(counts: Uint16Array, rowCount: number): Uint32Array {
  const offsets = new Uint32Array(counts.length + 1)
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] + 1
    offsets[i + 1] = offsets[i] + (isFrequentIn(rowCount, count) ? BITMAP_NUMBER_BYTES : runBytes(count, rowCount))
  }
  return offsets
}

/**
 * Encodes a group with the words `[from, to)`, whose bytes are `[start, end)`. `rows` has their rows or bitmap numbers;
 * `all` has the number of rows minus one for every word of the index.
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
  const words = packed(plain, 'words')
  const head = Buffer.alloc(headBytes.words)
  head.writeUInt32LE(count, 0)
  head.writeUInt32LE(words.bytes.length, 4)
  head.writeUInt32LE(plain.length, 8)
  head[12] = words.packing
  return Buffer.concat([head, words.bytes, encodedRuns(rows, counts, rowCount)])
}

function encodedRuns(rows: Uint16Array, counts: Uint16Array, rowCount: number): Buffer {
  const starts = offsetsOfRuns(counts, rowCount)
  const bytes = Buffer.alloc(starts[counts.length])
  for (let i = 0, at = 0; i < counts.length; i++) {
    const count = isFrequentIn(rowCount, counts[i] + 1) ? 1 : counts[i] + 1
    // Fast path, since most words are in one row, which is their run. It avoids creating a view.
    if (count === 1) bytes.writeUInt16LE(rows[at], starts[i])
    else encodeRun(rows.subarray(at, at + count), rowCount, bytes, starts[i])
    at += count
  }
  return bytes
}

/** A decoded group of words, which caches decoded rows. */
class ReadGroup implements WordGroup {
  readonly bytes: Bytes
  readonly offsets: Uint32Array
  readonly counts: Uint16Array
  readonly #rowCount: number
  readonly #runs: Buffer
  readonly #starts: Uint32Array
  readonly #lists: (Uint16Array | undefined)[] = []

  private constructor(words: WordGroup, runs: Buffer, starts: Uint32Array, rowCount: number) {
    this.bytes = words.bytes
    this.offsets = words.offsets
    this.counts = words.counts
    this.#runs = runs
    this.#starts = starts
    this.#rowCount = rowCount
  }

  /** Decodes a block; returns `undefined` if it is no group of words. */
  static of(block: Buffer, rowCount: number): ReadGroup | undefined {
    if (block.length < headBytes.words) return undefined
    const end = headBytes.words + block.readUInt32LE(4)
    const plainBytes = block.readUInt32LE(8)
    const count = block.readUInt32LE(0)
    if (end > block.length || plainBytes > count * (maxWordBytes + 3)) return undefined
    const words = decodeWords(unpacked(block.subarray(headBytes.words, end), block[12], plainBytes), count)
    if (words === undefined) return undefined
    const starts = offsetsOfRuns(words.counts, rowCount)
    const runs = block.subarray(end)
    return starts[count] === runs.length ? new ReadGroup(words, runs, starts, rowCount) : undefined
  }

  /** Returns the rows of a word, or the number of its bitmap; `undefined` if the bytes are invalid. */
  rowsOf(word: number): Uint16Array | undefined {
    return (this.#lists[word] ??= this.#run(word))
  }

  #run(word: number): Uint16Array | undefined {
    const count = this.counts[word] + 1
    return isFrequentIn(this.#rowCount, count)
      ? Uint16Array.of(this.#runs.readUInt16LE(this.#starts[word]))
      : decodeRun(this.#runs, this.#starts[word], count, this.#rowCount)
  }
}

function whole<T>(file: RowGroupFile, block: number, made: () => T | undefined): T {
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

/** Reads a group without caching it. Throws SluiceError `durable/damaged`. */
export function readGroup(file: RowGroupFile, open: OpenContents, number: number, rowCount: number): ReadGroup {
  const block = file.plainBlock(open, number)
  return whole(file, number, () => ReadGroup.of(block, rowCount))
}

/** Estimated maximum memory of a cached group with all rows decoded, bytes. The real size is unknown before reading. */
const GROUP_BYTES = 64 * 1024

/** The groups of words of a row group in a file. */
export class GroupsOfWords {
  readonly #file: RowGroupFile
  readonly #open: () => OpenContents
  readonly #rowCount: number
  readonly #first: number
  readonly #parts: CachedParts<ReadGroup>
  /** For each group, the step of the lookup in which it was prefetched. */
  readonly #asked = new Map<number, number>()

  /** `first` is the block of the first group; the others follow. */
  constructor(file: RowGroupFile, open: () => OpenContents, cache: BlockCache, rowCount: number, first: number) {
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

  rowsOf(group: number, word: number): Uint16Array {
    const words = this.get(group)
    return whole(this.#file, this.#first + group, () => words.rowsOf(word))
  }

  bitmapOf(group: number, word: number): number {
    return this.rowsOf(group, word)[0]
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
}
