import { FNV_FACTOR, FNV_FIRST, PAGE_BYTES } from '../../base/index.ts'

/** Identifies a file, by a 64-bit hash of its path. Paths in a data folder are never reused. */
export interface FileKey {
  readonly high: number
  readonly low: number
}

export function fileKey(path: string): FileKey {
  let high = FNV_FIRST
  let low = FNV_FACTOR
  for (let i = 0; i < path.length; i++) {
    high = Math.imul(high ^ path.charCodeAt(i), FNV_FACTOR)
    low = Math.imul(low ^ path.charCodeAt(i), 0x5bd1e995) + (low >>> 15)
  }
  return { high: high | 0, low: low | 0 }
}

/** Minimum size of a shared block, bytes. Reading a smaller one again costs little more than copying it. */
export const LEAST_SHARED_BYTES = PAGE_BYTES
/** Maximum fraction of the cache that one block may take. A larger block would leave too little room for others. */
const MOST_BLOCK_PART = 1 / 8
/**
 * Bytes of memory per region number. If regions are smaller on average, numbers run out and some memory stays unused.
 */
const BYTES_PER_REGION = 16 * 1024
/** Maximum number of regions that a write visits before it gives up, since it holds the lock meanwhile. */
const MOST_STEPS = 4096
/**
 * Maximum number of waits of 1 ms for the lock before a write gives up. If the thread with the lock has ended, `lost`
 * releases the lock.
 */
const MOST_WAITS = 4

/** Offsets in the head of the memory, in 32-bit words. */
const headWord = {
  lock: 0,
  hand: 1,
  /** Start of the list of region numbers that were used before and are free now. */
  free: 2,
  /** The lowest region number that was never used. */
  fresh: 3,
  usedPages: 4,
  hits: 5,
  count: 16,
} as const

/** Offsets in the description of a region, in 32-bit words. */
const regionWord = {
  /** Incremented by every change. Odd while the region holds a block. */
  version: 0,
  start: 1,
  pages: 2,
  next: 3,
  chain: 4,
  high: 5,
  low: 6,
  block: 7,
  bytes: 8,
  isUsed: 9,
  count: 10,
} as const

/**
 * A cache of decoded blocks in memory that all threads share. The memory is divided into regions, which are linked in
 * address order. A clock hand visits the regions in turn and evicts blocks that were not read since its last visit
 * (second chance). Readers take neither lock nor pin: they copy a block and then check that its version has not
 * changed. Writers hold a lock with the number of their thread; `lost` releases the lock of a thread that has ended.
 */
export class SharedBlocks {
  readonly memory: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #thread: number
  /** Offset of the descriptions of regions, in 32-bit words. Region numbers begin at 1. */
  readonly #regions: number
  readonly #mostRegions: number
  readonly #buckets: number
  readonly #pagesAt: number
  readonly #pages: number

  /**
   * `memory` is the memory of another thread's object, or the number of bytes to reserve. Reserved pages use physical
   * memory only after they are written. `thread` is the number of this thread, from 0.
   */
  constructor(memory: SharedArrayBuffer | number, thread = 0) {
    this.#thread = thread
    this.memory = typeof memory === 'number' ? new SharedArrayBuffer(memory) : memory
    const bytes = this.memory.byteLength
    this.#mostRegions = Math.max(2, Math.floor(bytes / BYTES_PER_REGION))
    this.#buckets = 2 ** Math.ceil(Math.log2(this.#mostRegions))
    this.#regions = headWord.count + this.#buckets - regionWord.count
    const tableWords = headWord.count + this.#buckets + this.#mostRegions * regionWord.count
    this.#words = new Int32Array(this.memory, 0, tableWords)
    this.#pagesAt = Math.ceil((tableWords * 4) / PAGE_BYTES) * PAGE_BYTES
    this.#pages = Math.floor((bytes - this.#pagesAt) / PAGE_BYTES)
    if (typeof memory === 'number') this.#clear()
  }

  get usedBytes(): number {
    return Atomics.load(this.#words, headWord.usedPages) * PAGE_BYTES
  }

  /** Number of blocks that all threads together have read from this cache. */
  get hits(): number {
    return Atomics.load(this.#words, headWord.hits)
  }

  /**
   * Copies a block to memory from `allocate`. Returns false if the block is not cached or `allocate` returned no
   * memory.
   */
  read(key: FileKey, block: number, allocate: (bytes: number) => Uint8Array | undefined): boolean {
    const words = this.#words
    const region = this.#find(key, block)
    if (region === 0) return false
    const at = this.#regions + region * regionWord.count
    const version = Atomics.load(words, at + regionWord.version)
    const start = this.#pagesAt + words[at + regionWord.start] * PAGE_BYTES
    const bytes = words[at + regionWord.bytes]
    if (!this.#has(at, key, block) || !(bytes > 0 && start + bytes <= this.memory.byteLength)) return false
    const into = allocate(bytes)
    if (into?.byteLength !== bytes) return false
    Buffer.from(this.memory, start, bytes).copy(into)
    // An atomic write instead of a read, so that no processor can move it before the reads of the copy.
    if (Atomics.add(words, at + regionWord.version, 0) !== version) return false
    words[at + regionWord.isUsed] = 1
    Atomics.add(words, headWord.hits, 1)
    return true
  }

  /** True if a block is cached. */
  has(key: FileKey, block: number): boolean {
    return this.#find(key, block) !== 0
  }

  #has(at: number, { high, low }: FileKey, block: number): boolean {
    const words = this.#words
    const isBlock =
      words[at + regionWord.block] === block &&
      words[at + regionWord.high] === high &&
      words[at + regionWord.low] === low
    return isBlock && (Atomics.load(words, at + regionWord.version) & 1) === 1
  }

  /** Returns the region of a block; 0 if it is not cached. */
  #find(key: FileKey, block: number): number {
    const words = this.#words
    let region = Atomics.load(words, this.#bucketOf(key, block))
    // While another thread changes the list, it may lead anywhere, so the number of steps is limited.
    for (let steps = 0; region > 0 && region <= this.#mostRegions && steps < MOST_STEPS; steps++) {
      const at = this.#regions + region * regionWord.count
      if (this.#has(at, key, block)) return region
      region = Atomics.load(words, at + regionWord.chain)
    }
    return 0
  }

  /** Stores a copy of a block for all threads. Does nothing if there is no room or another thread holds the lock. */
  write(key: FileKey, block: number, bytes: Uint8Array): void {
    const pages = Math.ceil(bytes.byteLength / PAGE_BYTES)
    if (bytes.byteLength < LEAST_SHARED_BYTES || pages > this.#pages * MOST_BLOCK_PART || !this.#lock()) return
    const region = this.#find(key, block) !== 0 ? 0 : this.#take(pages)
    if (region !== 0) {
      const words = this.#words
      const at = this.#regions + region * regionWord.count
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).copy(
        new Uint8Array(this.memory, this.#pagesAt + words[at + regionWord.start] * PAGE_BYTES, bytes.byteLength),
      )
      words[at + regionWord.high] = key.high
      words[at + regionWord.low] = key.low
      words[at + regionWord.block] = block
      words[at + regionWord.bytes] = bytes.byteLength
      words[at + regionWord.isUsed] = 0
      const bucket = this.#bucketOf(key, block)
      words[at + regionWord.chain] = words[bucket]
      Atomics.add(words, headWord.usedPages, words[at + regionWord.pages])
      Atomics.add(words, at + regionWord.version, 1)
      Atomics.store(words, bucket, region)
    }
    this.#unlock()
  }

  /**
   * Evicts the blocks of a removed file. If another thread holds the lock, they remain until the clock hand evicts
   * them.
   */
  remove({ high, low }: FileKey): void {
    if (!this.#lock()) return
    const words = this.#words
    let region = 1
    do {
      const at = this.#regions + region * regionWord.count
      if (words[at + regionWord.high] === high && words[at + regionWord.low] === low) this.#evict(region)
      region = words[at + regionWord.next]
    } while (region !== 1)
    this.#unlock()
  }

  /**
   * Must be called when a thread has ended. If that thread held the lock, all blocks are dropped, since its write may
   * be incomplete.
   */
  lost(thread: number): void {
    if (Atomics.load(this.#words, headWord.lock) !== thread + 1) return
    this.#clear()
    this.#unlock()
  }

  #bucketOf({ high, low }: FileKey, block: number): number {
    const hash = Math.imul(high ^ Math.imul(low ^ Math.imul(block, 0x9e3779b1), 0x85ebca6b), 0xc2b2ae35)
    return headWord.count + ((hash ^ (hash >>> 15)) & (this.#buckets - 1))
  }

  #lock(): boolean {
    for (let waits = 0; ; waits++) {
      const holder = Atomics.compareExchange(this.#words, headWord.lock, 0, this.#thread + 1)
      if (holder === 0) return true
      if (waits === MOST_WAITS) return false
      Atomics.wait(this.#words, headWord.lock, holder, 1)
    }
  }

  #unlock(): void {
    Atomics.store(this.#words, headWord.lock, 0)
    Atomics.notify(this.#words, headWord.lock, 1)
  }

  /** Returns a free region of this many pages; 0 if the clock hand found none. The hand moves past the region. */
  #take(pages: number): number {
    const words = this.#words
    let first = words[headWord.hand]
    let last = first
    let found = 0
    for (let steps = 0; ; steps++) {
      const at = this.#regions + last * regionWord.count
      const isHeld = (words[at + regionWord.version] & 1) === 1 && words[at + regionWord.isUsed] === 1
      words[at + regionWord.isUsed] = 0
      if (!isHeld) found += words[at + regionWord.pages]
      if (found >= pages) break
      const next = words[at + regionWord.next]
      // The region after the last one is the first one, which is not adjacent in memory.
      if (isHeld || next === 1) {
        first = next
        found = 0
      }
      last = next
      if (steps === MOST_STEPS) {
        words[headWord.hand] = first
        return 0
      }
    }
    this.#merge(first, last, found)
    this.#split(first, pages)
    words[headWord.hand] = words[this.#regions + first * regionWord.count + regionWord.next]
    return first
  }

  /** Merges the adjacent regions from `first` to `last` into one empty region. */
  #merge(first: number, last: number, pages: number): void {
    const words = this.#words
    const firstAt = this.#regions + first * regionWord.count
    this.#evict(first)
    for (let region = first; region !== last;) {
      region = words[firstAt + regionWord.next]
      const at = this.#regions + region * regionWord.count
      this.#evict(region)
      words[firstAt + regionWord.next] = words[at + regionWord.next]
      words[at + regionWord.next] = words[headWord.free]
      words[headWord.free] = region
    }
    words[firstAt + regionWord.pages] = pages
  }

  /** Shrinks a region to this many pages. The remaining pages become another region, if a region number is free. */
  #split(region: number, pages: number): void {
    const words = this.#words
    const at = this.#regions + region * regionWord.count
    const left = words[at + regionWord.pages] - pages
    if (left === 0) return
    let other = words[headWord.free]
    if (other !== 0) words[headWord.free] = words[this.#regions + other * regionWord.count + regionWord.next]
    else if (words[headWord.fresh] <= this.#mostRegions) other = words[headWord.fresh]++
    else return
    const otherAt = this.#regions + other * regionWord.count
    words[otherAt + regionWord.start] = words[at + regionWord.start] + pages
    words[otherAt + regionWord.pages] = left
    words[otherAt + regionWord.next] = words[at + regionWord.next]
    words[at + regionWord.pages] = pages
    words[at + regionWord.next] = other
  }

  #evict(region: number): void {
    const words = this.#words
    const at = this.#regions + region * regionWord.count
    if ((words[at + regionWord.version] & 1) === 0) return
    // The new version tells readers that are copying the block to discard their copy.
    Atomics.add(words, at + regionWord.version, 1)
    Atomics.sub(words, headWord.usedPages, words[at + regionWord.pages])
    let link = this.#bucketOf(
      { high: words[at + regionWord.high], low: words[at + regionWord.low] },
      words[at + regionWord.block],
    )
    while (words[link] !== region) link = this.#regions + words[link] * regionWord.count + regionWord.chain
    words[link] = words[at + regionWord.chain]
    words[at + regionWord.high] = 0
    words[at + regionWord.low] = 0
  }

  /**
   * Resets the memory to one empty region. Versions continue to increase, so that readers discard unfinished copies.
   */
  #clear(): void {
    const words = this.#words
    for (let region = 1; region < words[headWord.fresh]; region++) {
      const at = this.#regions + region * regionWord.count
      if ((Atomics.load(words, at + regionWord.version) & 1) === 1) Atomics.add(words, at + regionWord.version, 1)
      words.fill(0, at + regionWord.start, at + regionWord.count)
    }
    words.fill(0, headWord.hand, this.#regions + regionWord.count)
    const first = this.#regions + regionWord.count
    words[first + regionWord.pages] = this.#pages
    words[first + regionWord.next] = 1
    words[headWord.hand] = 1
    words[headWord.fresh] = 2
  }
}
