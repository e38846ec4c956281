import { MAX_DIGITS } from '../segments/index.ts'
import { chunkMode } from './layout.ts'

/** Maps a signed integer to an unsigned one so that small absolute values stay small (zigzag encoding). */
export function folded(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

/** Reverses `folded`, without the remainder operation, which is slow for doubles. */
export function unfolded(value: number): number {
  const half = Math.floor(value / 2)
  return 2 * half === value ? half : -half - 1
}

/** Below this absolute value, integers and their folded differences are exact as doubles. */
const LARGEST = 2 ** 51

/** A buffer that is reused for each chunk, so that fewer arrays are allocated. */
class Numbers {
  #numbers = new Float64Array(0)

  take(count: number): Float64Array {
    if (this.#numbers.length < count) this.#numbers = new Float64Array(count)
    return this.#numbers.subarray(0, count)
  }
}

const scaledNumbers = new Numbers()
const onceNumbers = new Numbers()
const twiceNumbers = new Numbers()

/** The values of a chunk as integers over one power of ten: a value is an integer divided by this power. */
export interface DecimalChunk {
  readonly mode: number
  readonly first: number
  /**
   * One number per sample: a folded difference, or 0 for the first sample. The array is overwritten by the next chunk.
   */
  readonly numbers: Float64Array
}

function isMarker(value: number, staleness: Uint8Array | undefined, at: number): boolean {
  return value !== value && staleness?.[at] === 1
}

/**
 * Writes the values, multiplied by a power of ten, as integers to `scaled`, and returns the exponent as `digits`.
 * Returns `undefined` if a value is -0, is too large, or has too many decimal places.
 */
function scaledInto(
  scaled: Float64Array,
  values: Float64Array,
  staleness: Uint8Array | undefined,
): { readonly digits: number; readonly hasMarkers: boolean } | undefined {
  let hasMarkers = false
  let digits = 0
  let power = 1
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    // Most values are integers and need no division.
    const number = digits === 0 ? Math.floor(value) : Math.round(value * power)
    if ((digits === 0 ? number : number / power) === value) {
      if (!(Math.abs(number) < LARGEST) || (value === 0 && 1 / value < 0)) return undefined
      scaled[i] = number
    } else if (isMarker(value, staleness, i)) hasMarkers = true
    else {
      if (++digits > MAX_DIGITS || !(Math.abs(value) < LARGEST)) return undefined
      power *= 10
      // All values are checked again: a value that is exact with fewer places may not be exact with more.
      i = -1
    }
  }
  return { digits, hasMarkers }
}

/**
 * Encodes the values of a chunk as decimals; returns `undefined` if that is impossible. Staleness markers whose value
 * is NaN are left out.
 */
export function decimalChunk(values: Float64Array, staleness: Uint8Array | undefined): DecimalChunk | undefined {
  const count = values.length
  const scaled = scaledNumbers.take(count)
  const found = scaledInto(scaled, values, staleness)
  if (found === undefined) return undefined
  const { digits, hasMarkers } = found
  const once = onceNumbers.take(count).fill(0)
  const twice = twiceNumbers.take(count).fill(0)
  let onceSum = 0
  let twiceSum = 0
  let first: number | undefined
  let before = 0
  let step = 0
  for (let i = 0; i < count; i++) {
    if (hasMarkers && isMarker(values[i], staleness, i)) continue
    const number = scaled[i]
    if (first === undefined) {
      first = number
      before = number
      continue
    }
    const difference = number - before
    once[i] = folded(difference)
    twice[i] = folded(difference - step)
    if (!(once[i] < 2 * LARGEST)) return undefined
    onceSum += once[i]
    twiceSum += twice[i]
    before = number
    step = difference
  }
  const isTwice = twiceSum < onceSum
  const mode = digits | chunkMode.isDecimal | (isTwice ? chunkMode.isTwice : 0)
  return {
    mode: hasMarkers ? mode | chunkMode.hasStaleNan : mode,
    first: first ?? 0,
    numbers: isTwice ? twice : once,
  }
}

/** Decodes the values of a chunk to `target`. */
export function readDecimals(
  { mode, first, numbers }: DecimalChunk,
  staleness: Uint8Array | undefined,
  target: Float64Array,
): void {
  const power = 10 ** (mode & chunkMode.digits)
  const isTwice = (mode & chunkMode.isTwice) !== 0
  const passes = (mode & chunkMode.hasStaleNan) !== 0
  let hasBegun = false
  let value = first
  let step = 0
  for (let i = 0; i < target.length; i++) {
    if (passes && staleness?.[i] === 1) {
      target[i] = NaN
      continue
    }
    if (hasBegun) {
      const number = unfolded(numbers[i])
      step = isTwice ? step + number : number
      value += step
    }
    hasBegun = true
    target[i] = value / power
  }
}

/** Splits doubles into high and low halves, each XORed with that of the previous value. */
export function toHalves(values: Float64Array): { readonly high: Uint32Array; readonly low: Uint32Array } {
  const bits = new Uint32Array(values.slice().buffer)
  const high = new Uint32Array(values.length)
  const low = new Uint32Array(values.length)
  for (let i = 0; i < values.length; i++) {
    low[i] = i === 0 ? bits[0] : bits[2 * i] ^ bits[2 * i - 2]
    high[i] = i === 0 ? bits[1] : bits[2 * i + 1] ^ bits[2 * i - 1]
  }
  return { high, low }
}

export function fromHalves(high: Uint32Array, low: Uint32Array): Float64Array {
  const values = new Float64Array(high.length)
  const bits = new Uint32Array(values.buffer)
  for (let i = 0; i < high.length; i++) {
    bits[2 * i] = i === 0 ? low[0] : low[i] ^ bits[2 * i - 2]
    bits[2 * i + 1] = i === 0 ? high[0] : high[i] ^ bits[2 * i - 1]
  }
  return values
}
