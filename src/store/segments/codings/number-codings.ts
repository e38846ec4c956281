import { headBytes } from '../layout.ts'
import { SAFE_INTEGERS } from '../../../base/index.ts'
import { bitsLength, lowBytesOf, numbersOf, readBits, widthOf, writeBits } from './bit-codings.ts'

/** Encodes unsigned integers below 2^53 as byte planes. `head` writes the bytes before the planes. */
function numberPlanes(numbers: Float64Array, most: number, head: (bytes: Buffer) => void): Uint8Array {
  let width = 1
  while (width < 7 && most >= 2 ** (width * 8)) width++
  const count = numbers.length
  const bytes = Buffer.alloc(headBytes.numbers + count * width)
  head(bytes)
  bytes[1] = width
  // The shift drops all bits above the lowest 32, so no remainder of doubles is needed.
  for (let plane = 0, at = headBytes.numbers; plane < width; plane++)
    if (plane < 4) for (let i = 0, shift = plane * 8; i < count; i++, at++) bytes[at] = numbers[i] >>> shift
    else for (let i = 0, shift = plane * 8 - 32; i < count; i++, at++) bytes[at] = (numbers[i] / 2 ** 32) >>> shift
  return bytes
}

export function fromNumberPlanes(bytes: Buffer, target: Float64Array): void {
  const width = bytes[1]
  const count = target.length
  const first = headBytes.numbers
  const second = first + count
  const third = second + count
  // Fast paths for up to three planes, which most numbers have.
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

/** Maximum number of decimal places for doubles that are stored as integers. */
export const MAX_DIGITS = 6

/** Encodes doubles that are integers divided by one power of ten, or NaN. Returns `undefined` for other doubles. */
export function toDecimals(values: Float64Array): Uint8Array | undefined {
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
    // Fast path, since most numbers are positive integers.
    const isWhole = digits === 0 && Math.floor(value) === value && value > 0 && value < SAFE_INTEGERS
    if (isWhole) {
      if (value < min) min = value
      if (value > max) max = value
      continue
    }
    for (;;) {
      const scaled = Math.round(value * power)
      if (!(Math.abs(scaled) < SAFE_INTEGERS) || Object.is(value, -0)) return undefined
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
  if (!(most < SAFE_INTEGERS) || Math.abs(Math.round(max * power)) >= SAFE_INTEGERS || Math.abs(base) >= SAFE_INTEGERS)
    return undefined
  const numbers = new Float64Array(values.length)
  if (digits === 0 && !isNanAmong) for (let i = 0; i < values.length; i++) numbers[i] = values[i] - base
  else
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

export function fromDecimals(bytes: Buffer, target: Float64Array): void {
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

/** Ascending integers, described by the first one and by the differences as multiples of a factor. */
interface Steps {
  readonly first: number
  readonly factor: number
  readonly multiples: Float64Array
  readonly most: number
}

/** Returns the steps of ascending integers; `undefined` for other doubles. */
export function stepsOf(values: Float64Array): Steps | undefined {
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

export function toSteps({ first, factor, multiples, most }: Steps): Uint8Array {
  return numberPlanes(multiples, most, (bytes) => {
    bytes.writeDoubleLE(first, 8)
    bytes.writeDoubleLE(factor, 16)
  })
}

export function toStepBits({ first, factor, multiples, most }: Steps): Uint8Array {
  const count = multiples.length
  const width = widthOf(most)
  const low = lowBytesOf(width)
  const unit = 256 ** low
  const bytes = Buffer.alloc(headBytes.numbers + bitsLength(count, width))
  bytes[1] = width
  bytes.writeDoubleLE(first, 8)
  bytes.writeDoubleLE(factor, 16)
  const numbers = numbersOf(count)
  for (let i = 0; i < count; i++) numbers[i] = Math.floor(multiples[i] / unit)
  writeBits(numbers, count, width - low * 8, bytes, headBytes.numbers)
  for (let plane = 0, at = bytes.length - low * count; plane < low; plane++) {
    const below = 256 ** plane
    for (let i = 0; i < count; i++) bytes[at++] = Math.floor(multiples[i] / below) % 256
  }
  return bytes
}

export function fromStepBits(bytes: Buffer, target: Float64Array): void {
  const count = target.length
  const low = lowBytesOf(bytes[1])
  const unit = 256 ** low
  const factor = bytes.readDoubleLE(16)
  const numbers = numbersOf(count)
  readBits(bytes, headBytes.numbers, bytes[1] - low * 8, numbers, count)
  const planes = bytes.length - low * count
  let value = bytes.readDoubleLE(8)
  if (low <= 1) {
    // Fast path, since the multiples of times mostly have one low byte.
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

/** Decodes ascending integers in place: `target` has the multiples first, and the integers afterwards. */
export function fromSteps(bytes: Buffer, target: Float64Array): void {
  const factor = bytes.readDoubleLE(16)
  let value = bytes.readDoubleLE(8)
  for (let i = 0; i < target.length; i++) {
    value += target[i] * factor
    target[i] = value
  }
}
