import { Bytes, FNV_FACTOR, ITEMS_PER_CHECKPOINT, MAX_UINT32, invariant, work } from '../../../base/index.ts'

const seed = Math.floor(Math.random() * 2 ** 32)
/** The key number of a string that is not in the table. */
export const NO_KEY = 0xffffffff
/** Stands for the absent row in a join pair: a left row without a right row, or the reverse. */
export const NO_ROW = 0xffffffff

/** All strings of a table in the order of their numbers, as plain data for another thread. */
export interface PartialKeyTable {
  /** String `i` is `bytes[ends[i], ends[i + 1])`. */
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

/**
 * Assigns numbers to strings, compared by their UTF-8 bytes. A hash table with open addressing over typed arrays; one
 * buffer holds the bytes of all strings.
 */
export class KeyTable {
  /**
   * The hash table. A slot holds the key number plus one in its low bits and some bits of the hash in its high bits; 0
   * is a free slot. At least a third of the slots are free.
   */
  #slots = new Uint32Array(1024)
  #ends = new Uint32Array(513)
  #arena = Bytes.allocUnsafe(8192)
  #size = 0

  get size(): number {
    return this.#size
  }

  get memoryBytes(): number {
    return 4 * (this.#slots.length + this.#ends.length) + this.#arena.length
  }

  /** All strings, concatenated. Valid until the next string is added, as is `ends`. */
  get bytes(): Bytes {
    return this.#arena
  }

  /** String `i` is `bytes[ends[i], ends[i + 1])`. */
  get ends(): Uint32Array {
    return this.#ends
  }

  /** Returns the bytes of the string with this number. */
  bytesOf(key: number): Bytes {
    return this.#arena.subarray(this.#ends[key], this.#ends[key + 1])
  }

  /** Returns the number of the string `bytes[start, end)`, or `NO_KEY`. */
  find(bytes: Bytes, start: number, end: number): number {
    const taken = this.#slots[this.#slotOf(bytes, start, end, hashOf(bytes, start, end))]
    return taken === 0 ? NO_KEY : (taken & (this.#slots.length - 1)) - 1
  }

  /** Returns the number of the string `bytes[start, end)`; a new string gets the next number. */
  intern(bytes: Bytes, start: number, end: number): number {
    if (this.#size * 3 >= this.#slots.length * 2) this.#growSlots()
    const mask = this.#slots.length - 1
    const hash = hashOf(bytes, start, end)
    const slot = this.#slotOf(bytes, start, end, hash)
    const taken = this.#slots[slot]
    if (taken !== 0) return (taken & mask) - 1
    const key = this.#size++
    if (key + 1 === this.#ends.length) this.#growEnds()
    const from = this.#ends[key]
    const to = from + end - start
    invariant(to <= MAX_UINT32, 'keys are texts of more than 4 GiB')
    if (to > this.#arena.length) this.#growArena(to)
    bytes.copy(this.#arena, from, start, end)
    this.#ends[key + 1] = to
    this.#slots[slot] = (hash & ~mask) | (key + 1)
    return key
  }

  exportPartial(): PartialKeyTable {
    const ends = this.#ends.slice(0, this.#size + 1)
    return { bytes: this.#arena.slice(0, ends[this.#size]), ends }
  }

  /** Adds the strings of another table. Returns the number in this table of each of them. */
  mergePartial({ bytes, ends }: PartialKeyTable): Uint32Array {
    const texts = Bytes.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const keys = new Uint32Array(ends.length - 1)
    for (let key = 0; key < keys.length; key++) {
      if (key % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 2)
      keys[key] = this.intern(texts, ends[key], ends[key + 1])
    }
    return keys
  }

  #slotOf(bytes: Bytes, start: number, end: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const taken = slots[slot]
      if (taken === 0) return slot
      if (((taken ^ hash) & ~mask) === 0 && this.#isSame((taken & mask) - 1, bytes, start, end)) return slot
    }
  }

  #isSame(key: number, bytes: Bytes, start: number, end: number): boolean {
    const from = this.#ends[key]
    const length = end - start
    if (this.#ends[key + 1] - from !== length) return false
    for (let i = 0; i < length; i++) if (this.#arena[from + i] !== bytes[start + i]) return false
    return true
  }

  #growEnds(): void {
    const ends = new Uint32Array(grownLength(this.#ends.length))
    ends.set(this.#ends)
    this.#ends = ends
  }

  #growArena(bytes: number): void {
    const arena = Bytes.allocUnsafe(Math.max(bytes, grownLength(this.#arena.length)))
    this.#arena.copy(arena)
    this.#arena = arena
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let key = 0; key < this.#size; key++) {
      if (key % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 2)
      const hash = hashOf(this.#arena, this.#ends[key], this.#ends[key + 1])
      let slot = hash & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = (hash & ~mask) | (key + 1)
    }
    this.#slots = slots
  }
}

/** Returns the new length for a full array: one and a half times the old one, so that little of it stays unused. */
export function grownLength(length: number): number {
  return Math.ceil(length * 1.5)
}

/**
 * Returns a hash of `bytes[start, end)`, computed over four bytes at a time. A random seed for each process prevents
 * attackers from choosing strings with equal hashes.
 */
function hashOf(bytes: Bytes, start: number, end: number): number {
  let hash = seed
  let i = start
  for (; i + 4 <= end; i += 4) {
    const four = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
    hash = Math.imul(hash ^ four, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; i < end; i++) hash = Math.imul(hash ^ bytes[i], FNV_FACTOR)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
