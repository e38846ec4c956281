import { Bytes, invariant } from '../../../base/index.ts'

const EMPTY = 0xffffffff
const MOST_BYTES = 2 ** 32
const seed = Math.floor(Math.random() * 2 ** 32)
/** What a key that nobody interned is numbered. */
export const NO_KEY = 0xffffffff
/** Where a left row has no right row, or the other way round. */
export const NO_ROW = 0xffffffff

/** Numbers texts by their UTF-8 bytes: open addressing over typed arrays, the bytes in one arena. */
export class KeyTable {
  #slots = new Uint32Array(1024).fill(EMPTY)
  #hashes = new Uint32Array(512)
  #ends = new Uint32Array(513)
  #arena = Bytes.allocUnsafe(8192)
  #size = 0

  get size(): number {
    return this.#size
  }

  get memoryBytes(): number {
    return 4 * (this.#slots.length + this.#hashes.length + this.#ends.length) + this.#arena.length
  }

  /** The bytes of a text by its number. */
  bytesOf(key: number): Bytes {
    return this.#arena.subarray(this.#ends[key], this.#ends[key + 1])
  }

  /** The number of a text, or `NO_KEY`. */
  find(bytes: Bytes, start: number, end: number): number {
    return this.#slots[this.#slotOf(bytes, start, end, hashOf(bytes, start, end))]
  }

  /** The number of a text, which gets the next one when it is new. */
  intern(bytes: Bytes, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const slot = this.#slotOf(bytes, start, end, hash)
    const known = this.#slots[slot]
    if (known !== EMPTY) return known
    const key = this.#size++
    if (key === this.#hashes.length) this.#growKeys()
    const from = this.#ends[key]
    const to = from + end - start
    invariant(to <= MOST_BYTES, 'keys are texts of more than 4 GiB')
    if (to > this.#arena.length) this.#growArena(to)
    bytes.copy(this.#arena, from, start, end)
    this.#hashes[key] = hash
    this.#ends[key + 1] = to
    this.#slots[slot] = key
    if (this.#size * 2 > this.#slots.length) this.#growSlots()
    return key
  }

  #slotOf(bytes: Bytes, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const key = this.#slots[slot]
      if (key === EMPTY || (this.#hashes[key] === hash && this.#isSame(key, bytes, start, end))) return slot
      slot = (slot + 1) & mask
    }
  }

  #isSame(key: number, bytes: Bytes, start: number, end: number): boolean {
    const from = this.#ends[key]
    const length = end - start
    if (this.#ends[key + 1] - from !== length) return false
    for (let i = 0; i < length; i++) if (this.#arena[from + i] !== bytes[start + i]) return false
    return true
  }

  #growKeys(): void {
    const hashes = new Uint32Array(this.#hashes.length * 2)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    const ends = new Uint32Array(hashes.length + 1)
    ends.set(this.#ends)
    this.#ends = ends
  }

  #growArena(bytes: number): void {
    const arena = Bytes.allocUnsafe(Math.max(bytes, this.#arena.length * 2))
    this.#arena.copy(arena)
    this.#arena = arena
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2).fill(EMPTY)
    const mask = slots.length - 1
    for (let key = 0; key < this.#size; key++) {
      let slot = this.#hashes[key] & mask
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask
      slots[slot] = key
    }
    this.#slots = slots
  }
}

/** Every four bytes at once. It begins with a number of the process, so that nobody outside can tell which texts fall together. */
function hashOf(bytes: Bytes, start: number, end: number): number {
  let hash = seed
  let i = start
  for (; i + 4 <= end; i += 4) {
    const four = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
    hash = Math.imul(hash ^ four, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
