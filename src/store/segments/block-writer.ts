import { present, type Bytes, type StepwiseTask } from '../../base/index.ts'
import { crc32 } from '../../system/index.ts'
import { codedAndPacked, codedPieces, type PieceSizes } from './codings/codings.ts'
import { typeOf, type Elements } from './codings/elements.ts'
import {
  coding,
  encodeTextField,
  encodeHead,
  encodeTable,
  encodeTail,
  packing,
  type NewBlock,
  type StoredArray,
  type StoredTexts,
} from './layout.ts'
import { packed, type PackedKind } from './codings/packing.ts'
import { Scratch, type TakeBytes } from './codings/scratch.ts'
import { SHORT_TEXT_BLOCK_BYTES, TEXT_BLOCK_BYTES, encodeTexts } from './texts.ts'

const scratch = new Scratch()

/**
 * Maximum size of contents and piece tables that are stored uncompressed, bytes. Decompressing would double the time to
 * open a file, while one request reads them either way.
 */
const PLAIN_CONTENTS_BYTES = 12 * 1024

/** Short blocks are used for texts if they add at most 1 byte per this many bytes. */
const SHORT_LOSS_ONE_IN = 64

/** A block file inside another one: its offset, its length in bytes and its CRC-32. */
export interface NestedFile<T> {
  readonly at: number
  readonly bytes: number
  readonly crc: number
  readonly value: T
}

/** Writes a block file from beginning to end. Callers may change their arrays after a method has returned. */
export class BlockWriter {
  readonly blocks: NewBlock[] = []
  /** Allocates memory for one block. The memory is reused after the block is written. */
  readonly scratch: TakeBytes = scratch.take
  readonly #pieces: NewBlock[] = []
  readonly #write: (bytes: Uint8Array) => void
  readonly #version: number
  bytes = 0
  /** CRC-32 of the bytes written so far. */
  checksum = 0

  /** Writes the head of the file. */
  constructor(write: (bytes: Uint8Array) => void, magic: Uint8Array, version: number) {
    this.#write = write
    this.#version = version
    this.#raw(encodeHead(magic, version))
  }

  /** Writes the piece table (if there are pieces), the contents and the tail. */
  finish(contents: object): void {
    const list = this.#pieces.length === 0 ? {} : { pieces: this.#list(encodeTable(this.#pieces)) }
    const plain = encodeTextField({ ...contents, ...list, before: this.checksum }, this.blocks)
    const { bytes, packing: kind } =
      plain.length <= PLAIN_CONTENTS_BYTES ? { bytes: plain, packing: packing.none } : packed(plain)
    const contentsAt = this.bytes
    this.#raw(bytes)
    const checksum = crc32(bytes)
    const tail = { contentsAt, storedBytes: bytes.length, plainBytes: plain.length, packing: kind, checksum }
    this.#raw(encodeTail(tail, this.#version))
  }

  /**
   * Writes the piece table as a block; returns the number of the block. As it is the last block, the request that reads
   * the contents usually reads it too.
   */
  #list(table: Buffer): number {
    return table.length <= PLAIN_CONTENTS_BYTES ? this.unpackedBlock(table) : this.block(table)
  }

  #raw(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#write(bytes)
    this.bytes += bytes.length
    this.checksum = crc32(bytes, this.checksum)
  }

  #block(stored: Uint8Array, plainBytes: number, kind: number, code: number): number {
    this.blocks.push({
      storedBytes: stored.length,
      plainBytes,
      checksum: crc32(stored),
      packing: kind,
      coding: code,
    })
    this.#raw(stored)
    return this.blocks.length - 1
  }

  array(array: Elements, only?: number): StoredArray {
    const { bytes, packing: kind, coding: code, plainBytes } = codedAndPacked(array, only)
    const block = this.#block(bytes, plainBytes, kind, code)
    return { type: typeOf(array), length: array.length, block }
  }

  /** Writes an array: a long one in pieces that can be read one by one, a short one as `array` does. */
  pieces(array: Elements, sizes: PieceSizes): StoredArray {
    const coded = codedPieces(array, sizes)
    if (coded === undefined) return this.array(array)
    const first = this.#pieces.length
    let storedBytes = 0
    let blockChecksum = 0
    for (const { bytes, packing: kind, coding: code, plainBytes } of coded.pieces) {
      const checksum = crc32(bytes)
      this.#pieces.push({ storedBytes: bytes.length, plainBytes, checksum, packing: kind, coding: code })
      storedBytes += bytes.length
      blockChecksum = crc32(bytes, blockChecksum)
      this.#raw(bytes)
    }
    const whole = { storedBytes, plainBytes: storedBytes, checksum: blockChecksum }
    const block = this.blocks.push({ ...whole, packing: packing.none, coding: coding.plain }) - 1
    return { type: typeOf(array), length: array.length, block, pieces: { elements: coded.elements, first } }
  }

  maybe(array: Elements | undefined, only?: number): StoredArray | undefined {
    return array === undefined ? undefined : this.array(array, only)
  }

  /** Writes bytes as one block, which readers always read whole. Returns the number of the block. */
  block(bytes: Uint8Array, what?: PackedKind): number {
    const { bytes: stored, packing: kind } = packed(bytes, what)
    return this.#block(stored, bytes.length, kind, coding.plain)
  }

  /** Writes a block without compression, because compressing is not worthwhile or its content is already compressed. */
  unpackedBlock(bytes: Uint8Array): number {
    return this.#block(bytes, bytes.length, packing.none, coding.plain)
  }

  /** Writes a complete block file as one block of this file. */
  nested<T>(
    magic: Uint8Array,
    version: number,
    write: (inner: BlockWriter) => StepwiseTask<T>,
  ): StepwiseTask<NestedFile<T>> {
    return this.#embed((take) => write(new BlockWriter(take, magic, version)))
  }

  /**
   * Copies an existing block file as one block of this file. `pieces` passes the bytes of that file, in order, to its
   * argument.
   */
  copied<T>(pieces: (take: (bytes: Uint8Array) => void) => StepwiseTask<T>): StepwiseTask<NestedFile<T>> {
    return this.#embed(pieces)
  }

  *#embed<T>(write: (take: (bytes: Uint8Array) => void) => StepwiseTask<T>): StepwiseTask<NestedFile<T>> {
    const at = this.bytes
    let checksum = 0
    const value = yield* write((bytes) => {
      checksum = crc32(bytes, checksum)
      this.#raw(bytes)
    })
    const bytes = this.bytes - at
    this.blocks.push({ storedBytes: bytes, plainBytes: bytes, checksum, packing: packing.none, coding: coding.plain })
    return { at, bytes, crc: checksum, value }
  }

  texts(bytes: Bytes, offsets: Uint32Array): StoredTexts {
    const block = this.blocks.length
    const firstRows: number[] = []
    const rows = offsets.length - 1
    let mostBytes = TEXT_BLOCK_BYTES
    for (let from = 0; from < rows;) {
      const to = endOfTexts(offsets, from, mostBytes)
      firstRows.push(from)
      this.block(encodeTexts(bytes, offsets, from, to, this.scratch), 'texts')
      if (from === 0 && to < rows && this.#isShortAsGood(bytes, offsets)) mostBytes = SHORT_TEXT_BLOCK_BYTES
      from = to
    }
    return { block, firstRows, bytes: offsets[rows] }
  }

  /**
   * True if a short block compresses as well as the block just written. Decided by compressing the first texts of that
   * block.
   */
  #isShortAsGood(bytes: Bytes, offsets: Uint32Array): boolean {
    const { storedBytes, plainBytes } = present(this.blocks.at(-1))
    const plain = encodeTexts(bytes, offsets, 0, endOfTexts(offsets, 0, SHORT_TEXT_BLOCK_BYTES), this.scratch)
    const short = packed(plain, 'texts').bytes.length / plain.length
    return short <= (storedBytes / plainBytes) * (1 + 1 / SHORT_LOSS_ONE_IN)
  }
}

/** Returns the end of the rows, from `from` on, whose texts fit into one block. */
function endOfTexts(offsets: Uint32Array, from: number, mostBytes: number): number {
  const rows = offsets.length - 1
  let to = from + 1
  while (to < rows && offsets[to + 1] - offsets[from] <= mostBytes) to++
  return to
}
