import { headBytes } from '../layout.ts'

/** Maximum number of bits that 32-bit shifts can extract. The lowest bytes of wider numbers are stored separately. */
const MAX_SHIFTED_BITS = 24

export function lowBytesOf(width: number): number {
  return Math.max(0, Math.ceil((width - MAX_SHIFTED_BITS) / 8))
}

export function bitsLength(count: number, width: number): number {
  const low = lowBytesOf(width)
  return Math.ceil((count * (width - low * 8)) / 8) + low * count
}

export function widthOf(most: number): number {
  let width = 0
  while (most >= 2 ** width) width++
  return width
}

/**
 * Reusable buffer for conversions to and from bits. It has one array type for all elements, so that loops stay
 * optimized.
 */
let numbersHeld = new Uint32Array(0)
let wordsHeld = new Uint32Array(0)

export function numbersOf(count: number): Uint32Array {
  if (numbersHeld.length < count) numbersHeld = new Uint32Array(count)
  return numbersHeld
}

/** Writes the lowest `width` bits of each number, lowest bit first. */
export function writeBits(numbers: Uint32Array, count: number, width: number, into: Buffer, from: number): void {
  let at = from
  let held = 0
  let heldBits = 0
  for (let i = 0; i < count; i++) {
    held |= numbers[i] << heldBits
    heldBits += width
    for (; heldBits >= 8; heldBits -= 8, held >>>= 8) into[at++] = held
  }
  if (heldBits > 0) into[at] = held
}

export function readBits(bytes: Buffer, from: number, width: number, numbers: Uint32Array, count: number): void {
  const length = Math.ceil((count * width) / 8)
  // Reads whole 32-bit words, which must be aligned, and one word past the end.
  if (wordsHeld.length * 4 < length + 8) wordsHeld = new Uint32Array((length >>> 2) + 2)
  const words = wordsHeld
  new Uint8Array(words.buffer).set(bytes.subarray(from, from + length))
  const mask = 2 ** width - 1
  let word = 0
  let wordBits = 0
  let at = 0
  for (let i = 0; i < count; i++) {
    if (wordBits >= width) {
      numbers[i] = word & mask
      word >>>= width
      wordBits -= width
    } else {
      const next = words[at++]
      numbers[i] = (word | (next << wordBits)) & mask
      word = next >>> (width - wordBits)
      wordBits += 32 - width
    }
  }
}

/** Encodes non-negative integers as bits. */
export function toBits(array: Uint8Array | Uint16Array | Uint32Array): Uint8Array {
  const count = array.length
  let least = 0xffffffff
  let most = 0
  for (let i = 0; i < count; i++) {
    if (array[i] < least) least = array[i]
    if (array[i] > most) most = array[i]
  }
  const width = widthOf(Math.max(0, most - least))
  const low = lowBytesOf(width)
  const bytes = Buffer.alloc(headBytes.bits + bitsLength(count, width))
  bytes[0] = width
  bytes.writeUInt32LE(least, 4)
  const numbers = numbersOf(count)
  for (let i = 0; i < count; i++) numbers[i] = array[i] - least
  if (low === 1) {
    for (let i = 0, at = bytes.length - count; i < count; i++) {
      bytes[at++] = numbers[i]
      numbers[i] >>>= 8
    }
  }
  writeBits(numbers, count, width - low * 8, bytes, headBytes.bits)
  return bytes
}

export function fromBits(bytes: Buffer, target: Uint8Array | Uint16Array | Uint32Array): void {
  const count = target.length
  const low = lowBytesOf(bytes[0])
  const least = bytes.readUInt32LE(4)
  const numbers = numbersOf(count)
  readBits(bytes, headBytes.bits, bytes[0] - low * 8, numbers, count)
  if (low === 1) for (let i = 0, at = bytes.length - count; i < count; i++) numbers[i] = (numbers[i] << 8) | bytes[at++]
  if (least !== 0) for (let i = 0; i < count; i++) numbers[i] += least
  target.set(numbers.subarray(0, count))
}
