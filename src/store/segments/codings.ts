import { present } from '../../base/index.ts'
import { coding, type ElementType } from './layout.ts'
import { packed, type PackedBytes } from './packing.ts'

export type Elements = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

export const elementBytes: { readonly [T in ElementType]: number } = { u8: 1, u16: 2, u32: 4, i32: 4, f64: 8 }

export function typeOf(array: Elements): ElementType {
  if (array instanceof Uint8Array) return 'u8'
  if (array instanceof Uint16Array) return 'u16'
  if (array instanceof Uint32Array) return 'u32'
  return array instanceof Int32Array ? 'i32' : 'f64'
}

export interface CodedBytes {
  readonly coding: number
  readonly bytes: Uint8Array
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
  for (let plane = 0, factor = 1; plane < width; plane++, factor *= 256) {
    const from = NUMBER_HEAD + plane * count
    if (plane === 0) for (let i = 0; i < count; i++) target[i] = bytes[from + i]
    else for (let i = 0; i < count; i++) target[i] += bytes[from + i] * factor
  }
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

/** Ascending integers as differences; `undefined` for other doubles. */
function toSteps(values: Float64Array): Uint8Array | undefined {
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
  return numberPlanes(steps, most / factor, (bytes) => {
    bytes.writeDoubleLE(values[0], 8)
    bytes.writeDoubleLE(factor, 16)
  })
}

function fromSteps(bytes: Buffer, target: Float64Array): void {
  fromNumberPlanes(bytes, target)
  const factor = bytes.readDoubleLE(16)
  let value = bytes.readDoubleLE(8)
  for (let i = 0; i < target.length; i++) {
    value += target[i] * factor
    target[i] = value
  }
}

function* codingsOf(array: Elements): Generator<CodedBytes> {
  if (array instanceof Float64Array) {
    const steps = toSteps(array)
    if (steps !== undefined) yield { coding: coding.steps, bytes: steps }
    const decimals = steps === undefined ? toDecimals(array) : undefined
    if (decimals !== undefined) yield { coding: coding.decimals, bytes: decimals }
    if (steps === undefined && decimals === undefined)
      yield { coding: coding.planes, bytes: toPlanes(bytesOf(array), 8) }
  } else if (array instanceof Uint8Array) yield { coding: coding.plain, bytes: array }
  else {
    yield { coding: coding.planes, bytes: toPlanes(bytesOf(array), array.BYTES_PER_ELEMENT) }
    yield { coding: coding.deltas, bytes: toDeltas(array) }
  }
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
export function codedAndPacked(array: Elements, named?: number): StoredBytes {
  let best: StoredBytes | undefined
  const only = named ?? bestCoding(array)
  const all = only === coding.plain ? [{ coding: only, bytes: bytesOf(array) }] : codingsOf(array)
  for (const { coding: kind, bytes } of all) {
    if (only !== undefined && kind !== only) continue
    const tried = packed(bytes)
    if (best === undefined || tried.bytes.length < best.bytes.length)
      best = { ...tried, coding: kind, plainBytes: bytes.length }
  }
  return present(best, 'a way to write an array')
}

function emptyArray(type: ElementType, length: number): Elements {
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

/** The array that was written as `bytes`; `undefined` when they are not one of this type and length. */
export function decodedArray(bytes: Buffer, kind: number, type: ElementType, length: number): Elements | undefined {
  const width = elementBytes[type]
  if (kind === coding.decimals || kind === coding.steps) {
    if (type !== 'f64' || bytes.length < NUMBER_HEAD || bytes[1] > 7) return undefined
    if (bytes.length !== NUMBER_HEAD + length * bytes[1]) return undefined
    const target = new Float64Array(length)
    if (kind === coding.decimals) fromDecimals(bytes, target)
    else fromSteps(bytes, target)
    return target
  }
  if (bytes.length !== length * width) return undefined
  const target = emptyArray(type, length)
  if (kind === coding.plain) bytesOf(target).set(bytes)
  else if (kind === coding.planes) fromPlanes(bytes, width, bytesOf(target))
  else if (kind === coding.deltas && (target instanceof Uint16Array || target instanceof Uint32Array)) {
    fromPlanes(bytes, width, bytesOf(target))
    fromDeltas(target)
  } else if (kind === coding.deltas && target instanceof Int32Array) {
    const folded = new Uint32Array(target.buffer)
    fromPlanes(bytes, width, bytesOf(target))
    fromDeltas(folded)
  } else return undefined
  return target
}
