import { ITEMS_PER_CHECKPOINT, type StepwiseTask } from '../../base/index.ts'
import { popcount, type Bitmap } from '../../data/index.ts'
import { bitsLength, fromBits, toBits } from './codings/bit-codings.ts'
import { CachedPart, CachedParts, type BlockCache } from './block-cache.ts'
import type { BlockWriter } from './block-writer.ts'
import { headBytes, MAX_ROW_GROUPS, type PartContents, type StoredFilter } from './layout.ts'
import type { BlockFile, OpenContents } from './block-file.ts'

/*
 * The filter of a part: pages of ascending hashes, each with the row groups that may have it. Each field has its length
 * in bytes.
 *
 * - page: number of entries 4 · number of masks 4 · steps, as bits · row groups, as bits · masks 8 each
 *
 * A step is the difference to the previous hash. The step of the first entry is 0; its hash is the first hash of the
 * page. An entry has the number of a row group, or `MANY`: then the next unused mask has its row groups.
 */
/** Stands for a mask of row groups, in place of the number of a row group. */
const MANY = MAX_ROW_GROUPS
/**
 * Maximum number of row groups of a hash that are stored as separate entries of about 2 bytes. For more, a mask of 8
 * bytes is smaller.
 */
const MAX_SINGLE_ENTRIES = 4
/** Maximum number of entries in a page, which has about 8 KiB. */
const PAGE_ENTRIES = 4096
/**
 * Number of bits that a hash has beyond the bits needed to number the pairs. In a full part 1 of 16 absent values then
 * has the hash of another value (`npm run bench -- segments`).
 */
const SPARE_BITS = 4

/** Hashes in ascending order, each with its row groups. The filter of a part is written from several such runs. */
export interface HashRun {
  /** The number of pairs of a hash and a row group. */
  readonly count: number
  /** Number of bits that are known of each hash, from the highest. */
  readonly hashBits: number
  /** The current hash, as a 32-bit number; `Infinity` after the last one. */
  readonly hash: number
  /** The row groups of the current hash: `low` and `high` are a mask of 64 bits. */
  readonly low: number
  readonly high: number
  next(): void
}

/** The sorted hashes of one row group. */
export class SortedRun implements HashRun {
  readonly count: number
  readonly hashBits = 32
  readonly low: number
  readonly high: number
  readonly #hashes: Uint32Array
  #at = 0

  constructor(hashes: Uint32Array, rowGroup: number) {
    this.#hashes = hashes
    this.count = hashes.length
    this.low = rowGroup < 32 ? 1 << rowGroup : 0
    this.high = rowGroup < 32 ? 0 : 1 << (rowGroup - 32)
  }

  get hash(): number {
    return this.#at < this.count ? this.#hashes[this.#at] : Infinity
  }

  next(): void {
    this.#at++
  }
}

/** Collects the entries of a page. */
class PageBuilder {
  readonly #hashes = new Uint32Array(PAGE_ENTRIES + MAX_SINGLE_ENTRIES)
  readonly #rowGroups = new Uint8Array(PAGE_ENTRIES + MAX_SINGLE_ENTRIES)
  readonly #masks = new Uint32Array(PAGE_ENTRIES * 2)
  #entries = 0
  #maskWords = 0

  /** Adds a hash and returns the number of its row groups. */
  add(hash: number, low: number, high: number): number {
    const count = popcount(low) + popcount(high)
    if (count > MAX_SINGLE_ENTRIES) {
      this.#masks[this.#maskWords++] = low
      this.#masks[this.#maskWords++] = high
      this.#put(hash, MANY)
      return count
    }
    for (let left = low; left !== 0; left &= left - 1) this.#put(hash, 31 - Math.clz32(left & -left))
    for (let left = high; left !== 0; left &= left - 1) this.#put(hash, 63 - Math.clz32(left & -left))
    return count
  }

  #put(hash: number, rowGroup: number): void {
    this.#hashes[this.#entries] = hash
    this.#rowGroups[this.#entries++] = rowGroup
  }

  get isFull(): boolean {
    return this.#entries >= PAGE_ENTRIES
  }

  get isEmpty(): boolean {
    return this.#entries === 0
  }

  get firstHash(): number {
    return this.#hashes[0]
  }

  /** Returns the bytes of the page, and starts an empty one. */
  take(): Buffer {
    const count = this.#entries
    const head = Buffer.alloc(headBytes.filterPage)
    head.writeUInt32LE(count, 0)
    head.writeUInt32LE(this.#maskWords / 2, 4)
    const steps = new Uint32Array(count)
    for (let i = 1; i < count; i++) steps[i] = this.#hashes[i] - this.#hashes[i - 1]
    const masks = Buffer.from(this.#masks.buffer, 0, this.#maskWords * 4)
    const page = Buffer.concat([head, toBits(steps), toBits(this.#rowGroups.subarray(0, count)), masks])
    this.#entries = 0
    this.#maskWords = 0
    return page
  }
}

/** Writes the filter of a part with this many row groups. */
export function* writeFilter(
  writer: BlockWriter,
  runs: readonly HashRun[],
  rowGroups: number,
): StepwiseTask<StoredFilter> {
  let count = 0
  let hashBits = 32
  for (const run of runs) {
    count += run.count
    hashBits = Math.min(hashBits, run.hashBits)
  }
  // Small parts keep as many bits as a full part would, because they will be merged and their hashes copied.
  const grown = (count * MAX_ROW_GROUPS) / Math.max(1, rowGroups)
  hashBits = Math.min(hashBits, Math.ceil(Math.log2(grown + 1)) + SPARE_BITS)
  const shift = 2 ** (32 - hashBits)
  const pages = writer.blocks.length
  const firstHashes: number[] = []
  const page = new PageBuilder()
  const endPage = (): void => {
    firstHashes.push(page.firstHash)
    writer.unpackedBlock(page.take())
  }
  let pairs = 0
  for (let number = 1; ; number++) {
    let least = Infinity
    for (const { hash } of runs) if (hash < least) least = hash
    if (least === Infinity) break
    const hash = Math.floor(least / shift)
    const end = (hash + 1) * shift
    let low = 0
    let high = 0
    for (const run of runs)
      for (; run.hash < end; run.next()) {
        low |= run.low
        high |= run.high
      }
    // All entries of a hash must be in the same page.
    if (page.isFull) endPage()
    pairs += page.add(hash, low, high)
    if (number % ITEMS_PER_CHECKPOINT === 0) yield
  }
  if (!page.isEmpty) endPage()
  return { hashBits, pairs, pages, firstHashes: writer.array(Uint32Array.from(firstHashes)) }
}

/** A decoded page. */
class FilterPage {
  readonly hashes: Uint32Array
  readonly rowGroups: Uint8Array
  /** Two 32-bit numbers per entry with `MANY`, in the order of the entries. */
  readonly #masks: Uint32Array

  private constructor(hashes: Uint32Array, rowGroups: Uint8Array, masks: Uint32Array) {
    this.hashes = hashes
    this.rowGroups = rowGroups
    this.#masks = masks
  }

  /** Decodes a page; returns `undefined` if the bytes are no page of a part with this many row groups. */
  static of(bytes: Buffer, firstHash: number, rowGroupCount: number): FilterPage | undefined {
    if (bytes.length < headBytes.filterPage) return undefined
    const count = bytes.readUInt32LE(0)
    const maskBytes = bytes.readUInt32LE(4) * 8
    if (count === 0 || count > PAGE_ENTRIES + MAX_SINGLE_ENTRIES) return undefined
    const stepsEnd = endOfBits(bytes, headBytes.filterPage, count, 32)
    const rowGroupsEnd = stepsEnd && endOfBits(bytes, stepsEnd, count, 8)
    if (stepsEnd === undefined || rowGroupsEnd === undefined || rowGroupsEnd + maskBytes !== bytes.length)
      return undefined
    const hashes = new Uint32Array(count)
    fromBits(bytes.subarray(headBytes.filterPage, stepsEnd), hashes)
    hashes[0] = firstHash
    for (let i = 1; i < count; i++) hashes[i] += hashes[i - 1]
    const rowGroups = new Uint8Array(count)
    fromBits(bytes.subarray(stepsEnd, rowGroupsEnd), rowGroups)
    const masks = new Uint32Array(maskBytes / 4)
    new Uint8Array(masks.buffer).set(bytes.subarray(rowGroupsEnd))
    let many = 0
    for (const rowGroup of rowGroups) {
      if (rowGroup === MANY) many++
      else if (rowGroup >= rowGroupCount) return undefined
    }
    return many * 8 === maskBytes ? new FilterPage(hashes, rowGroups, masks) : undefined
  }

  /** Returns the index of the first entry whose hash is at least `hash`. */
  entryFrom(hash: number): number {
    let low = 0
    let high = this.hashes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.hashes[middle] < hash) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the number of masks that belong to entries before this one. */
  masksBefore(entry: number): number {
    let count = 0
    for (let i = 0; i < entry; i++) if (this.rowGroups[i] === MANY) count++
    return count
  }

  /** Returns the row groups of an entry as a mask. `masks` is the number of masks that belong to earlier entries. */
  mask(entry: number, masks: number): readonly [low: number, high: number] {
    const rowGroup = this.rowGroups[entry]
    if (rowGroup === MANY) return [this.#masks[masks * 2], this.#masks[masks * 2 + 1]]
    return rowGroup < 32 ? [1 << rowGroup, 0] : [0, 1 << (rowGroup - 32)]
  }
}

/** Returns the end of a bit array of `count` numbers that begins at `at`; `undefined` if there is no valid one. */
function endOfBits(bytes: Buffer, at: number, count: number, maxWidth: number): number | undefined {
  if (at + headBytes.bits > bytes.length || bytes[at] > maxWidth) return undefined
  const end = at + headBytes.bits + bitsLength(count, bytes[at])
  return end <= bytes.length ? end : undefined
}

/** The filter of a part in a file. Pages are read on demand. */
export class PartFilter {
  readonly #file: BlockFile<PartContents>
  readonly #open: () => OpenContents<PartContents>
  readonly #firstHashes: CachedPart<Uint32Array>
  readonly #pages: CachedParts<FilterPage>

  constructor(file: BlockFile<PartContents>, open: () => OpenContents<PartContents>, cache: BlockCache) {
    this.#file = file
    this.#open = open
    this.#firstHashes = new CachedPart(cache, Math.ceil(file.source.bytes / 2048), () => {
      const opened = open()
      return file.typed(opened, opened.contents.filter.firstHashes, Uint32Array)
    })
    this.#pages = new CachedParts(
      cache,
      () => PAGE_ENTRIES * 5,
      (number) => this.#read(number),
    )
  }

  #read(number: number): FilterPage {
    const open = this.#open()
    const { filter, rowGroups } = open.contents
    const bytes = this.#file.plainBlock(open, filter.pages + number)
    const page = FilterPage.of(bytes, this.#firstHashes.get()[number], rowGroups)
    if (page === undefined) throw this.#file.damaged(`block ${filter.pages + number} is not a page of a filter`)
    return page
  }

  /** Sets in `to` the bits of the row groups that may contain a hash. Throws SluiceError `durable/damaged`. */
  addRowGroups(hash: number, to: Bitmap): void {
    const { hashBits } = this.#open().contents.filter
    const known = Math.floor(hash / 2 ** (32 - hashBits))
    const number = lastNotAbove(this.#firstHashes.get(), known)
    if (number < 0) return
    const page = this.#pages.get(number)
    let entry = page.entryFrom(known)
    for (let masks = page.masksBefore(entry); page.hashes[entry] === known; entry++) {
      const [low, high] = page.mask(entry, masks)
      if (page.rowGroups[entry] === MANY) masks++
      to[0] |= low
      if (to.length > 1) to[1] |= high
    }
  }

  /**
   * Returns all hashes, for the filter of a new part. `newNumberOf` returns the new number of a row group; `undefined`
   * if it is not copied. Each page is read once and not cached.
   */
  run(newNumberOf: (rowGroup: number) => number | undefined): HashRun {
    const { filter, rowGroups } = this.#open().contents
    const newNumbers = Array.from({ length: rowGroups }, (_, rowGroup) => newNumberOf(rowGroup))
    return new StoredRun(filter, newNumbers, (number) => this.#read(number))
  }
}

/** The hashes of a stored filter that belong to chosen row groups, with new row group numbers. */
class StoredRun implements HashRun {
  readonly count: number
  readonly hashBits: number
  hash = 0
  low = 0
  high = 0
  readonly #pages: number
  /** For each old row group number, the new one; `undefined` if it is not copied. */
  readonly #newNumbers: readonly (number | undefined)[]
  readonly #read: (page: number) => FilterPage
  #number = 0
  #page: FilterPage | undefined
  #entry = 0
  #masks = 0

  constructor(
    { pairs, hashBits, firstHashes }: StoredFilter,
    newNumbers: readonly (number | undefined)[],
    read: (page: number) => FilterPage,
  ) {
    this.count = pairs
    this.hashBits = hashBits
    this.#pages = firstHashes.length
    this.#newNumbers = newNumbers
    this.#read = read
    this.next()
  }

  next(): void {
    do {
      if (this.#page === undefined || this.#entry === this.#page.hashes.length) {
        if (this.#number === this.#pages) {
          this.hash = Infinity
          return
        }
        this.#page = this.#read(this.#number++)
        this.#entry = 0
        this.#masks = 0
      }
      this.#take(this.#page)
    } while (this.low === 0 && this.high === 0)
  }

  #take(page: FilterPage): void {
    this.hash = page.hashes[this.#entry] * 2 ** (32 - this.hashBits)
    this.low = 0
    this.high = 0
    const [low, high] = page.mask(this.#entry, this.#masks)
    for (let left = low; left !== 0; left &= left - 1) this.#add(31 - Math.clz32(left & -left))
    for (let left = high; left !== 0; left &= left - 1) this.#add(63 - Math.clz32(left & -left))
    if (page.rowGroups[this.#entry++] === MANY) this.#masks++
  }

  #add(rowGroup: number): void {
    const newNumber = this.#newNumbers[rowGroup]
    if (newNumber === undefined) return
    if (newNumber < 32) this.low |= 1 << newNumber
    else this.high |= 1 << (newNumber - 32)
  }
}

/** Returns the index of the last number that is at most `limit`; -1 if all numbers are greater. */
function lastNotAbove(ascending: Uint32Array, limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
