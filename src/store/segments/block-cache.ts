/** What was asked of a cache so far. */
export interface CacheCounts {
  /** Blocks that were in memory, once a turn. */
  hits: number
  /** Blocks that were read from a file, and their bytes there. */
  blocks: number
  bytes: number
}

/** Of parts used in the running turn so many bytes stay above the limit: what one piece of work goes back and forth between. */
const PINNED_BYTES = 8 * 1024 * 1024

/**
 * What was read of segment files, in a fixed number of bytes; what was used least recently goes out first. Letting go is
 * dropping a reference: whoever works with an array keeps it whole. Held bytes exceed `limitBytes` by what one turn uses, at
 * most 8 MiB, or by a single larger part.
 */
export class BlockCache {
  readonly limitBytes: number
  readonly counts: CacheCounts = { hits: 0, blocks: 0, bytes: 0 }
  heldBytes = 0
  /** Another one whenever a query begins a piece of work. */
  turnNumber = 1
  /** Held parts, those listed least recently first. */
  readonly #parts = new Set<CachedPart<unknown>>()

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes
  }

  /** Begins a piece of work. */
  turn(): void {
    this.turnNumber++
  }

  /** Notes that a part has come; others may go for it. */
  hold(part: CachedPart<unknown>): void {
    this.heldBytes += part.bytes
    this.#parts.add(part)
    if (this.heldBytes > this.limitBytes) this.#makeRoom(part)
  }

  #makeRoom(kept: CachedPart<unknown>): void {
    for (const part of this.#parts) {
      if (this.heldBytes <= this.limitBytes) return
      if (part === kept) continue
      const isPinned = part.usedIn === this.turnNumber && this.heldBytes <= this.limitBytes + PINNED_BYTES
      if (isPinned) continue
      if (part.usedIn > part.listedIn) {
        // Used since it was listed: it goes behind those that were not.
        part.listedIn = part.usedIn
        this.#parts.delete(part)
        this.#parts.add(part)
      } else this.drop(part)
    }
  }

  drop(part: CachedPart<unknown>): void {
    if (!this.#parts.delete(part)) return
    this.heldBytes -= part.bytes
    part.letGo()
  }
}

/** Something made of blocks of a file when it is asked for, and made again when the cache has let it go. */
export class CachedPart<T> {
  readonly #cache: BlockCache
  readonly #read: () => T
  #value: T | undefined
  /** What it takes of the cache. */
  readonly bytes: number
  /** The turn in which it was used last, and that in which it was listed. */
  usedIn = 0
  listedIn = 0

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
    const cache = this.#cache
    if (this.#value !== undefined) {
      if (this.usedIn !== cache.turnNumber) {
        this.usedIn = cache.turnNumber
        cache.counts.hits++
      }
      return this.#value
    }
    const value = this.#read()
    this.#value = value
    this.usedIn = cache.turnNumber
    this.listedIn = cache.turnNumber
    cache.hold(this)
    return value
  }

  drop(): void {
    this.#cache.drop(this)
  }

  letGo(): void {
    this.#value = undefined
  }
}
