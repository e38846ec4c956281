import { chunkMode } from './layout.ts'

/** Small numbers of either sign as small numbers. */
export function folded(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

export function unfolded(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}

const MAX_DIGITS = 6
/** Folded differences stay whole numbers that a double has exactly. */
const LARGEST = 2 ** 51

/** The values of a chunk as whole numbers over a power of ten. */
export interface DecimalChunk {
  readonly mode: number
  readonly first: number
  /** One a sample, that of the first 0. */
  readonly numbers: Float64Array
}

/** `undefined` where values are not decimals of few digits. Staleness markers that are NaN are passed over. */
export function decimalChunk(values: Float64Array, staleness: Uint8Array | undefined): DecimalChunk | undefined {
  const count = values.length
  const isMarker = (i: number): boolean => staleness?.[i] === 1 && values[i] !== values[i]
  let hasStaleNan = false
  let digits = 0
  let power = 1
  for (let i = 0; i < count; i++) {
    const value = values[i]
    if (isMarker(i)) {
      hasStaleNan = true
      continue
    }
    if (Object.is(value, -0)) return undefined
    for (;;) {
      const scaled = Math.round(value * power)
      if (!(Math.abs(scaled) < LARGEST)) return undefined
      if (scaled / power === value) break
      if (++digits > MAX_DIGITS) return undefined
      power *= 10
    }
  }
  const once = new Float64Array(count)
  const twice = new Float64Array(count)
  let onceSum = 0
  let twiceSum = 0
  let first: number | undefined
  let before = 0
  let step = 0
  for (let i = 0; i < count; i++) {
    if (hasStaleNan && isMarker(i)) continue
    const scaled = Math.round(values[i] * power)
    // More digits than a value needs may not give it back.
    if (!(Math.abs(scaled) < LARGEST) || scaled / power !== values[i] || Object.is(scaled, -0)) return undefined
    if (first === undefined) {
      first = scaled
      before = scaled
      continue
    }
    const difference = scaled - before
    once[i] = folded(difference)
    twice[i] = folded(difference - step)
    if (!(once[i] < 2 * LARGEST)) return undefined
    onceSum += once[i]
    twiceSum += twice[i]
    before = scaled
    step = difference
  }
  const isTwice = twiceSum < onceSum
  const mode = digits | chunkMode.isDecimal | (isTwice ? chunkMode.isTwice : 0)
  return {
    mode: hasStaleNan ? mode | chunkMode.hasStaleNan : mode,
    first: first ?? 0,
    numbers: isTwice ? twice : once,
  }
}

/** Writes the values of a chunk over `target`, from what `decimalChunk` made of them. */
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

/** Doubles as high and low halves, each combined with the one before by exclusive or. */
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
