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

/** Where the bytes of a file of blocks come from. */
export interface BlockSource {
  /** For messages: the name of the file in its folder. */
  readonly name: string
  /** For messages: which part of that file it is, if not all of it. */
  readonly section?: string
  /** How long the file is, as the manifest says. */
  readonly bytes: number
  /** Of the whole file, CRC-32, as the manifest says; not looked at where it is unknown. */
  readonly crc?: number | undefined
  /** The file for the cache of all threads, and the row group of it that this is; without it nothing is shared. */
  readonly key?: FileKey | undefined
  readonly rowGroup?: number | undefined
  /** Fills `into` from `at` on; fewer bytes only at the end of the file. */
  read(into: Uint8Array, at: number): number
  /** Has the system read bytes that `read` is soon asked for. Throws nothing. */
  readAhead?(at: number, length: number): void
}

/** Read with one request together with the contents, as contents are rarely longer. */
const LAST_BYTES = 24 * 1024
/** Small blocks that lie right before the contents, up to so many bytes, are kept with them: they were read in one request. */
export const NEAR_BYTES = 16 * 1024

let scratch: Buffer | undefined

/** To be used up before anything else is read. */
function scratchFor(length: number): Buffer | undefined {
  if (length > CHUNK_BYTES) return undefined
  scratch ??= Buffer.allocUnsafeSlow(CHUNK_BYTES)
  return scratch.subarray(0, length)
}

/** What a file of blocks says of itself. */
export interface OpenContents<C extends object = RowGroupContents> {
  readonly contents: C
  readonly blocks: BlockTable
  /** Stored bytes of the blocks right before the contents, and where in the file they begin. */
  readonly near: { readonly at: number; readonly bytes: Buffer }
  /** The pieces of its arrays, when they were asked for. */
  pieces?: BlockTable | undefined
}

/** Where the pieces of one array are. */
interface ArrayPieces {
  readonly table: BlockTable
  /** The first of them in the table, how many there are, and the elements of each but the last. */
  readonly first: number
  readonly count: number
  readonly elements: number
}

/** What tells the files of one kind from others. */
export interface BlockFileKind {
  readonly magic: Uint8Array
  /** The newest that is known. */
  readonly version: number
  /** For messages, such as `a segment`. */
  readonly what: string
  /** Whether the contents are those of such a file. */
  readonly isContents: Shape
}

/** The blocks of one immutable file, checked and unpacked as they are asked for. */
export class BlockFile<C extends object> {
  readonly source: BlockSource
  readonly #kind: BlockFileKind
  readonly #counts: BlockReads
  /** Whether it was told from another file: that is known once. */
  #isKnown = false
  /** By where they begin: bytes that the system was asked to read and that were not read since. */
  readonly #asked = new Map<number, number>()

  /** `counts` takes what is read. */
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

  /** Has the system read what `open` does. */
  openAhead(): void {
    const at = Math.max(0, this.source.bytes - LAST_BYTES)
    this.source.readAhead?.(at, this.source.bytes - at)
  }

  /** Has the system read blocks that follow each other, once until they are read; false where they came with the contents, or are none. */
  blocksAhead(open: OpenContents<C>, first: number, count = 1): boolean {
    const { starts, count: all } = open.blocks
    return first >= 0 && first + count <= all && this.#ahead(open, starts[first], starts[first + count] - starts[first])
  }

  #ahead({ near }: OpenContents<C>, at: number, length: number): boolean {
    if (at >= near.at && near.bytes.length > 0) return false
    // A limit may have been met before it was read: it is not asked for again with every query.
    if ((this.#asked.get(at) ?? 0) >= length) return true
    this.#asked.set(at, length)
    this.source.readAhead?.(at, length)
    return true
  }

  /** Whether a block was read with the contents. */
  isNear({ blocks, near }: OpenContents<C>, block: number): boolean {
    return near.bytes.length > 0 && blocks.starts[block] >= near.at
  }

  /** Has the system read what `piece` reads; false where that came with the contents. Throws SluiceError `durable/damaged`. */
  pieceAhead(open: OpenContents<C>, stored: StoredArray, number: number): boolean {
    const { at, length } = this.#placeOf(open, stored, number)
    return this.#ahead(open, at, length)
  }

  /** What the file says of itself. Throws SluiceError `durable/damaged`, `durable/newer-version`. */
  open(): OpenContents<C> {
    const { bytes: fileBytes } = this.source
    const least = headBytes.file + TAIL_BYTES
    if (fileBytes < least) throw this.damaged(`the file is too short for ${this.#kind.what}`)
    const lastAt = Math.max(headBytes.file, fileBytes - LAST_BYTES)
    // One byte more than there should be.
    const length = fileBytes - lastAt + 1
    const longer = scratchFor(length) ?? Buffer.allocUnsafeSlow(length)
    const read = this.#read(longer, lastAt)
    if (read > fileBytes - lastAt) throw this.damaged('the file is longer than it was written')
    if (read < fileBytes - lastAt) throw this.damaged('its tail: the file ends before it')
    const last = longer.subarray(0, read)
    const tail = decodeTail(last.subarray(last.length - TAIL_BYTES))
    if (tail === undefined) throw this.damaged('its tail does not match its checksum')
    const { version } = tail
    // The checksum of the whole file tells its kind, too; a request for the head alone would double those of a cold file.
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

  /** The first bytes, which have a version of their own. */
  #head(): Buffer {
    const head = this.#bytes(0, headBytes.file, 'its head')
    if (versionOfHead(head, this.#kind.magic) === undefined) throw this.damaged('its head does not match its checksum')
    return head
  }

  /** Tells a file from another that is whole, without reading its blocks: the contents have the checksum of all before them. */
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

  /** What `read` gives; damage where it throws PackingFault. */
  faults<T>(what: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (error instanceof PackingFault) throw this.damaged(`${what}: ${error.message}`)
      throw error
    }
  }

  /** The unpacked bytes of one block. */
  block(open: OpenContents<C>, number: number): Buffer {
    const { blocks } = open
    this.#check(blocks, number, 1)
    const at = blocks.starts[number]
    const length = blocks.starts[number + 1] - at
    const into = blocks.packings[number] === packing.none ? undefined : scratchFor(length)
    return this.#plain(blocks, number, this.#stored(open, at, length, `block ${number}`, into))
  }

  /** So many bytes of blocks from `at` on, as they are stored. */
  #stored({ near }: OpenContents<C>, at: number, length: number, what: string, into?: Buffer): Buffer {
    const isNear = at >= near.at && near.bytes.length > 0
    return isNear ? near.bytes.subarray(at - near.at, at - near.at + length) : this.#bytes(at, length, what, into)
  }

  /** Several blocks that follow each other, read ahead in long requests. */
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

  /** The array of one block. */
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

  /** One piece of an array that is in pieces, counted from 0. */
  piece(open: OpenContents<C>, stored: StoredArray, number: number): PieceElements {
    const { stored: bytes, packing: kind, length } = this.packedPiece(open, stored, number, scratchFor)
    return this.plainPiece(open, stored, number, this.#unpacked(bytes, kind, length, `block ${stored.block}`))
  }

  /** Its bytes as they are stored, checked, in memory that `take` may give. */
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

  /** Its elements, of its unpacked bytes. */
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

  /** Bytes of an array when it is read, for the cache to make room. */
  bytesOf({ type, length }: StoredArray): number {
    return elementBytes[type] * length
  }

  /** As `array`, of one type. */
  typed<T extends Elements>(open: OpenContents<C>, stored: StoredArray, type: new (length: number) => T): T {
    return this.ofType(stored, this.array(open, stored), type)
  }

  /** An array as one of a type. Throws SluiceError `durable/damaged`. */
  ofType<T extends Elements>({ block, type }: StoredArray, array: Elements, wanted: new (length: number) => T): T {
    if (!(array instanceof wanted)) throw this.damaged(`block ${block} has elements ${type}`)
    return array
  }

  /** Reads every block: whatever of the file is not as it was written is found. Throws SluiceError `durable/damaged`. */
  check(): OpenContents<C> {
    this.#head()
    const open = this.open()
    for (let block = 0; block < open.blocks.count; block++) this.block(open, block)
    const { before } = open.contents as WrittenContents
    if (before !== this.#checksumUpTo(open.blocks.starts[open.blocks.count]))
      throw this.damaged('what is before its contents is not what they say')
    return open
  }

  /** CRC-32 of the first bytes of the file, read once more. */
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
