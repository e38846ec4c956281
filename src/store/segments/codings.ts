import { present } from '../../base/index.ts'
import { coding, packing, type ElementType } from './layout.ts'
import { packed, type PackedBytes } from './packing.ts'

export type Elements = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

export const elementBytes: { readonly [T in ElementType]: number } = { u8: 1, u16: 2, u32: 4, i32: 4, f64: 8 }

export function typeOf(array: Elements): ElementType {
  if (array instanceof Uint8Array) return 'u8'
  if (array instanceof Uint16Array) return 'u16'
  if (array instanceof Uint32Array) return 'u32'
  return array instanceof Int32Array ? 'i32' : 'f64'
}

/** What stands before numbers of a width of their own: exponent 1, bytes of each 1, whether 0 is NaN 1, zeros 5 · base 8 · factor 8. */
const NUMBER_HEAD = 24
const SAFE = 2 ** 53

function bytesOf(array: Elements): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** All first bytes of elements, then all second ones. */
export function toPlanes(bytes: Uint8Array, width: number): Uint8Array {
  const count = bytes.length / width
  const planes = new Uint8Array(bytes.length)
  for (let plane = 0; plane < width; plane++)
    for (let i = 0, from = plane, to = plane * count; i < count; i++, from += width, to++) planes[to] = bytes[from]
  return planes
}

export function fromPlanes(planes: Uint8Array, width: number, target: Uint8Array): void {
  const count = target.length / width
  for (let plane = 0; plane < width; plane++)
    for (let i = 0, to = plane, from = plane * count; i < count; i++, to += width, from++) target[to] = planes[from]
}

/** Differences to the element before, folded so that small ones of either sign are small. */
function toDeltas(array: Uint16Array | Uint32Array | Int32Array): Uint8Array {
  const is16 = array instanceof Uint16Array
  const out = is16 ? new Uint16Array(array.length) : new Uint32Array(array.length)
  let before = 0
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    const difference = is16 ? ((value - before) << 16) >> 16 : (value - before) | 0
    out[i] = (difference << 1) ^ (difference >> 31)
    before = value
  }
  return toPlanes(bytesOf(out), out.BYTES_PER_ELEMENT)
}

/** Differences to the element before, wrapped. */
function toAscents(array: Uint16Array): Uint8Array {
  const out = new Uint16Array(array.length)
  let before = 0
  for (let i = 0; i < array.length; i++) {
    out[i] = array[i] - before
    before = array[i]
  }
  return toPlanes(bytesOf(out), 2)
}

function fromAscents(array: Uint16Array): void {
  for (let i = 1; i < array.length; i++) array[i] += array[i - 1]
}

function fromDeltas(array: Uint16Array | Uint32Array | Int32Array): void {
  let before = 0
  for (let i = 0; i < array.length; i++) {
    const folded = array[i]
    before += (folded >>> 1) ^ -(folded & 1)
    array[i] = before
    before = array[i]
  }
}

/** Unsigned numbers below 2^53 in `width` planes, behind their head. */
function numberPlanes(numbers: Float64Array, most: number, head: (bytes: Buffer) => void): Uint8Array {
  let width = 1
  while (width < 7 && most >= 2 ** (width * 8)) width++
  const count = numbers.length
  const bytes = Buffer.alloc(NUMBER_HEAD + count * width)
  head(bytes)
  bytes[1] = width
  for (let i = 0; i < count; i++) {
    const low = (numbers[i] % 4294967296) | 0
    const high = (numbers[i] / 4294967296) | 0
    for (let plane = 0; plane < width; plane++)
      bytes[NUMBER_HEAD + plane * count + i] = plane < 4 ? low >>> (plane * 8) : high >>> (plane * 8 - 32)
  }
  return bytes
}

function fromNumberPlanes(bytes: Buffer, target: Float64Array): void {
  const width = bytes[1]
  const count = target.length
  const first = NUMBER_HEAD
  const second = first + count
  const third = second + count
  // The first three at once, which is all of most numbers.
  if (width === 1) for (let i = 0; i < count; i++) target[i] = bytes[first + i]
  else if (width === 2) for (let i = 0; i < count; i++) target[i] = bytes[first + i] | (bytes[second + i] << 8)
  else if (width >= 3) {
    for (let i = 0; i < count; i++) target[i] = bytes[first + i] | (bytes[second + i] << 8) | (bytes[third + i] << 16)
  }
  for (let plane = 3, factor = 2 ** 24; plane < width; plane++, factor *= 256) {
    const from = first + plane * count
    for (let i = 0; i < count; i++) target[i] += bytes[from + i] * factor
  }
}

/** What stands before bits of integers: width 1 · zeros 3 · least 4. Before bits of steps stands what is before numbers, with the width in bits. */
const BITS_HEAD = 8
/** Of wider numbers the lowest bytes stand apart, so that the rest is taken out by 32-bit shifts. */
const MAX_SHIFTED_BITS = 24

function lowBytesOf(width: number): number {
  return Math.max(0, Math.ceil((width - MAX_SHIFTED_BITS) / 8))
}

function bitsLength(count: number, width: number): number {
  const low = lowBytesOf(width)
  return Math.ceil((count * (width - low * 8)) / 8) + low * count
}

function widthOf(most: number): number {
  let width = 0
  while (most >= 2 ** width) width++
  return width
}

/** What numbers are put into on the way to bits and back: one kind of array, whatever the elements are. */
let numbersHeld = new Uint32Array(0)
let wordsHeld = new Uint32Array(0)

function numbersOf(count: number): Uint32Array {
  if (numbersHeld.length < count) numbersHeld = new Uint32Array(count)
  return numbersHeld
}

/** The lowest `width` bits of each number, one behind another, lowest first. */
function writeBits(numbers: Uint32Array, count: number, width: number, into: Buffer, from: number): void {
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

function readBits(bytes: Buffer, from: number, width: number, numbers: Uint32Array, count: number): void {
  const length = Math.ceil((count * width) / 8)
  // Words have to be aligned, and one more is looked at behind the last.
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

/** Integers that are not negative. */
function toBits(array: Uint8Array | Uint16Array | Uint32Array): Uint8Array {
  const count = array.length
  let least = 0xffffffff
  let most = 0
  for (let i = 0; i < count; i++) {
    if (array[i] < least) least = array[i]
    if (array[i] > most) most = array[i]
  }
  const width = widthOf(Math.max(0, most - least))
  const low = lowBytesOf(width)
  const bytes = Buffer.alloc(BITS_HEAD + bitsLength(count, width))
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
  writeBits(numbers, count, width - low * 8, bytes, BITS_HEAD)
  return bytes
}

function fromBits(bytes: Buffer, target: Uint8Array | Uint16Array | Uint32Array): void {
  const count = target.length
  const low = lowBytesOf(bytes[0])
  const least = bytes.readUInt32LE(4)
  const numbers = numbersOf(count)
  readBits(bytes, BITS_HEAD, bytes[0] - low * 8, numbers, count)
  if (low === 1) for (let i = 0, at = bytes.length - count; i < count; i++) numbers[i] = (numbers[i] << 8) | bytes[at++]
  if (least !== 0) for (let i = 0; i < count; i++) numbers[i] += least
  target.set(numbers.subarray(0, count))
}

const MAX_DIGITS = 6

/** Doubles that are integers over one power of ten; NaN may be among them. `undefined` where they are not. */
function toDecimals(values: Float64Array): Uint8Array | undefined {
  let digits = 0
  let power = 1
  let isNanAmong = false
  let min = Infinity
  let max = -Infinity
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value !== value) {
      isNanAmong = true
      continue
    }
    for (;;) {
      const scaled = Math.round(value * power)
      if (!(Math.abs(scaled) < SAFE) || Object.is(value, -0)) return undefined
      if (scaled / power === value) break
      if (++digits > MAX_DIGITS) return undefined
      power *= 10
    }
    if (value < min) min = value
    if (value > max) max = value
  }
  if (min > max) return undefined
  const base = Math.round(min * power)
  const shift = isNanAmong ? 1 : 0
  const most = Math.round(max * power) - base + shift
  if (!(most < SAFE) || Math.abs(Math.round(max * power)) >= SAFE || Math.abs(base) >= SAFE) return undefined
  const numbers = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value !== value) continue
    numbers[i] = Math.round(value * power) - base + shift
    if ((numbers[i] - shift + base) / power !== value) return undefined
  }
  return numberPlanes(numbers, most, (bytes) => {
    bytes[0] = digits
    bytes[2] = shift
    bytes.writeDoubleLE(base, 8)
    bytes.writeDoubleLE(1, 16)
  })
}

function fromDecimals(bytes: Buffer, target: Float64Array): void {
  fromNumberPlanes(bytes, target)
  const power = 10 ** bytes[0]
  const shift = bytes[2]
  const base = bytes.readDoubleLE(8)
  if (shift === 0) {
    for (let i = 0; i < target.length; i++) target[i] = (target[i] + base) / power
    return
  }
  for (let i = 0; i < target.length; i++) {
    const number = target[i]
    target[i] = number === 0 && shift === 1 ? NaN : (number - shift + base) / power
  }
}

function greatestDivisor(a: number, b: number): number {
  while (b !== 0) {
    const rest = a % b
    a = b
    b = rest
  }
  return a
}

/** Ascending integers: the first, and differences as multiples of a factor. */
interface Steps {
  readonly first: number
  readonly factor: number
  readonly multiples: Float64Array
  readonly most: number
}

/** `undefined` for doubles that are not ascending integers. */
function stepsOf(values: Float64Array): Steps | undefined {
  if (values.length === 0 || !Number.isSafeInteger(values[0]) || Object.is(values[0], -0)) return undefined
  const steps = new Float64Array(values.length)
  let factor = 0
  let most = 0
  for (let i = 1; i < values.length; i++) {
    const step = values[i] - values[i - 1]
    if (!(step >= 0) || !Number.isSafeInteger(values[i]) || !Number.isSafeInteger(step)) return undefined
    if (factor !== 1) factor = greatestDivisor(step, factor)
    if (step > most) most = step
    steps[i] = step
  }
  if (factor > 1) for (let i = 1; i < steps.length; i++) steps[i] /= factor
  else factor = 1
  return { first: values[0], factor, multiples: steps, most: most / factor }
}

function toSteps({ first, factor, multiples, most }: Steps): Uint8Array {
  return numberPlanes(multiples, most, (bytes) => {
    bytes.writeDoubleLE(first, 8)
    bytes.writeDoubleLE(factor, 16)
  })
}

function toStepBits({ first, factor, multiples, most }: Steps): Uint8Array {
  const count = multiples.length
  const width = widthOf(most)
  const low = lowBytesOf(width)
  const unit = 256 ** low
  const bytes = Buffer.alloc(NUMBER_HEAD + bitsLength(count, width))
  bytes[1] = width
  bytes.writeDoubleLE(first, 8)
  bytes.writeDoubleLE(factor, 16)
  const numbers = numbersOf(count)
  for (let i = 0; i < count; i++) numbers[i] = Math.floor(multiples[i] / unit)
  writeBits(numbers, count, width - low * 8, bytes, NUMBER_HEAD)
  for (let plane = 0, at = bytes.length - low * count; plane < low; plane++) {
    const below = 256 ** plane
    for (let i = 0; i < count; i++) bytes[at++] = Math.floor(multiples[i] / below) % 256
  }
  return bytes
}

function fromStepBits(bytes: Buffer, target: Float64Array): void {
  const count = target.length
  const low = lowBytesOf(bytes[1])
  const unit = 256 ** low
  const factor = bytes.readDoubleLE(16)
  const numbers = numbersOf(count)
  readBits(bytes, NUMBER_HEAD, bytes[1] - low * 8, numbers, count)
  const planes = bytes.length - low * count
  let value = bytes.readDoubleLE(8)
  if (low <= 1) {
    // Times mostly have one.
    for (let i = 0; i < count; i++) {
      value += (low === 0 ? numbers[i] : numbers[i] * 256 + bytes[planes + i]) * factor
      target[i] = value
    }
    return
  }
  for (let i = 0; i < count; i++) {
    let number = numbers[i] * unit
    for (let plane = 0, at = planes + i, below = 1; plane < low; plane++, at += count, below *= 256)
      number += bytes[at] * below
    value += number * factor
    target[i] = value
  }
}

/** Adds up the multiples in `target`. */
function fromSteps(bytes: Buffer, target: Float64Array): void {
  const factor = bytes.readDoubleLE(16)
  let value = bytes.readDoubleLE(8)
  for (let i = 0; i < target.length; i++) {
    value += target[i] * factor
    target[i] = value
  }
}

/** A way to write an array. */
interface Way {
  readonly coding: number
  readonly bytes: () => Uint8Array
}

function* waysOf(array: Elements): Generator<Way> {
  if (array instanceof Float64Array) {
    const steps = stepsOf(array)
    const decimals = steps === undefined ? toDecimals(array) : undefined
    if (steps !== undefined) yield { coding: coding.steps, bytes: () => toSteps(steps) }
    else if (decimals !== undefined) yield { coding: coding.decimals, bytes: () => decimals }
    else yield { coding: coding.planes, bytes: () => toPlanes(bytesOf(array), 8) }
  } else if (array instanceof Uint8Array) yield { coding: coding.plain, bytes: () => array }
  else {
    yield { coding: coding.planes, bytes: () => toPlanes(bytesOf(array), array.BYTES_PER_ELEMENT) }
    yield { coding: coding.deltas, bytes: () => toDeltas(array) }
  }
}

/** Ways that are taken where they are asked for only. */
function* namedWays(array: Elements): Generator<Way> {
  if (!(array instanceof Uint8Array)) yield { coding: coding.plain, bytes: () => bytesOf(array) }
  if (array instanceof Uint16Array) yield { coding: coding.ascents, bytes: () => toAscents(array) }
}

/** The way by bits, which needs no unpacking; `undefined` for arrays that have none. */
function wayByBits(array: Elements): Way | undefined {
  if (array instanceof Float64Array) {
    const steps = stepsOf(array)
    return steps && { coding: coding.stepBits, bytes: () => toStepBits(steps) }
  }
  return array instanceof Int32Array ? undefined : { coding: coding.bits, bytes: () => toBits(array) }
}

export interface StoredBytes extends PackedBytes {
  readonly coding: number
  readonly plainBytes: number
}

/** The best way to write a long array is that for so many elements of its middle, so that all of it is packed once only. */
const SAMPLE_ELEMENTS = 4096

function bestCoding(array: Elements): number | undefined {
  if (array.length < SAMPLE_ELEMENTS * 4 || array instanceof Float64Array || array instanceof Uint8Array)
    return undefined
  const from = (array.length - SAMPLE_ELEMENTS) >>> 1
  return codedAndPacked(array.subarray(from, from + SAMPLE_ELEMENTS)).coding
}

/** The shortest of the ways to write an array, or the one that is named. */
export function codedAndPacked(array: Elements, named = bestCoding(array)): StoredBytes {
  let best: StoredBytes | undefined
  const all = named === undefined ? waysOf(array) : [...waysOf(array), ...namedWays(array)]
  for (const { coding: kind, bytes: made } of all) {
    if (named !== undefined && kind !== named) continue
    const bytes = made()
    const tried = packed(bytes)
    if (best === undefined || tried.bytes.length < best.bytes.length)
      best = { ...tried, coding: kind, plainBytes: bytes.length }
  }
  return present(best, 'a way to write an array')
}

/** How many elements a piece has. */
export interface PieceSizes {
  /** Where nothing has to be unpacked. */
  readonly bits: number
  /** Where unpacking costs something a piece, however short it is; of elements of one byte twice as many. */
  readonly packed: number
}

/** Unpacking 8,192 elements takes 30 µs, 4,096 take 25; of all arrays of bench rows 0.1 B a row is what shorter pieces would cost. */
export const pieceSizes: PieceSizes = { bits: 4096, packed: 8192 }

/** Bits may take so many bytes an element more than what is packed: a row is taken out of them in a tenth of the time. */
const MOST_MORE_BYTES = 0.1

function byBits(array: Elements): StoredBytes | undefined {
  const way = wayByBits(array)
  const bytes = way?.bytes()
  return way && bytes && { packing: packing.none, bytes, coding: way.coding, plainBytes: bytes.length }
}

/** An array in pieces, written in the way that is best for the one in its middle; `undefined` for one too short for two pieces. */
export function codedPieces(
  array: Elements,
  sizes: PieceSizes,
): { readonly elements: number; readonly pieces: readonly StoredBytes[] } | undefined {
  const count = Math.min(sizes.bits, sizes.packed)
  if (array.length <= count) return undefined
  const middle = (array.length - count) >>> 1
  const sample = array.subarray(middle, middle + count)
  const inBits = byBits(sample)
  const best = codedAndPacked(sample)
  const spare = inBits?.coding === coding.bits ? count * MOST_MORE_BYTES : 0
  const isByBits = inBits !== undefined && inBits.bytes.length <= best.bytes.length + spare
  const elements = isByBits ? sizes.bits : array instanceof Uint8Array ? sizes.packed * 2 : sizes.packed
  if (array.length <= elements) return undefined
  const named = array instanceof Float64Array ? undefined : best.coding
  const pieces: StoredBytes[] = []
  for (let from = 0; from < array.length; from += elements) {
    const piece = array.subarray(from, from + elements)
    pieces.push((isByBits ? byBits(piece) : undefined) ?? codedAndPacked(piece, named))
  }
  return { elements, pieces }
}

export function emptyArray(type: ElementType, length: number): Elements {
  switch (type) {
    case 'u8':
      return new Uint8Array(length)
    case 'u16':
      return new Uint16Array(length)
    case 'u32':
      return new Uint32Array(length)
    case 'i32':
      return new Int32Array(length)
    case 'f64':
      return new Float64Array(length)
  }
}

/** Whether so many bytes, with this beginning, are `length` elements of a type. */
function isLengthOf(bytes: Buffer, kind: number, type: ElementType, length: number): boolean {
  switch (kind) {
    case coding.plain:
    case coding.planes:
    case coding.deltas:
      return bytes.length === length * elementBytes[type]
    case coding.ascents:
      return type === 'u16' && bytes.length === length * 2
    case coding.decimals:
    case coding.steps:
      return bytes.length >= NUMBER_HEAD && bytes[1] <= 7 && bytes.length === NUMBER_HEAD + length * bytes[1]
    case coding.bits:
      if (bytes.length < BITS_HEAD || bytes[0] > elementBytes[type] * 8) return false
      return bytes.length === BITS_HEAD + bitsLength(length, bytes[0])
    case coding.stepBits:
      if (bytes.length < NUMBER_HEAD || bytes[1] > 53) return false
      return bytes.length === NUMBER_HEAD + bitsLength(length, bytes[1])
    default:
      return false
  }
}

function decodeDoubles(bytes: Buffer, kind: number, target: Float64Array): boolean {
  if (kind === coding.decimals) fromDecimals(bytes, target)
  else if (kind === coding.steps) {
    fromNumberPlanes(bytes, target)
    fromSteps(bytes, target)
  } else if (kind === coding.stepBits) {
    fromStepBits(bytes, target)
  } else return false
  return true
}

function decodeIntegers(bytes: Buffer, kind: number, target: Exclude<Elements, Float64Array>): boolean {
  if (kind === coding.bits) {
    if (target instanceof Int32Array) return false
    fromBits(bytes, target)
  } else if (kind === coding.deltas && !(target instanceof Uint8Array)) {
    fromPlanes(bytes, target.BYTES_PER_ELEMENT, bytesOf(target))
    fromDeltas(target instanceof Int32Array ? new Uint32Array(target.buffer, target.byteOffset, target.length) : target)
  } else if (kind === coding.ascents && target instanceof Uint16Array) {
    fromPlanes(bytes, 2, bytesOf(target))
    fromAscents(target)
  } else return false
  return true
}

/** Fills an array with what was written as `bytes`; false when they are not one of its type and length. */
export function decodeInto(bytes: Buffer, kind: number, target: Elements): boolean {
  if (!isLengthOf(bytes, kind, typeOf(target), target.length)) return false
  if (kind === coding.plain) bytesOf(target).set(bytes)
  else if (kind === coding.planes) fromPlanes(bytes, target.BYTES_PER_ELEMENT, bytesOf(target))
  else if (target instanceof Float64Array) return decodeDoubles(bytes, kind, target)
  else return decodeIntegers(bytes, kind, target)
  return true
}

/** The array that was written as `bytes`; `undefined` when they are not one of this type and length. */
export function decodedArray(bytes: Buffer, kind: number, type: ElementType, length: number): Elements | undefined {
  if (!isLengthOf(bytes, kind, type, length)) return undefined
  const target = emptyArray(type, length)
  return decodeInto(bytes, kind, target) ? target : undefined
}
