import { Bytes, invariant } from '../../../base/index.ts'
import { decodeText } from '../../../data/index.ts'

/** What lies in front of the bytes of a text: 0 of one that stands as it is, with its length behind it. */
const PLAIN = 0
const PLAIN_HEAD = 5
/** Or how many bytes the digits of an id take, two to a byte; ids shorter than this gain nothing. */
const LEAST_ID = 4
const MOST_ID = 64
/** Or that these are the sixteen bytes of a UUID, whose hyphens stand at known places. */
const UUID = 255
const UUID_BYTES = 16
const UUID_CHARS = 36
const HYPHEN = 45
/** Where the digits between two hyphens begin, and how many bytes they are. */
const UUID_RUNS: readonly (readonly [from: number, bytes: number])[] = [
  [0, 4],
  [9, 2],
  [14, 2],
  [19, 2],
  [24, 6],
]

const FIRST_BYTES = 8192
/** Texts that are in question at once. */
export const LANES = 256
const MOST_BYTES = 2 ** 32
/** Beyond this memory grows by half, so that less of it stands empty. */
const HALF_FROM = 1 << 20

/** The value of a hexadecimal digit in lower case; 255 of all else. */
const digitOf = new Uint8Array(256).fill(0xff)
const digits = '0123456789abcdef'
for (let value = 0; value < 16; value++) digitOf[digits.charCodeAt(value)] = value
const charOf = Bytes.from(digits, 'latin1')

/** So that nobody outside can tell which texts fall together. */
const seed = Math.floor(Math.random() * 2 ** 32)

/** How long memory should be that has become too short. */
export function roomFor(needed: number, had: number): number {
  return Math.max(needed, had < HALF_FROM ? had * 2 : Math.ceil(had * 1.5))
}

/**
 * Texts one behind the other, found again by their places, whole numbers below 2^31. Ids in hexadecimal take half their length: a trace id
 * of 32 digits 18 bytes. Up to `LANES` texts at a time are in question, each in a lane, which `take` puts it into; equal texts have equal
 * packed bytes.
 */
export class PackedTexts {
  #arena = Bytes.allocUnsafe(FIRST_BYTES)
  #end = 0
  /** The packed ids in question. */
  readonly #ids = Bytes.alloc(LANES * MOST_ID)
  /** What those in question lie in that are no ids. */
  #plain = this.#ids
  /** By lane, where the packed bytes are in `#ids` or `#plain`. */
  readonly #starts = new Uint32Array(LANES)
  readonly #lengths = new Uint32Array(LANES)
  readonly #heads = new Uint8Array(LANES)
  /** By lane. */
  readonly hashes = new Uint32Array(LANES)

  get memoryBytes(): number {
    return this.#arena.length
  }

  /** Puts a text into a lane. Those of several lanes that are asked for together lie in the same `bytes`. */
  take(bytes: Bytes, start: number, end: number, lane: number): void {
    const head = this.#packed(bytes, start, end, lane * MOST_ID)
    this.#heads[lane] = head
    if (head === PLAIN) {
      this.#plain = bytes
      this.#starts[lane] = start
      this.#lengths[lane] = end - start
      this.hashes[lane] = hashOf(bytes, start, end, head)
    } else {
      const length = head === UUID ? UUID_BYTES : head
      const from = lane * MOST_ID
      this.#starts[lane] = from
      this.#lengths[lane] = length
      this.hashes[lane] = hashOf(this.#ids, from, from + length, head)
    }
  }

  /** Packs an id into `#ids`, and says what its head is. */
  #packed(bytes: Bytes, start: number, end: number, to: number): number {
    const length = end - start
    if ((length & 1) !== 0 || length < LEAST_ID * 2 || length > MOST_ID * 2) return PLAIN
    if (this.#packDigits(bytes, start, end, to)) return length >>> 1
    if (length !== UUID_CHARS) return PLAIN
    let at = to
    for (const [from, count] of UUID_RUNS) {
      if (from > 0 && bytes[start + from - 1] !== HYPHEN) return PLAIN
      if (!this.#packDigits(bytes, start + from, start + from + count * 2, at)) return PLAIN
      at += count
    }
    return UUID
  }

  #packDigits(bytes: Bytes, start: number, end: number, to: number): boolean {
    const ids = this.#ids
    for (let i = start, at = to; i < end; i += 2) {
      const high = digitOf[bytes[i]]
      const low = digitOf[bytes[i + 1]]
      if ((high | low) > 15) return false
      ids[at++] = (high << 4) | low
    }
    return true
  }

  /** Puts the text of a lane behind the others; gives its place. */
  put(lane: number): number {
    const head = this.#heads[lane]
    const start = this.#starts[lane]
    const length = this.#lengths[lane]
    const at = this.#end
    const from = at + (head === PLAIN ? PLAIN_HEAD : 1)
    const end = from + length
    invariant(end <= MOST_BYTES, 'keys of groups are texts of more than 4 GiB')
    if (end > this.#arena.length) this.#grow(end)
    const arena = this.#arena
    arena[at] = head
    if (head === PLAIN) for (let i = 1; i < PLAIN_HEAD; i++) arena[at + i] = length >>> (8 * (i - 1))
    const bytes = head === PLAIN ? this.#plain : this.#ids
    bytes.copy(arena, from, start, start + length)
    // Each begins at an even byte, so that half of that is its place.
    this.#end = end + (end & 1)
    return at / 2
  }

  #grow(needed: number): void {
    const arena = Bytes.allocUnsafe(roomFor(needed, this.#arena.length))
    this.#arena.copy(arena, 0, 0, this.#end)
    this.#arena = arena
  }

  /** Whether the text of a lane stands at this place. */
  isAt(place: number, lane: number): boolean {
    const arena = this.#arena
    const at = place * 2
    const head = this.#heads[lane]
    if (arena[at] !== head) return false
    const length = this.#lengths[lane]
    if (head === PLAIN && this.#lengthAt(at) !== length) return false
    const from = at + (head === PLAIN ? PLAIN_HEAD : 1)
    const bytes = head === PLAIN ? this.#plain : this.#ids
    const start = this.#starts[lane]
    for (let i = 0; i < length; i++) if (arena[from + i] !== bytes[start + i]) return false
    return true
  }

  /** Something of the text at this place, so that it is near the processor when it is asked for next. */
  fetch(place: number): number {
    return this.#arena[place * 2]
  }

  /** As `hashes` has, of the text at this place. */
  hashAt(place: number): number {
    const at = place * 2
    const head = this.#arena[at]
    const from = at + (head === PLAIN ? PLAIN_HEAD : 1)
    return hashOf(this.#arena, from, from + this.#lengthAt(at), head)
  }

  textAt(place: number): string {
    const bytes = Bytes.allocUnsafe(this.byteLengthAt(place))
    this.copyAt(place, bytes, 0)
    return decodeText(bytes, 0, bytes.length)
  }

  /** Of the text as it was, in UTF-8. */
  byteLengthAt(place: number): number {
    const at = place * 2
    const head = this.#arena[at]
    if (head === PLAIN) return this.#lengthAt(at)
    return head === UUID ? UUID_CHARS : head * 2
  }

  /** Writes the text at this place in UTF-8 to `target` from `to` on. */
  copyAt(place: number, target: Bytes, to: number): void {
    const arena = this.#arena
    const at = place * 2
    const head = arena[at]
    if (head === PLAIN) arena.copy(target, to, at + PLAIN_HEAD, at + PLAIN_HEAD + this.#lengthAt(at))
    else if (head !== UUID) copyDigits(arena, at + 1, head, target, to)
    else {
      target.fill(HYPHEN, to, to + UUID_CHARS)
      let from = at + 1
      for (const [run, count] of UUID_RUNS) {
        copyDigits(arena, from, count, target, to + run)
        from += count
      }
    }
  }

  /** Of the packed bytes whose head is at `at`. */
  #lengthAt(at: number): number {
    const arena = this.#arena
    const head = arena[at]
    if (head !== PLAIN) return head === UUID ? UUID_BYTES : head
    return (arena[at + 1] | (arena[at + 2] << 8) | (arena[at + 3] << 16) | (arena[at + 4] << 24)) >>> 0
  }
}

function copyDigits(bytes: Bytes, from: number, count: number, target: Bytes, at: number): void {
  for (let i = 0; i < count; i++) {
    const byte = bytes[from + i]
    target[at + i * 2] = charOf[byte >>> 4]
    target[at + i * 2 + 1] = charOf[byte & 15]
  }
}

function hashOf(bytes: Bytes, start: number, end: number, head: number): number {
  let hash = seed ^ head
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
