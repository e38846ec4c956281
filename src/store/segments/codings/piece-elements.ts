import { bitsLength, lowBytesOf } from './bit-codings.ts'
import { decodedArray, isLengthOf } from './codings.ts'
import { elementBytes, type Elements } from './elements.ts'
import { headBytes, coding, type ElementType } from '../layout.ts'

/** The elements of one piece of an array. Indexes count from the start of the piece. */
export interface PieceElements {
  at(index: number): number
}

type IntegerType = Exclude<ElementType, 'f64'>

/** A piece whose elements are all decoded. */
class MadeElements implements PieceElements {
  readonly #elements: Elements

  constructor(elements: Elements) {
    this.#elements = elements
  }

  at(index: number): number {
    return this.#elements[index]
  }
}

/** Number of bytes that are read to decode an element, from the first byte that contains some of its bits. */
const WORD_BYTES = 4

/** A piece encoded as bits. Elements are decoded one by one, since usually few of some thousand are needed. */
class BitElements implements PieceElements {
  readonly #bytes: Uint8Array
  readonly #bits: number
  readonly #bitMask: number
  readonly #typeMask: number
  readonly #least: number
  /** Offset of the separate lowest bytes of wide numbers; 0 if there are none. */
  readonly #lowAt: number

  constructor(bytes: Buffer, type: IntegerType, length: number) {
    const width = bytes[0]
    const low = lowBytesOf(width)
    this.#bytes = copied(bytes, WORD_BYTES)
    this.#bits = width - low * 8
    this.#bitMask = 2 ** this.#bits - 1
    this.#typeMask = 2 ** (elementBytes[type] * 8) - 1
    this.#least = bytes.readUInt32LE(4)
    this.#lowAt = low === 0 ? 0 : headBytes.bits + bitsLength(length, width) - length
  }

  at(index: number): number {
    const bytes = this.#bytes
    const bit = index * this.#bits
    const at = headBytes.bits + (bit >>> 3)
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    let number = (word >>> (bit & 7)) & this.#bitMask
    if (this.#lowAt !== 0) number = number * 256 + bytes[this.#lowAt + index]
    return ((number + this.#least) & this.#typeMask) >>> 0
  }
}

/** A piece of unsigned integers in byte planes. One-byte integers are stored as they are. */
class PlaneElements implements PieceElements {
  readonly #bytes: Uint8Array
  readonly #length: number

  constructor(bytes: Buffer, length: number) {
    this.#bytes = copied(bytes)
    this.#length = length
  }

  at(index: number): number {
    let number = 0
    for (let at = index, factor = 1; at < this.#bytes.length; at += this.#length, factor *= 256)
      number += this.#bytes[at] * factor
    return number
  }
}

/** A piece of doubles that are integers divided by a power of ten. */
class DecimalElements implements PieceElements {
  readonly #bytes: Uint8Array
  readonly #length: number
  readonly #power: number
  readonly #isZeroNan: boolean
  /** Number to add to each element. */
  readonly #base: number
  readonly #shift: number

  constructor(bytes: Buffer, length: number) {
    this.#bytes = copied(bytes)
    this.#length = length
    this.#power = 10 ** bytes[0]
    this.#shift = bytes[2]
    this.#isZeroNan = this.#shift === 1
    this.#base = bytes.readDoubleLE(8)
  }

  at(index: number): number {
    let number = 0
    for (let at = headBytes.numbers + index, factor = 1; at < this.#bytes.length; at += this.#length, factor *= 256)
      number += this.#bytes[at] * factor
    return number === 0 && this.#isZeroNan ? NaN : (number - this.#shift + this.#base) / this.#power
  }
}

/**
 * Returns a copy, followed by `spare` zeros. The source buffer must not be kept: it is reused, or shared by many
 * pieces.
 */
function copied(bytes: Buffer, spare = 0): Uint8Array {
  const copy = new Uint8Array(bytes.length + spare)
  copy.set(bytes)
  return copy
}

/**
 * Returns the elements of a piece; `undefined` if the bytes are not `length` elements of this type. Where the encoding
 * allows, elements are decoded on access, which is faster for single rows.
 */
export function pieceElements(
  bytes: Buffer,
  kind: number,
  type: ElementType,
  length: number,
): PieceElements | undefined {
  if (!isLengthOf(bytes, kind, type, length)) return undefined
  if (type === 'f64') {
    if (kind === coding.decimals) return new DecimalElements(bytes, length)
  } else if (type !== 'i32') {
    if (kind === coding.bits) return new BitElements(bytes, type, length)
    if (kind === coding.planes || (kind === coding.plain && type === 'u8')) return new PlaneElements(bytes, length)
  }
  const elements = decodedArray(bytes, kind, type, length)
  return elements && new MadeElements(elements)
}
