import { FNV_FACTOR, FNV_FIRST, PAGE_BYTES } from '../../base/index.ts'

/** Identity of a file, 64 bits of a hash of its path: paths of a data folder are used once. */
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

/** Smaller blocks are not shared: to read one again costs little more than to copy it. */
export const LEAST_SHARED_BYTES = PAGE_BYTES
/** A larger part of the cache than this would leave too little for others. */
const MOST_BLOCK_PART = 1 / 8
/** One region for this many bytes; where arrays are smaller on average, memory remains unused. */
const BYTES_PER_REGION = 16 * 1024
/** Regions that one write looks at before it gives up: it holds the lock meanwhile. */
const MOST_STEPS = 4096
/** Waits of a millisecond for the lock before a write is given up: a dead holder is found by `lost`. */
const MOST_WAITS = 4

/** Words of the head. */
const LOCK = 0
const HAND = 1
/** First of the region numbers that were merged away, and the lowest that was never used. */
const FREE = 2
const FRESH = 3
const USED_PAGES = 4
const HITS = 5
const HEAD_WORDS = 16

/** Words of a region. `VERSION` is odd while the region holds a block, and goes up with every change. */
const VERSION = 0
const START = 1
const PAGES = 2
const NEXT = 3
const CHAIN = 4
const HIGH = 5
const LOW = 6
const BLOCK = 7
const BYTES = 8
const IS_USED = 9
const REGION_WORDS = 10

/**
 * Decoded blocks of files in memory that all threads share. Memory is divided into regions in order of address; a hand goes round them and
 * evicts blocks that were not read since it last came by (second chance). Readers take no lock and no pin: they copy a block and look whether
 * its version is still the same. Writers hold a lock with the number of their thread, which `lost` opens when the thread has ended.
 */
export class SharedBlocks {
  readonly memory: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #thread: number
  /** Where the regions begin, in words; the first number is 1. */
  readonly #regions: number
  readonly #mostRegions: number
  readonly #buckets: number
  readonly #pagesAt: number
  readonly #pages: number

  /** `memory` is that of another thread, or how many bytes to reserve, which pages take once they are written; `thread` is the number of this one, 0 or above. */
  constructor(memory: SharedArrayBuffer | number, thread = 0) {
    this.#thread = thread
    this.memory = typeof memory === 'number' ? new SharedArrayBuffer(memory) : memory
    const bytes = this.memory.byteLength
    this.#mostRegions = Math.max(2, Math.floor(bytes / BYTES_PER_REGION))
    this.#buckets = 2 ** Math.ceil(Math.log2(this.#mostRegions))
    this.#regions = HEAD_WORDS + this.#buckets - REGION_WORDS
    const tableWords = HEAD_WORDS + this.#buckets + this.#mostRegions * REGION_WORDS
    this.#words = new Int32Array(this.memory, 0, tableWords)
    this.#pagesAt = Math.ceil((tableWords * 4) / PAGE_BYTES) * PAGE_BYTES
    this.#pages = Math.floor((bytes - this.#pagesAt) / PAGE_BYTES)
    if (typeof memory === 'number') this.#clear()
  }

  get usedBytes(): number {
    return Atomics.load(this.#words, USED_PAGES) * PAGE_BYTES
  }

  /** Blocks that were read from here, by all threads. */
  get hits(): number {
    return Atomics.load(this.#words, HITS)
  }

  /** Copies a block to where `allocate` says; false where it is not there, or nothing of its length was given. */
  read(key: FileKey, block: number, allocate: (bytes: number) => Uint8Array | undefined): boolean {
    const words = this.#words
    const region = this.#find(key, block)
    if (region === 0) return false
    const at = this.#regions + region * REGION_WORDS
    const version = Atomics.load(words, at + VERSION)
    const start = this.#pagesAt + words[at + START] * PAGE_BYTES
    const bytes = words[at + BYTES]
    if (!this.#has(at, key, block) || !(bytes > 0 && start + bytes <= this.memory.byteLength)) return false
    const into = allocate(bytes)
    if (into?.byteLength !== bytes) return false
    Buffer.from(this.memory, start, bytes).copy(into)
    // A write: no processor moves it before the reads of the copy.
    if (Atomics.add(words, at + VERSION, 0) !== version) return false
    words[at + IS_USED] = 1
    Atomics.add(words, HITS, 1)
    return true
  }

  /** Whether a block is there. */
  has(key: FileKey, block: number): boolean {
    return this.#find(key, block) !== 0
  }

  #has(at: number, { high, low }: FileKey, block: number): boolean {
    const words = this.#words
    const isBlock = words[at + BLOCK] === block && words[at + HIGH] === high && words[at + LOW] === low
    return isBlock && (Atomics.load(words, at + VERSION) & 1) === 1
  }

  /** The region of a block; 0 where it is not there. */
  #find(key: FileKey, block: number): number {
    const words = this.#words
    let region = Atomics.load(words, this.#bucketOf(key, block))
    // A list that changes meanwhile may lead anywhere, but not for ever.
    for (let steps = 0; region > 0 && region <= this.#mostRegions && steps < MOST_STEPS; steps++) {
      const at = this.#regions + region * REGION_WORDS
      if (this.#has(at, key, block)) return region
      region = Atomics.load(words, at + CHAIN)
    }
    return 0
  }

  /** Keeps a copy of a block for all threads, unless there is no room or others are writing. */
  write(key: FileKey, block: number, bytes: Uint8Array): void {
    const pages = Math.ceil(bytes.byteLength / PAGE_BYTES)
    if (bytes.byteLength < LEAST_SHARED_BYTES || pages > this.#pages * MOST_BLOCK_PART || !this.#lock()) return
    const region = this.#find(key, block) !== 0 ? 0 : this.#take(pages)
    if (region !== 0) {
      const words = this.#words
      const at = this.#regions + region * REGION_WORDS
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).copy(
        new Uint8Array(this.memory, this.#pagesAt + words[at + START] * PAGE_BYTES, bytes.byteLength),
      )
      words[at + HIGH] = key.high
      words[at + LOW] = key.low
      words[at + BLOCK] = block
      words[at + BYTES] = bytes.byteLength
      words[at + IS_USED] = 0
      const bucket = this.#bucketOf(key, block)
      words[at + CHAIN] = words[bucket]
      Atomics.add(words, USED_PAGES, words[at + PAGES])
      Atomics.add(words, at + VERSION, 1)
      Atomics.store(words, bucket, region)
    }
    this.#unlock()
  }

  /** Evicts the blocks of a file that was removed. Where others are writing they leave when the hand comes by. */
  remove({ high, low }: FileKey): void {
    if (!this.#lock()) return
    const words = this.#words
    let region = 1
    do {
      const at = this.#regions + region * REGION_WORDS
      if (words[at + HIGH] === high && words[at + LOW] === low) this.#evict(region)
      region = words[at + NEXT]
    } while (region !== 1)
    this.#unlock()
  }

  /** A thread has ended: where it was writing, what it left half done is forgotten with all blocks. */
  lost(thread: number): void {
    if (Atomics.load(this.#words, LOCK) !== thread + 1) return
    this.#clear()
    this.#unlock()
  }

  #bucketOf({ high, low }: FileKey, block: number): number {
    const hash = Math.imul(high ^ Math.imul(low ^ Math.imul(block, 0x9e3779b1), 0x85ebca6b), 0xc2b2ae35)
    return HEAD_WORDS + ((hash ^ (hash >>> 15)) & (this.#buckets - 1))
  }

  #lock(): boolean {
    for (let waits = 0; ; waits++) {
      const holder = Atomics.compareExchange(this.#words, LOCK, 0, this.#thread + 1)
      if (holder === 0) return true
      if (waits === MOST_WAITS) return false
      Atomics.wait(this.#words, LOCK, holder, 1)
    }
  }

  #unlock(): void {
    Atomics.store(this.#words, LOCK, 0)
    Atomics.notify(this.#words, LOCK, 1)
  }

  /** A region of that many pages without a block; 0 where the hand has found none. The hand stands behind it then. */
  #take(pages: number): number {
    const words = this.#words
    let first = words[HAND]
    let last = first
    let found = 0
    for (let steps = 0; ; steps++) {
      const at = this.#regions + last * REGION_WORDS
      const isHeld = (words[at + VERSION] & 1) === 1 && words[at + IS_USED] === 1
      words[at + IS_USED] = 0
      if (!isHeld) found += words[at + PAGES]
      if (found >= pages) break
      const next = words[at + NEXT]
      // The last region is followed by the first, which does not lie behind it.
      if (isHeld || next === 1) {
        first = next
        found = 0
      }
      last = next
      if (steps === MOST_STEPS) {
        words[HAND] = first
        return 0
      }
    }
    this.#merge(first, last, found)
    this.#split(first, pages)
    words[HAND] = words[this.#regions + first * REGION_WORDS + NEXT]
    return first
  }

  /** Makes one region without a block of those from the first to the last. */
  #merge(first: number, last: number, pages: number): void {
    const words = this.#words
    const firstAt = this.#regions + first * REGION_WORDS
    this.#evict(first)
    for (let region = first; region !== last;) {
      region = words[firstAt + NEXT]
      const at = this.#regions + region * REGION_WORDS
      this.#evict(region)
      words[firstAt + NEXT] = words[at + NEXT]
      words[at + NEXT] = words[FREE]
      words[FREE] = region
    }
    words[firstAt + PAGES] = pages
  }

  /** Leaves a region that many pages; the others become one of their own, if there is a number for it. */
  #split(region: number, pages: number): void {
    const words = this.#words
    const at = this.#regions + region * REGION_WORDS
    const left = words[at + PAGES] - pages
    if (left === 0) return
    let other = words[FREE]
    if (other !== 0) words[FREE] = words[this.#regions + other * REGION_WORDS + NEXT]
    else if (words[FRESH] <= this.#mostRegions) other = words[FRESH]++
    else return
    const otherAt = this.#regions + other * REGION_WORDS
    words[otherAt + START] = words[at + START] + pages
    words[otherAt + PAGES] = left
    words[otherAt + NEXT] = words[at + NEXT]
    words[at + PAGES] = pages
    words[at + NEXT] = other
  }

  #evict(region: number): void {
    const words = this.#words
    const at = this.#regions + region * REGION_WORDS
    if ((words[at + VERSION] & 1) === 0) return
    // Whoever copies the block now finds that it has changed.
    Atomics.add(words, at + VERSION, 1)
    Atomics.sub(words, USED_PAGES, words[at + PAGES])
    let link = this.#bucketOf({ high: words[at + HIGH], low: words[at + LOW] }, words[at + BLOCK])
    while (words[link] !== region) link = this.#regions + words[link] * REGION_WORDS + CHAIN
    words[link] = words[at + CHAIN]
    words[at + HIGH] = 0
    words[at + LOW] = 0
  }

  /** One region without a block. Versions go on, so that copies in the making are found out. */
  #clear(): void {
    const words = this.#words
    for (let region = 1; region < words[FRESH]; region++) {
      const at = this.#regions + region * REGION_WORDS
      if ((Atomics.load(words, at + VERSION) & 1) === 1) Atomics.add(words, at + VERSION, 1)
      words.fill(0, at + START, at + REGION_WORDS)
    }
    words.fill(0, HAND, this.#regions + REGION_WORDS)
    const first = this.#regions + REGION_WORDS
    words[first + PAGES] = this.#pages
    words[first + NEXT] = 1
    words[HAND] = 1
    words[FRESH] = 2
  }
}
