import { crc32 } from '../../system/index.ts'

/*
 * A block file is a head, blocks, contents and a tail; `grammar/formats/part.md` describes every byte. Each field has
 * its length in bytes.
 *
 * - head: magic 8 · version 4 · checksum 4 (16 bytes)
 * - blocks: one after another, with the lengths in the block table
 * - contents, compressed as the tail says: length of the JSON 4 · JSON · block table (number of blocks 4 · encoded
 *   lengths 4 each · decompressed lengths 4 each · checksums 4 each · compressions 1 each · codings 1 each)
 * - tail: offset of the contents 8 · their encoded length 4 · their decompressed length 4 · their compression 4 · their
 *   checksum 4 · version 4 · checksum 4 · magic 8 (40 bytes)
 *
 * Numbers are little-endian. Checksums are CRC-32 of the bytes in the file. Every byte of the file is covered.
 */

/** Version of the file format of parts and row groups. */
export const PART_VERSION = 1
export const TAIL_BYTES = 40

/** Lengths of heads in bytes: of a file, of kinds of blocks, and of a dictionary record. */
export const headBytes = {
  file: 16,
  texts: 8,
  filterPage: 8,
  /** Number of entries 4 · bytes of their texts 4 · 1 if there are numbers 1 · zeros 3. */
  entries: 12,
  words: 16,
  /** Exponent 1 · bytes per number 1 · 1 if 0 means NaN 1 · zeros 5 · base 8 · factor 8. */
  numbers: 24,
  /** Width in bits 1 · zeros 3 · minimum 4. Steps as bits have the head `numbers` instead, with the width in bits. */
  bits: 8,
  dictionaryRecord: 24,
} as const

export const PART_MAGIC: Uint8Array = Buffer.from('SLUICEPT')
export const ROW_GROUP_MAGIC: Uint8Array = Buffer.from('SLUICERG')
const TAIL_MAGIC = Buffer.from('SLUICEND')

/** Maximum number of row groups in a part, so that a set of row groups fits into two 32-bit numbers. */
export const MAX_ROW_GROUPS = 64

/** Maximum length of a decompressed block, bytes. Bounds the memory that a damaged length can request. */
export const MAX_BLOCK_BYTES = 512 * 1024 * 1024

/** The compression of a block's bytes. */
export const packing = { none: 0, zstd: 1, deflate: 2 } as const

/** The encoding of an array's elements before compression. */
export const coding = {
  /** The same bytes as in memory. */
  plain: 0,
  /** All first bytes of the elements, then all second bytes, and so on. */
  planes: 1,
  /**
   * Differences to the previous element, folded so that small ones of either sign become small numbers, then stored as
   * `planes`.
   */
  deltas: 2,
  /** Doubles that are integers divided by a power of ten. */
  decimals: 3,
  /** Doubles that are ascending integers, as differences to the previous one in multiples of a factor. */
  steps: 4,
  /** Integers minus their minimum, each with as many bits as the largest needs. */
  bits: 5,
  /** The same numbers as `steps`, each with as many bits as the largest needs. */
  stepBits: 6,
} as const

export type ElementType = 'u8' | 'u16' | 'u32' | 'i32' | 'f64'

/** An array that is stored in one block. */
export interface StoredArray {
  readonly type: ElementType
  readonly length: number
  readonly block: number
  /** Present if the block consists of pieces, which are encoded and compressed separately. */
  readonly pieces?: StoredPieces | undefined
}

export interface StoredPieces {
  /** The number of elements in each piece; the last piece has the remainder. */
  readonly elements: number
  /** The index of the array's first piece in the piece table of the file. */
  readonly first: number
}

/**
 * Texts of rows in several blocks, so that reading a row reads one block. A block has the lengths of its texts, then
 * the texts.
 */
export interface StoredTexts {
  /** The number of the first block. */
  readonly block: number
  /** The first row in each block. */
  readonly firstRows: readonly number[]
  /** Total size of the texts, bytes. */
  readonly bytes: number
}

export type StoredColumnContents =
  | {
      readonly kind: 'dictionary'
      readonly length: number
      readonly codes: StoredArray
      readonly maxCode: number
      /**
       * The block with the used dictionary codes and their values, so that the dictionary can be rebuilt from segments.
       */
      readonly values: number
    }
  | {
      readonly kind: 'float64'
      readonly length: number
      readonly values: StoredArray
      readonly validity?: StoredArray | undefined
    }
  | {
      readonly kind: 'int64'
      readonly length: number
      readonly high: StoredArray
      readonly low: StoredArray
      readonly validity?: StoredArray | undefined
    }
  | {
      readonly kind: 'time'
      readonly length: number
      readonly baseNs: string
      readonly deltas: StoredArray
      readonly validity?: StoredArray | undefined
    }
  | {
      readonly kind: 'text'
      readonly length: number
      readonly texts: StoredTexts
      readonly validity?: StoredArray | undefined
      readonly wide?: StoredArray | undefined
    }
  | {
      readonly kind: 'mixed'
      readonly length: number
      readonly tags: StoredArray
      readonly numbers: StoredArray
      readonly texts: StoredTexts
    }
  | {
      readonly kind: 'sparse'
      readonly length: number
      readonly rows: StoredArray
      readonly present: StoredColumnContents
    }

/** The stored contents of a column of kind `K`. */
export type Stored<K extends StoredColumnContents['kind']> = Extract<StoredColumnContents, { readonly kind: K }>

export interface StoredZones {
  readonly hasNan: boolean
  readonly isInteger: boolean
  readonly mins: StoredArray
  readonly maxs: StoredArray
  /** The smallest number as the 16 hexadecimal digits of its double, because JSON has no infinities. */
  readonly min: string
  readonly max: string
}

/** The rows with the highest or lowest numbers of a field, best first, and these numbers. */
export interface StoredTopList {
  readonly rows: StoredArray
  readonly numbers: StoredArray
}

export interface StoredTimeMarks {
  readonly unitNs: number
  readonly firstDelta: number
  readonly rows: StoredArray
}

export interface FieldContents {
  readonly name: string
  readonly missingCount: number
  readonly column: StoredColumnContents
  readonly counts?: StoredArray | undefined
  /** True if readers may derive rows by code from the codes. */
  readonly hasOrder: boolean
  readonly zones?: StoredZones | undefined
  readonly tops?: { readonly highest: StoredTopList; readonly lowest: StoredTopList } | undefined
}

export interface WordsContents {
  readonly wordCount: number
  /** The block with the first word of each group, encoded as texts. */
  readonly directory: number
  /** The number of word groups. Their blocks are consecutive, from block `words` on. */
  readonly groups: number
  readonly words: number
  /** The block of the first bitmap. Each bitmap is one block; the others follow. */
  readonly bitmaps: number
  readonly bitmapCount: number
  /** Memory of the index from which this one was written, bytes. */
  readonly memoryBytes: number
  readonly templates?: StoredTemplates | undefined
}

export interface StoredTemplates {
  readonly leastRows: number
  readonly count: number
  /**
   * The number of words that are excluded from templates although they are in enough rows. `leftOut` is the block with
   * these words, encoded as texts.
   */
  readonly leftOutCount: number
  readonly leftOut: number
  /** The block with the templates, encoded as texts. */
  readonly texts: number
  readonly codes: StoredArray
}

/** The contents that every block file has. */
export interface WrittenContents {
  /** The number of the block with the piece table; absent if no array is stored in pieces. */
  readonly pieces?: number | undefined
  /** CRC-32 of all bytes before the contents. */
  readonly before: number
}

/** The filter of a part: hashes of words and values, each with the row groups that may contain it. */
export interface StoredFilter {
  /** Number of bits that are kept of each 32-bit hash, from the highest. */
  readonly hashBits: number
  /** The number of pairs of a hash and a row group. */
  readonly pairs: number
  /** `u32`: the first hash of each page, ascending. */
  readonly firstHashes: StoredArray
  /** The block of the first page. The other pages follow. */
  readonly pages: number
}

/** The contents of a part. Block `n` is the row group with number `n`. */
export interface PartContents extends WrittenContents {
  readonly table: string
  readonly rowGroups: number
  readonly filter: StoredFilter
}

/** The contents of a row group. */
export interface RowGroupContents extends WrittenContents {
  readonly table: string
  readonly rowCount: number
  readonly epoch: number
  readonly sequenceBase: number
  readonly sequenceOffsets?: StoredArray | undefined
  readonly timeField: string
  readonly textField: string
  readonly deltas: StoredArray
  readonly timeMarks?: StoredTimeMarks | undefined
  readonly columns: readonly FieldContents[]
  readonly words?: WordsContents | undefined
}

/** The table of the blocks of a file, or of the pieces of its arrays. */
export interface BlockTable {
  readonly count: number
  /**
   * For blocks: the offset of each in the file, and the end of the last. For pieces: the same, counted as if the pieces
   * were adjacent.
   */
  readonly starts: Float64Array
  readonly plainBytes: Uint32Array
  readonly checksums: Uint32Array
  readonly packings: Uint8Array
  readonly codings: Uint8Array
}

export interface NewBlock {
  readonly storedBytes: number
  readonly plainBytes: number
  readonly checksum: number
  readonly packing: number
  readonly coding: number
}

/** Encodes the head of a file: magic, version, checksum. */
export function encodeHead(magic: Uint8Array, version: number): Buffer {
  const head = Buffer.alloc(headBytes.file)
  head.set(magic)
  head.writeUInt32LE(version, 8)
  head.writeUInt32LE(crc32(head.subarray(0, 12)), 12)
  return head
}

/** Returns the version in a head with this magic and a valid checksum; `undefined` for other bytes. */
export function versionOfHead(head: Buffer, magic: Uint8Array): number | undefined {
  if (head.length !== headBytes.file || !head.subarray(0, 8).equals(magic)) return undefined
  return crc32(head.subarray(0, 12)) === head.readUInt32LE(12) ? head.readUInt32LE(8) : undefined
}

export interface FileTail {
  readonly contentsAt: number
  readonly storedBytes: number
  readonly plainBytes: number
  readonly packing: number
  readonly checksum: number
  readonly version: number
}

export function encodeTail(tail: Omit<FileTail, 'version'>, version: number): Buffer {
  const bytes = Buffer.alloc(TAIL_BYTES)
  bytes.writeBigUInt64LE(BigInt(tail.contentsAt), 0)
  bytes.writeUInt32LE(tail.storedBytes, 8)
  bytes.writeUInt32LE(tail.plainBytes, 12)
  bytes.writeUInt32LE(tail.packing, 16)
  bytes.writeUInt32LE(tail.checksum, 20)
  bytes.writeUInt32LE(version, 24)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 28)), 28)
  bytes.set(TAIL_MAGIC, 32)
  return bytes
}

/** Returns the decoded tail; `undefined` if the bytes are no valid tail. */
export function decodeTail(bytes: Buffer): FileTail | undefined {
  if (bytes.length !== TAIL_BYTES || !bytes.subarray(32).equals(TAIL_MAGIC)) return undefined
  if (crc32(bytes.subarray(0, 28)) !== bytes.readUInt32LE(28)) return undefined
  return {
    contentsAt: Number(bytes.readBigUInt64LE(0)),
    storedBytes: bytes.readUInt32LE(8),
    plainBytes: bytes.readUInt32LE(12),
    packing: bytes.readUInt32LE(16),
    checksum: bytes.readUInt32LE(20),
    version: bytes.readUInt32LE(24),
  }
}

/** Size of an entry of the block table, bytes. */
const TABLE_BYTES = 14

/**
 * Encodes a block table: number of blocks 4 · encoded lengths 4 each · decompressed lengths 4 each · checksums 4 each ·
 * compressions 1 each · codings 1 each.
 */
export function encodeTable(blocks: readonly NewBlock[]): Buffer {
  const bytes = Buffer.alloc(4 + blocks.length * TABLE_BYTES)
  let at = bytes.writeUInt32LE(blocks.length, 0)
  for (const { storedBytes } of blocks) at = bytes.writeUInt32LE(storedBytes, at)
  for (const { plainBytes } of blocks) at = bytes.writeUInt32LE(plainBytes, at)
  for (const { checksum } of blocks) at = bytes.writeUInt32LE(checksum, at)
  for (const block of blocks) at = bytes.writeUInt8(block.packing, at)
  for (const block of blocks) at = bytes.writeUInt8(block.coding, at)
  return bytes
}

/**
 * Decodes a block table; the first block is at offset `startBytes`. Returns `undefined` if the lengths do not add up.
 */
export function decodeTable(bytes: Buffer, startBytes: number): BlockTable | undefined {
  if (bytes.length < 4) return undefined
  const count = bytes.readUInt32LE(0)
  if (bytes.length !== 4 + count * TABLE_BYTES) return undefined
  // Copying aligns all numbers at once, which is faster than decoding them one by one.
  const numbers = new Uint32Array(count * 3)
  new Uint8Array(numbers.buffer).set(bytes.subarray(4, 4 + count * 12))
  const plainBytes = numbers.subarray(count, count * 2)
  const checksums = numbers.subarray(count * 2)
  const starts = new Float64Array(count + 1)
  starts[0] = startBytes
  for (let i = 0; i < count; i++) {
    starts[i + 1] = starts[i] + numbers[i]
    if (plainBytes[i] > MAX_BLOCK_BYTES) return undefined
  }
  const packings = Uint8Array.from(bytes.subarray(4 + count * 12, 4 + count * 13))
  const codings = Uint8Array.from(bytes.subarray(4 + count * 13))
  return { count, starts, plainBytes, checksums, packings, codings }
}

export function encodeTextField(contents: object, blocks: readonly NewBlock[]): Buffer {
  const json = Buffer.from(JSON.stringify(contents))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(json.length, 0)
  return Buffer.concat([head, json, encodeTable(blocks)])
}

/**
 * Decodes contents. Returns `undefined` if the lengths do not add up: the blocks must fill the file from its head to
 * `endBytes`.
 */
export function decodeContents(
  bytes: Buffer,
  endBytes: number,
): { readonly contents: unknown; readonly blocks: BlockTable } | undefined {
  if (bytes.length < 8) return undefined
  const jsonBytes = bytes.readUInt32LE(0)
  if (jsonBytes > bytes.length - 8) return undefined
  const blocks = decodeTable(bytes.subarray(4 + jsonBytes), headBytes.file)
  if (blocks?.starts[blocks.count] !== endBytes) return undefined
  try {
    return { contents: JSON.parse(bytes.toString('utf8', 4, 4 + jsonBytes)), blocks }
  } catch {
    return undefined
  }
}

/** Returns the 8 bytes of a double as hexadecimal digits, which JSON preserves exactly. */
export function hexOfDouble(value: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes.toString('hex')
}

export function doubleOfHex(hex: string): number {
  return Buffer.from(hex, 'hex').readDoubleBE()
}
