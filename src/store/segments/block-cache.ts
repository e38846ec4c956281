import type { BlockSource } from './block-file.ts'
import { bytesOf, type Elements } from './codings/elements.ts'
import { MAX_ROW_GROUPS } from './layout.ts'
import type { SharedBlocks } from './shared-blocks.ts'
import { noReads, pieceNumber, readsOfWork, type BlockReads } from '../../base/index.ts'

/** Of parts used in the running piece of work so many bytes stay above the limit: what one piece of work goes back and forth between. */
const PINNED_BYTES = 8 * 1024 * 1024

/** From so much of the limit on, what is read again after more than the limit was used is what questions go round in. */
const ROUND_SHARE = 1 / 8
/** What was not used while so many times the limit was is not held for another round. */
const STALE_LIMITS = 8

/** Arrays of one block, such as texts and where they end, and row groups of a part: each array has a number of its own in the file. */
const ARRAYS_PER_BLOCK = 2

/**
 * What was read of segment files, in a fixed number of bytes; what was used least recently goes out first. But where questions
 * go round in more than there is room for, that would hold nothing that is used again: then what is held stays, and what is
 * read goes first. Letting go is dropping a reference: whoever works with an array keeps it whole. Held bytes exceed
 * `limitBytes` by what one piece of work uses, at most 8 MiB, or by a single larger part.
 */
export class BlockCache {
  readonly limitBytes: number
  /** Of all who read through it. */
  readonly counts: BlockReads = noReads()
  heldBytes = 0
  readonly #shared: SharedBlocks | undefined
  /** Held parts, those listed least recently first. */
  readonly #parts = new Set<CachedPart<unknown>>()
  /** Held parts that go before these, unless they are used again. */
  readonly #passing = new Set<CachedPart<unknown>>()
  /** Bytes of the parts that were used, each once a query. */
  #usedBytes = 0
  /** Bytes read again after more than the limit was used, less what was read for other reasons since. */
  #roundBytes = 0

  /** Arrays that another thread has read are copied from `shared`, and those read here put there. */
  constructor(limitBytes: number, shared?: SharedBlocks) {
    this.limitBytes = limitBytes
    this.#shared = shared
  }

  /** An array of a block that some thread has read, copied to where `allocate` says; `undefined` where it has to be read. */
  copyOf<T extends Elements>(
    source: BlockSource,
    block: number,
    allocate: (bytes: number) => T | undefined,
    array = 0,
  ): T | undefined {
    if (source.key === undefined || this.#shared === undefined) return undefined
    let made: T | undefined
    const into = (bytes: number): Uint8Array | undefined => (made = allocate(bytes)) && bytesOf(made)
    if (!this.#shared.read(source.key, numberOf(source, block, array), into) || made === undefined) return undefined
    this.#countHit(made.byteLength, readsOfWork())
    return made
  }

  /** Puts an array that was read where other threads find it. */
  share(source: BlockSource, block: number, elements: Elements, array = 0): void {
    if (source.key !== undefined) this.#shared?.write(source.key, numberOf(source, block, array), bytesOf(elements))
  }

  /** Whether some thread has read a block, and it is still there. */
  isShared(source: BlockSource, block: number): boolean {
    return source.key !== undefined && this.#shared?.has(source.key, numberOf(source, block, 0)) === true
  }

  #countHit(bytes: number, reads: BlockReads | undefined): void {
    for (const counts of [this.counts, reads]) {
      if (counts === undefined) continue
      counts.hits++
      counts.hitBytes += bytes
    }
  }

  /** Notes that a part was there. A query counts each part once. */
  hit(part: CachedPart<unknown>, reads: BlockReads | undefined): void {
    this.#use(part)
    this.#countHit(part.bytes, reads)
  }

  /** Notes a read of a file. */
  countRead(bytes: number): void {
    for (const reads of [this.counts, readsOfWork()]) {
      if (reads === undefined) continue
      reads.blocks++
      reads.bytes += bytes
    }
  }

  /** Notes that a part has come; others may go for it. */
  hold(part: CachedPart<unknown>): void {
    const isRound = this.#isOfRound(part)
    this.#use(part)
    this.heldBytes += part.bytes
    const parts = isRound ? this.#passing : this.#parts
    parts.add(part)
    if (this.heldBytes > this.limitBytes) this.#makeRoom(part, this.#passing)
    if (this.heldBytes > this.limitBytes) this.#makeRoom(part, this.#parts)
  }

  #use(part: CachedPart<unknown>): void {
    this.#usedBytes += part.bytes
    part.usedAtBytes = this.#usedBytes
  }

  /** Whether a part that is read is one of more than there is room for, all of which are used in turn. */
  #isOfRound({ bytes, usedAtBytes }: CachedPart<unknown>): boolean {
    const isFar = usedAtBytes > 0 && this.#usedBytes - usedAtBytes > this.limitBytes
    const most = 2 * ROUND_SHARE * this.limitBytes
    this.#roundBytes = Math.min(most, Math.max(0, this.#roundBytes + (isFar ? bytes : -bytes)))
    if (!isFar || this.#roundBytes < ROUND_SHARE * this.limitBytes) return false
    const [oldest] = this.#parts
    return oldest !== undefined && this.#usedBytes - oldest.usedAtBytes <= STALE_LIMITS * this.limitBytes
  }

  #makeRoom(kept: CachedPart<unknown>, parts: Set<CachedPart<unknown>>): void {
    for (const part of parts) {
      if (this.heldBytes <= this.limitBytes) return
      if (part === kept) continue
      const isPinned = part.usedIn === pieceNumber() && this.heldBytes <= this.limitBytes + PINNED_BYTES
      if (isPinned) continue
      if (part.usedIn > part.listedIn) {
        // Used since it was listed: it goes behind those that were not.
        part.listedIn = part.usedIn
        parts.delete(part)
        this.#parts.add(part)
      } else this.drop(part)
    }
  }

  drop(part: CachedPart<unknown>): void {
    if (!this.#parts.delete(part) && !this.#passing.delete(part)) return
    this.heldBytes -= part.bytes
    part.letGo()
  }
}

function numberOf({ rowGroup = 0 }: BlockSource, block: number, array: number): number {
  return ((block * MAX_ROW_GROUPS + rowGroup) * ARRAYS_PER_BLOCK + array) | 0
}

/** Something made of blocks of a file when it is asked for, and made again when the cache has let it go. */
export class CachedPart<T> {
  readonly #cache: BlockCache
  readonly #read: () => T
  #value: T | undefined
  /** What it takes of the cache. */
  readonly bytes: number
  /** The piece of work that used it last, and that in which it was listed. */
  usedIn = 0
  listedIn = 0
  /** What had been used of the cache when a query used it last, bytes; 0 where none did. */
  usedAtBytes = 0
  /** Where the query counts that used it last, so that it counts it once. */
  #usedBy: BlockReads | undefined

  /** `bytes` are those of what `read` gives. */
  constructor(cache: BlockCache, bytes: number, read: () => T) {
    this.#cache = cache
    this.bytes = bytes
    this.#read = read
  }

  get isHeld(): boolean {
    return this.#value !== undefined
  }

  /** Throws SluiceError `durable/damaged`. */
  get(): T {
    const piece = pieceNumber()
    if (this.#value !== undefined) {
      if (this.usedIn !== piece) {
        this.usedIn = piece
        const reads = readsOfWork()
        if (reads === undefined || reads !== this.#usedBy) this.#cache.hit(this, reads)
        this.#usedBy = reads
      }
      return this.#value
    }
    const value = this.#read()
    this.put(value)
    return value
  }

  /** Holds what `read` would give. */
  put(value: T): void {
    if (this.#value !== undefined) return
    this.#value = value
    this.#usedBy = readsOfWork()
    this.usedIn = pieceNumber()
    this.listedIn = this.usedIn
    this.#cache.hold(this)
  }

  drop(): void {
    this.#cache.drop(this)
  }

  letGo(): void {
    this.#value = undefined
  }
}

/** Parts of one kind by their numbers. Each is made when it is first asked for. */
export class CachedParts<T> {
  readonly #cache: BlockCache
  readonly #bytesOf: (number: number) => number
  readonly #read: (number: number) => T
  readonly #parts = new Map<number, CachedPart<T>>()

  /** `bytesOf` says how many bytes `read` gives; it is asked once for each part. */
  constructor(cache: BlockCache, bytesOf: (number: number) => number, read: (number: number) => T) {
    this.#cache = cache
    this.#bytesOf = bytesOf
    this.#read = read
  }

  /** Throws what `bytesOf` and `read` throw, `durable/damaged` among it. */
  get(number: number): T {
    return this.#part(number).get()
  }

  /** Holds what `read` would give for a number. */
  put(number: number, value: T): void {
    this.#part(number).put(value)
  }

  #part(number: number): CachedPart<T> {
    let part = this.#parts.get(number)
    if (part === undefined) {
      part = new CachedPart(this.#cache, this.#bytesOf(number), () => this.#read(number))
      this.#parts.set(number, part)
    }
    return part
  }

  isHeld(number: number): boolean {
    return this.#parts.get(number)?.isHeld === true
  }

  get heldCount(): number {
    let count = 0
    for (const part of this.#parts.values()) if (part.isHeld) count++
    return count
  }
}
