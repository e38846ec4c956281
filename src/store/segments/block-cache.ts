import type { BlockSource } from './block-file.ts'
import { bytesOf, type Elements } from './codings/elements.ts'
import { MAX_ROW_GROUPS } from './layout.ts'
import type { SharedBlocks } from './shared-blocks.ts'
import { noReads, runNumber, readsOfWork, type BlockReads } from '../../base/index.ts'

/**
 * Bytes above the limit that the running unit of work may keep cached, so that blocks it uses repeatedly are not
 * evicted.
 */
const PINNED_BYTES = 8 * 1024 * 1024

/**
 * Share of the limit. Above it, re-reads of evicted parts mean that queries cycle through more data than the cache
 * holds.
 */
const ROUND_SHARE = 1 / 8
/** Held parts are no longer protected once the oldest was unused while this many times the limit was used. */
const STALE_LIMITS = 8

/**
 * Number of arrays that one block may have, such as texts and their end offsets. Every array, also of each row group of
 * a part, has its own number in the file.
 */
const ARRAYS_PER_BLOCK = 2

/**
 * Cache for blocks read from segment files, with a limit in bytes. By default it evicts the least recently used part.
 * When queries cycle through more data than fits, that order would evict every part before its next use. Then the cache
 * keeps what it holds and evicts newly read parts first. Evicting only drops a reference, so an array in use stays
 * valid. Held bytes may exceed `limitBytes` by what one unit of work uses (at most 8 MiB), or by a single larger part.
 */
export class BlockCache {
  readonly limitBytes: number
  /** Counters of all reads through this cache. */
  readonly counts: BlockReads = noReads()
  heldBytes = 0
  readonly #shared: SharedBlocks | undefined
  /** Cached parts in eviction order: the one that was added or used the longest time ago is first. */
  readonly #parts = new Set<CachedPart<unknown>>()
  /** Cached parts that are evicted before `#parts`, unless they are used again. */
  readonly #passing = new Set<CachedPart<unknown>>()
  /** The total bytes of all uses of parts. A part counts once for each query that uses it. */
  #usedBytes = 0
  /** Bytes read again after more than the limit was used, minus bytes of other reads since then. */
  #roundBytes = 0

  /** Arrays that another thread has read are copied from `shared`; arrays read here are added to it. */
  constructor(limitBytes: number, shared?: SharedBlocks) {
    this.limitBytes = limitBytes
    this.#shared = shared
  }

  /**
   * Returns a copy of an array that some thread has read, in memory from `allocate`. Returns `undefined` when it must
   * be read from the file.
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

  /** Makes an array that was read available to other threads. */
  share(source: BlockSource, block: number, elements: Elements, array = 0): void {
    if (source.key !== undefined) this.#shared?.write(source.key, numberOf(source, block, array), bytesOf(elements))
  }

  /** True if a block that some thread has read is still in the shared cache. */
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

  /** Counts a cache hit; a query counts each part once. */
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

  /** Adds a part to the cache, and evicts others if the limit is exceeded. */
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

  /** True if a part that was read belongs to a cycle of parts that together do not fit into the cache. */
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
        // It was used since it was listed, so it moves to the end, after the parts that were not.
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

/** A value decoded from blocks of a file. It is read on first use, and again after the cache has evicted it. */
export class CachedPart<T> {
  readonly #cache: BlockCache
  readonly #read: () => T
  #value: T | undefined
  /** The bytes that it occupies in the cache. */
  readonly bytes: number
  /** The unit of work that last used it. `listedIn` is the unit of work in which it was listed. */
  usedIn = 0
  listedIn = 0
  /** The cache's total of used bytes when this part was last used; 0 if it was never used. */
  usedAtBytes = 0
  /** Counters of the query that last used it, so that each query counts it once. */
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

  /** Caches a value that `read` would return. */
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

  /** `bytesOf` returns the size of the value that `read` returns; it is called once for each part. */
  constructor(cache: BlockCache, bytesOf: (number: number) => number, read: (number: number) => T) {
    this.#cache = cache
    this.#bytesOf = bytesOf
    this.#read = read
  }

  /** Returns the value with this number. Throws what `bytesOf` and `read` throw, including `durable/damaged`. */
  get(number: number): T {
    return this.#part(number).get()
  }

  /** Caches a value that `read` would return for this number. */
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
