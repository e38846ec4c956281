import { CHUNK_BYTES, SluiceError, nowhere, readsOfWork, type BlockReads } from '../../base/index.ts'
import { crc32 } from '../../system/index.ts'
import { durableDiagnostic, readFailure } from '../durable/diagnostics.ts'
import { decodeInto, decodedArray } from './codings/codings.ts'
import { elementBytes, emptyArray, type Elements } from './codings/elements.ts'
import {
  headBytes,
  MAX_BLOCK_BYTES,
  TAIL_BYTES,
  coding,
  packing,
  decodeContents,
  decodeTable,
  decodeTail,
  encodeHead,
  versionOfHead,
  type BlockTable,
  type RowGroupContents,
  type StoredArray,
  type WrittenContents,
} from './layout.ts'
import { pieceElements, type PieceElements } from './codings/piece-elements.ts'
import { PackingFault, unpacked, unpackedTogether, type PackedPart } from './codings/packing.ts'
import type { Shape } from './shape.ts'
import type { FileKey } from './shared-blocks.ts'

/** The bytes of a block file. */
export interface BlockSource {
  /** The name of the file in its folder, for messages. */
  readonly name: string
  /** The name of the section that is read, for messages; absent if it is the whole file. */
  readonly section?: string
  /** The length of the file according to the manifest, bytes. */
  readonly bytes: number
  /** CRC-32 of the whole file according to the manifest; if absent, it is not checked. */
  readonly crc?: number | undefined
  /**
   * Identifies the file in the cache that all threads share; `rowGroup` tells its row groups apart. Without a key
   * nothing is shared.
   */
  readonly key?: FileKey | undefined
  readonly rowGroup?: number | undefined
  /**
   * Fills `into` with bytes from offset `at` and returns their number, which is smaller only at the end of the file.
   */
  read(into: Uint8Array, at: number): number
  /** Asks the operating system to prefetch bytes for a later `read`. Never throws. */
  readAhead?(at: number, length: number): void
}

/**
 * Number of bytes at the end of the file that one request reads together with the contents, which are rarely longer.
 */
const LAST_BYTES = 24 * 1024
/**
 * Maximum total size of the small blocks right before the contents, bytes. The request that reads the contents reads
 * them too, and they stay in memory.
 */
export const NEAR_BYTES = 16 * 1024

let scratch: Buffer | undefined

/** Returns reusable memory; `undefined` for lengths above `CHUNK_BYTES`. The next call overwrites it. */
function scratchFor(length: number): Buffer | undefined {
  if (length > CHUNK_BYTES) return undefined
  scratch ??= Buffer.allocUnsafeSlow(CHUNK_BYTES)
  return scratch.subarray(0, length)
}

/** The decoded footer of a block file. */
export interface OpenContents<C extends object = RowGroupContents> {
  readonly contents: C
  readonly blocks: BlockTable
  /** The encoded bytes of the blocks right before the contents, and their offset in the file. */
  readonly near: { readonly at: number; readonly bytes: Buffer }
  /** The table of array pieces; `undefined` until it is read. */
  pieces?: BlockTable | undefined
}

/** The location of one array's pieces. */
interface ArrayPieces {
  readonly table: BlockTable
  /**
   * Index of the array's first piece in `table`. `count` is the number of its pieces, `elements` the length of each
   * piece but the last.
   */
  readonly first: number
  readonly count: number
  readonly elements: number
}

/** Describes one kind of block file. */
export interface BlockFileKind {
  readonly magic: Uint8Array
  /** The newest version of the format that can be read. */
  readonly version: number
  /** Name of the kind for messages, such as `a segment`. */
  readonly what: string
  /** Checks the contents of a file of this kind. */
  readonly isContents: Shape
}

/** Reads the blocks of one immutable file. Each block is checked and decompressed when it is read. */
export class BlockFile<C extends object> {
  readonly source: BlockSource
  readonly #kind: BlockFileKind
  readonly #counts: BlockReads
  /** True once the file's checksum was compared with that of the manifest. */
  #isKnown = false
  /** For each offset, the length of the bytes that were prefetched there and not read since. */
  readonly #asked = new Map<number, number>()

  /** `counts` receives the number of reads and bytes. */
  constructor(source: BlockSource, counts: BlockReads, kind: BlockFileKind) {
    this.source = source
    this.#kind = kind
    this.#counts = counts
  }

  damaged(what: string): SluiceError {
    const { name, section } = this.source
    const where = section === undefined ? '' : ` (${section})`
    return new SluiceError([durableDiagnostic('damaged', { part: name, what: `${what}${where}` }, nowhere)])
  }

  #read(into: Uint8Array, at: number): number {
    try {
      return this.source.read(into, at)
    } catch (error) {
      throw readFailure(this.source.name, error)
    }
  }

  #bytes(at: number, length: number, what: string, bytes: Buffer = Buffer.allocUnsafeSlow(length)): Buffer {
    this.#asked.delete(at)
    const read = this.#read(bytes, at)
    if (read !== length) throw this.damaged(`${what}: the file ends before it`)
    return bytes
  }

  /** Prefetches the bytes that `open` reads. */
  openAhead(): void {
    const at = Math.max(0, this.source.bytes - LAST_BYTES)
    this.source.readAhead?.(at, this.source.bytes - at)
  }

  /**
   * Prefetches consecutive blocks, unless they were prefetched since their last read. Returns false if they were read
   * with the contents or do not exist.
   */
  blocksAhead(open: OpenContents<C>, first: number, count = 1): boolean {
    const { starts, count: all } = open.blocks
    return first >= 0 && first + count <= all && this.#ahead(open, starts[first], starts[first + count] - starts[first])
  }

  #ahead({ near }: OpenContents<C>, at: number, length: number): boolean {
    if (at >= near.at && near.bytes.length > 0) return false
    // A query may end before it reads these bytes. The next query must not request them again.
    if ((this.#asked.get(at) ?? 0) >= length) return true
    this.#asked.set(at, length)
    this.source.readAhead?.(at, length)
    return true
  }

  /** True if a block was read together with the contents. */
  isNear({ blocks, near }: OpenContents<C>, block: number): boolean {
    return near.bytes.length > 0 && blocks.starts[block] >= near.at
  }

  /**
   * Prefetches the bytes that `piece` reads. Returns false if they were read with the contents. Throws SluiceError
   * `durable/damaged`.
   */
  pieceAhead(open: OpenContents<C>, stored: StoredArray, number: number): boolean {
    const { at, length } = this.#placeOf(open, stored, number)
    return this.#ahead(open, at, length)
  }

  /** Reads the footer. Throws SluiceError `durable/damaged`, `durable/newer-version`. */
  open(): OpenContents<C> {
    const { bytes: fileBytes } = this.source
    const least = headBytes.file + TAIL_BYTES
    if (fileBytes < least) throw this.damaged(`the file is too short for ${this.#kind.what}`)
    const lastAt = Math.max(headBytes.file, fileBytes - LAST_BYTES)
    // Requests one byte too many, to detect a file that is too long.
    const length = fileBytes - lastAt + 1
    const longer = scratchFor(length) ?? Buffer.allocUnsafeSlow(length)
    const read = this.#read(longer, lastAt)
    if (read > fileBytes - lastAt) throw this.damaged('the file is longer than it was written')
    if (read < fileBytes - lastAt) throw this.damaged('its tail: the file ends before it')
    const last = longer.subarray(0, read)
    const tail = decodeTail(last.subarray(last.length - TAIL_BYTES))
    if (tail === undefined) throw this.damaged('its tail does not match its checksum')
    const { version } = tail
    // The checksum of the whole file also covers the head, so the head need not be read. This saves a request per cold
    // file.
    const head = this.source.crc === undefined ? this.#head() : encodeHead(this.#kind.magic, version)
    const found = Math.max(version, head.readUInt32LE(8))
    const known = this.#kind.version
    if (found > known) throw new SluiceError([durableDiagnostic('newer-version', { found, known }, nowhere)])
    if (found < known) throw this.damaged('its version is none that was written')
    const { contentsAt, storedBytes, plainBytes, checksum } = tail
    if (
      contentsAt < headBytes.file ||
      contentsAt + storedBytes + TAIL_BYTES !== fileBytes ||
      plainBytes > MAX_BLOCK_BYTES
    )
      throw this.damaged('the lengths in its tail do not add up')
    const stored =
      contentsAt >= lastAt
        ? last.subarray(contentsAt - lastAt, contentsAt - lastAt + storedBytes)
        : this.#bytes(contentsAt, storedBytes, 'its contents')
    if (crc32(stored) !== checksum) throw this.damaged('its contents do not match their checksum')
    const opened = decodeContents(this.#unpacked(stored, tail.packing, plainBytes, 'its contents'), contentsAt)
    if (opened === undefined) throw this.damaged('the lengths in its contents do not add up')
    if (!this.#kind.isContents(opened.contents, opened.blocks.count))
      throw this.damaged(`its contents are not those of ${this.#kind.what}`)
    const { before } = opened.contents as WrittenContents
    if (before !== before >>> 0) throw this.damaged('its contents have no checksum of what is before them')
    this.#checkWhole(before, stored, last.subarray(last.length - TAIL_BYTES))
    this.#count(storedBytes + TAIL_BYTES)
    const { starts, count } = opened.blocks
    let first = count
    while (first > 0 && starts[first - 1] >= Math.max(lastAt, contentsAt - NEAR_BYTES)) first--
    const near = Buffer.from(last.subarray(Math.max(0, starts[first] - lastAt), Math.max(0, contentsAt - lastAt)))
    return { contents: opened.contents as C, blocks: opened.blocks, near: { at: starts[first], bytes: near } }
  }

  /** Reads the head of the file, which has a version number of its own. */
  #head(): Buffer {
    const head = this.#bytes(0, headBytes.file, 'its head')
    if (versionOfHead(head, this.#kind.magic) === undefined) throw this.damaged('its head does not match its checksum')
    return head
  }

  /**
   * Compares the file with the manifest's checksum without reading the blocks: the contents have the checksum of all
   * bytes before them.
   */
  #checkWhole(before: number, stored: Buffer, tail: Buffer): void {
    if (this.source.crc === undefined || this.#isKnown) return
    if (crc32(tail, crc32(stored, before)) !== this.source.crc)
      throw this.damaged('it is another than the manifest says')
    this.#isKnown = true
  }

  #count(bytes: number): void {
    this.#counts.blocks++
    this.#counts.bytes += bytes
    const reads = readsOfWork()
    if (reads === undefined) return
    reads.blocks++
    reads.bytes += bytes
  }

  #unpacked(stored: Buffer, packing: number, length: number, what: string): Buffer {
    return this.faults(what, () => unpacked(stored, packing, length))
  }

  /**
   * Returns the result of `read`. Converts a PackingFault to SluiceError `durable/damaged`; `what` names the damaged
   * part.
   */
  faults<T>(what: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (error instanceof PackingFault) throw this.damaged(`${what}: ${error.message}`)
      throw error
    }
  }

  /** Returns one block, decompressed. */
  block(open: OpenContents<C>, number: number): Buffer {
    const { blocks } = open
    this.#check(blocks, number, 1)
    const at = blocks.starts[number]
    const length = blocks.starts[number + 1] - at
    const into = blocks.packings[number] === packing.none ? undefined : scratchFor(length)
    return this.#plain(blocks, number, this.#stored(open, at, length, `block ${number}`, into))
  }

  /** Returns encoded bytes from offset `at`, from memory if they were read with the contents. */
  #stored({ near }: OpenContents<C>, at: number, length: number, what: string, into?: Buffer): Buffer {
    const isNear = at >= near.at && near.bytes.length > 0
    return isNear ? near.bytes.subarray(at - near.at, at - near.at + length) : this.#bytes(at, length, what, into)
  }

  /** Yields consecutive blocks, decompressed. Uses few long requests. */
  *blocks({ blocks }: OpenContents<C>, first: number, count: number): Generator<Buffer> {
    this.#check(blocks, first, count)
    for (let from = first; from < first + count;) {
      const at = blocks.starts[from]
      let to = from + 1
      while (to < first + count && blocks.starts[to + 1] - at <= CHUNK_BYTES) to++
      const bytes = this.#bytes(at, blocks.starts[to] - at, `block ${from}`)
      for (; from < to; from++)
        yield this.#plain(blocks, from, bytes.subarray(blocks.starts[from] - at, blocks.starts[from + 1] - at))
    }
  }

  #check(blocks: BlockTable, first: number, count: number): void {
    if (!(first >= 0 && count >= 0 && first + count <= blocks.count))
      throw this.damaged(`its contents name block ${first + count - 1} of ${blocks.count}`)
  }

  #plain(blocks: BlockTable, number: number, stored: Buffer): Buffer {
    this.#count(stored.length)
    if (crc32(stored) !== blocks.checksums[number]) throw this.damaged(`block ${number} does not match its checksum`)
    return this.#unpacked(stored, blocks.packings[number], blocks.plainBytes[number], `block ${number}`)
  }

  /** Returns the array in a block. */
  array(open: OpenContents<C>, stored: StoredArray): Elements {
    const { block, type, length } = stored
    if (!(type in elementBytes)) throw this.damaged(`its contents name elements \`${type}\``)
    if (stored.pieces !== undefined) return this.#allPieces(open, stored)
    const array = decodedArray(this.block(open, block), open.blocks.codings[block], type, length)
    if (array === undefined) throw this.damaged(`block ${block} is not ${length} elements ${type}`)
    return array
  }

  #allPieces(open: OpenContents<C>, stored: StoredArray): Elements {
    const { table, first, count, elements } = this.#piecesOf(open, stored)
    const { block, type, length } = stored
    const bytes = this.block(open, block)
    const array = emptyArray(type, length)
    const from = table.starts[first]
    const parts = Array.from({ length: count }, (_, i) =>
      partOf(table, first + i, bytes.subarray(table.starts[first + i] - from, table.starts[first + i + 1] - from)),
    )
    this.faults(`block ${block}`, () => {
      let at = 0
      for (const plain of unpackedTogether(parts)) {
        this.#decodePiece(stored, table, first + at, plain, array.subarray(at * elements, (at + 1) * elements))
        at++
      }
    })
    return array
  }

  /** Returns piece `number` of an array that is stored in pieces. */
  piece(open: OpenContents<C>, stored: StoredArray, number: number): PieceElements {
    const { stored: bytes, packing: kind, length } = this.packedPiece(open, stored, number, scratchFor)
    return this.plainPiece(open, stored, number, this.#unpacked(bytes, kind, length, `block ${stored.block}`))
  }

  /** Returns the encoded bytes of a piece, with a verified checksum. `take` may supply memory for them. */
  packedPiece(
    open: OpenContents<C>,
    stored: StoredArray,
    number: number,
    take: (length: number) => Buffer | undefined,
  ): PackedPart {
    const { table, first } = this.#piecesOf(open, stored)
    const { at, length } = this.#placeOf(open, stored, number)
    const bytes = this.#stored(open, at, length, `block ${stored.block}`, take(length))
    this.#count(length)
    if (crc32(bytes) !== table.checksums[first + number])
      throw this.damaged(`piece ${number} of block ${stored.block} does not match its checksum`)
    return partOf(table, first + number, bytes)
  }

  /** Returns the elements of a piece, given its decompressed bytes. */
  plainPiece(open: OpenContents<C>, stored: StoredArray, number: number, plain: Buffer): PieceElements {
    const { table, first, elements } = this.#piecesOf(open, stored)
    const { type, length, block } = stored
    const count = Math.min(elements, length - number * elements)
    const made = pieceElements(plain, table.codings[first + number], type, count)
    if (made === undefined) throw this.#otherPiece(block, count, type)
    return made
  }

  #otherPiece(block: number, count: number, type: string): SluiceError {
    return this.damaged(`a piece of block ${block} is not ${count} elements ${type}`)
  }

  #placeOf(
    open: OpenContents<C>,
    stored: StoredArray,
    number: number,
  ): { readonly at: number; readonly length: number } {
    const { table, first } = this.#piecesOf(open, stored)
    const start = table.starts[first + number]
    const at = open.blocks.starts[stored.block] + start - table.starts[first]
    return { at, length: table.starts[first + number + 1] - start }
  }

  #decodePiece(
    { block, type }: StoredArray,
    { codings }: BlockTable,
    number: number,
    plain: Buffer,
    into: Elements,
  ): void {
    if (!decodeInto(plain, codings[number], into)) throw this.#otherPiece(block, into.length, type)
  }

  #piecesOf(open: OpenContents<C>, { block, type, length, pieces }: StoredArray): ArrayPieces {
    const table = this.#pieceTable(open)
    const { elements, first } = pieces ?? { elements: 0, first: 0 }
    const count = Math.ceil(length / elements)
    const isArray =
      Number.isInteger(first) &&
      first >= 0 &&
      elements > 0 &&
      length * elementBytes[type] <= MAX_BLOCK_BYTES &&
      first + count <= table.count
    this.#check(open.blocks, block, 1)
    const bytes = open.blocks.starts[block + 1] - open.blocks.starts[block]
    if (!isArray || table.starts[first + count] - table.starts[first] !== bytes)
      throw this.damaged(`block ${block} is not pieces of ${length} elements ${type}`)
    return { table, first, count, elements }
  }

  #pieceTable(open: OpenContents<C>): BlockTable {
    if (open.pieces !== undefined) return open.pieces
    const { pieces: block } = open.contents as WrittenContents
    const table = typeof block !== 'number' ? undefined : decodeTable(this.plainBlock(open, block), 0)
    if (table === undefined) throw this.damaged('its list of pieces does not add up')
    return (open.pieces = table)
  }

  /** Returns the size of an array in memory, bytes. */
  bytesOf({ type, length }: StoredArray): number {
    return elementBytes[type] * length
  }

  /** Returns the array in a block. Throws SluiceError `durable/damaged` if its element type is not `type`. */
  typed<T extends Elements>(open: OpenContents<C>, stored: StoredArray, type: new (length: number) => T): T {
    return this.ofType(stored, this.array(open, stored), type)
  }

  /** Returns the array if its element type is `wanted`. Throws SluiceError `durable/damaged` otherwise. */
  ofType<T extends Elements>({ block, type }: StoredArray, array: Elements, wanted: new (length: number) => T): T {
    if (!(array instanceof wanted)) throw this.damaged(`block ${block} has elements ${type}`)
    return array
  }

  /** Reads and checks every block of the file. Throws SluiceError `durable/damaged`. */
  check(): OpenContents<C> {
    this.#head()
    const open = this.open()
    for (let block = 0; block < open.blocks.count; block++) this.block(open, block)
    const { before } = open.contents as WrittenContents
    if (before !== this.#checksumUpTo(open.blocks.starts[open.blocks.count]))
      throw this.damaged('what is before its contents is not what they say')
    return open
  }

  /** Reads the file up to offset `end` again and returns the CRC-32 of these bytes. */
  #checksumUpTo(end: number): number {
    let checksum = 0
    for (let at = 0; at < end; at += CHUNK_BYTES)
      checksum = crc32(this.#bytes(at, Math.min(CHUNK_BYTES, end - at), 'its blocks'), checksum)
    return checksum
  }

  plainBlock(open: OpenContents<C>, number: number): Buffer {
    const bytes = this.block(open, number)
    if (open.blocks.codings[number] !== coding.plain) throw this.damaged(`block ${number} has a coding`)
    return bytes
  }
}

function partOf({ packings, plainBytes }: BlockTable, number: number, stored: Buffer): PackedPart {
  return { stored, packing: packings[number], length: plainBytes[number] }
}
