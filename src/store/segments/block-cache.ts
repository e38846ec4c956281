import type { BlockSource } from './block-file.ts'
import { bytesOf, type Elements } from './codings/elements.ts'
import { MAX_ROW_GROUPS } from './layout.ts'
import type { SharedBlocks } from './shared-blocks.ts'
import { noReads, runNumber, readsOfWork, type BlockReads } from '../../base/index.ts'

/** Bytes by which the running unit of work may exceed the limit, so that blocks it uses repeatedly are not evicted. */
const PINNED_BYTES = 8 * 1024 * 1024

/**
 * Fraction of the limit. If more bytes than this are re-read after eviction, queries cycle through more data than fits.
 */
const ROUND_SHARE = 1 / 8
/**
 * Cached parts lose their protection against newer ones once the oldest was unused while this many times the limit was
 * used.
 */
const STALE_LIMITS = 8

/**
 * Maximum number of cached arrays per block, such as texts and their end offsets. Used to number the arrays of a file.
 */
const ARRAYS_PER_BLOCK = 2

/**
 * Cache for blocks of segment files, limited in bytes. Normally evicts the least recently used part. When queries cycle
 * through more data than fits, that order would evict every part before its next use; then the cache keeps its parts
 * and evicts newly read ones first. Eviction only drops a reference, so an array in use stays valid. Cached bytes may
 * exceed `limitBytes` by what one unit of work uses (at most 8 MiB), or by a single larger part.
 */
export class BlockCache {
  readonly limitBytes: number
  /** Counters of all reads through this cache. */
  readonly counts: BlockReads = noReads()
  heldBytes = 0
  readonly #shared: SharedBlocks | undefined
  /** Cached parts in the order of eviction: the least recently listed first. */
  readonly #parts = new Set<CachedPart<unknown>>()
  /** Cached parts that are evicted before those in `#parts`, unless they are used again. */
  readonly #passing = new Set<CachedPart<unknown>>()
  /** Total size of all uses of parts, bytes. A part counts once for each query that uses it. */
  #usedBytes = 0
  /**
   * Bytes of parts that were read again after more than the limit was used in between, minus bytes of other reads; at
   * least 0.
   */
  #roundBytes = 0

  /** With `shared`, arrays that another thread has read are copied from there, and arrays read here are added to it. */
  constructor(limitBytes: number, shared?: SharedBlocks) {
    this.limitBytes = limitBytes
    this.#shared = shared
  }

  /**
   * Returns a copy of an array that some thread has read, in memory from `allocate`; `undefined` if the array must be
   * read from the file.
   */
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

  /** Makes an array available to other threads. Does nothing without a shared cache. */
  share(source: BlockSource, block: number, elements: Elements, array = 0): void {
    if (source.key !== undefined) this.#shared?.write(source.key, numberOf(source, block, array), bytesOf(elements))
  }

  /** True if the shared cache has a block. */
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

  /** Counts a cache hit. Each query counts each part once. */
  hit(part: CachedPart<unknown>, reads: BlockReads | undefined): void {
    this.#use(part)
    this.#countHit(part.bytes, reads)
  }

  /** Counts a read from a file. */
  countRead(bytes: number): void {
    for (const reads of [this.counts, readsOfWork()]) {
      if (reads === undefined) continue
      reads.blocks++
      reads.bytes += bytes
    }
  }

  /** Adds a part to the cache, and evicts other parts if the limit is exceeded. */
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

  /** True if a part that was just read belongs to a cycle of parts that do not fit into the cache together. */
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
      const isPinned = part.usedIn === runNumber() && this.heldBytes <= this.limitBytes + PINNED_BYTES
      if (isPinned) continue
      if (part.usedIn > part.listedIn) {
        // The part was used after it was listed, so it moves to the end of the list instead of being evicted.
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

/** A value that is decoded from blocks of a file. Read on first use, and again on the next use after eviction. */
export class CachedPart<T> {
  readonly #cache: BlockCache
  readonly #read: () => T
  #value: T | undefined
  /** The size of the value in the cache, bytes. */
  readonly bytes: number
  /** The number of the unit of work that last used the part. `listedIn` is that in which it was put into its list. */
  usedIn = 0
  listedIn = 0
  /** The cache's `#usedBytes` when the part was last used; 0 if it never was. */
  usedAtBytes = 0
  /** Counters of the query that last used the part, so that each query counts it once. */
  #usedBy: BlockReads | undefined

  /** `bytes` is the size of the value that `read` returns. */
  constructor(cache: BlockCache, bytes: number, read: () => T) {
    this.#cache = cache
    this.bytes = bytes
    this.#read = read
  }

  get isHeld(): boolean {
    return this.#value !== undefined
  }

  /** Returns the value; reads it if it is not cached. Throws SluiceError `durable/damaged`. */
  get(): T {
    const run = runNumber()
    if (this.#value !== undefined) {
      if (this.usedIn !== run) {
        this.usedIn = run
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

  /** Caches a value, which must equal the result of `read`. */
  put(value: T): void {
    if (this.#value !== undefined) return
    this.#value = value
    this.#usedBy = readsOfWork()
    this.usedIn = runNumber()
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

/** Cached parts of one kind, by number. Each is created on first use. */
export class CachedParts<T> {
  readonly #cache: BlockCache
  readonly #bytesOf: (number: number) => number
  readonly #read: (number: number) => T
  readonly #parts = new Map<number, CachedPart<T>>()

  /** `bytesOf` returns the size of the value that `read` returns for the same number, and is called once per part. */
  constructor(cache: BlockCache, bytesOf: (number: number) => number, read: (number: number) => T) {
    this.#cache = cache
    this.#bytesOf = bytesOf
    this.#read = read
  }

  /** Returns the value with this number. Throws the errors of `bytesOf` and `read`, including `durable/damaged`. */
  get(number: number): T {
    return this.#part(number).get()
  }

  /** Caches a value for a number, which must equal the result of `read`. */
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
