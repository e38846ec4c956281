/** Scratch memory to access the bits of a double as two 32-bit integers. */

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
/** The index of the 32-bit half with sign and exponent. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0
const LOW = 1 - HIGH

/** The natural logarithm of 2 in two parts. Products of `high` with exponents are exact; `low` is the remainder. */
export const LN2 = { high: 0.6931471803691238, low: 1.9082149292705877e-10 } as const

/** Computes c₀ + x·(c₁ + x·(c₂ + …)), starting with the last coefficient. */
export function polynomial(x: number, coefficients: readonly number[]): number {
  let sum = 0
  for (let i = coefficients.length - 1; i >= 0; i--) sum = (coefficients[i] ?? 0) + x * sum
  return sum
}

/** Returns the upper 32 bits: sign, exponent and the first 20 fraction bits. */
export function highWord(value: number): number {
  float[0] = value
  return words[HIGH] ?? 0
}

/** Returns `value` with its upper 32 bits replaced by `high`. */
export function withHighWord(value: number, high: number): number {
  float[0] = value
  words[HIGH] = high
  return float[0]
}

export function isLastBitSet(value: number): boolean {
  float[0] = value
  return ((words[LOW] ?? 0) & 1) === 1
}

/** Returns the next double after a finite non-zero value, away from 0 or toward it. */
export function neighbour(value: number, isFurther: boolean): number {
  float[0] = value
  const low = words[LOW] ?? 0
  const high = words[HIGH] ?? 0
  if (isFurther) {
    words[LOW] = low + 1
    if (low === 0xffffffff) words[HIGH] = high + 1
  } else {
    words[LOW] = low - 1
    if (low === 0) words[HIGH] = high - 1
  }
  return float[0]
}

/** Returns e for a finite non-zero value f·2^e with ½ ≤ |f| < 1. */
export function binaryExponent(value: number): number {
  const field = (highWord(value) >>> 20) & 0x7ff
  return field === 0 ? ((highWord(value * 2 ** 52) >>> 20) & 0x7ff) - 1022 - 52 : field - 1022
}

/** Returns f for a finite non-zero value f·2^e with ½ ≤ |f| < 1. */
export function binaryFraction(value: number): number {
  const field = (highWord(value) >>> 20) & 0x7ff
  const normal = field === 0 ? value * 2 ** 52 : value
  return withHighWord(normal, (highWord(normal) & 0x800fffff) | 0x3fe00000)
}

/** Returns 2^e for −1022 ≤ e ≤ 1023. */
function powerOfTwo(exponent: number): number {
  return withHighWord(0, (exponent + 1023) << 20)
}

/** Returns value·2^exponent, rounded once. */
export function scaled(value: number, exponent: number): number {
  if (value === 0 || !(Math.abs(value) < Infinity)) return value
  const total = exponent + binaryExponent(value) - 1
  if (total > 1023) return value < 0 ? -Infinity : Infinity
  if (total < -1075) return value < 0 ? -0 : 0
  const significand = binaryFraction(value) * 2
  return total < -1022 ? significand * powerOfTwo(total + 53) * 2 ** -53 : significand * powerOfTwo(total)
}

/** Returns a value rounded to half of its significant bits, so that products of such halves are exact. */
export function upperHalf(value: number): number {
  const scaled = value * (2 ** 27 + 1)
  return scaled - (scaled - value)
}

/** Returns the rounding error of `product`, which is `a * b` as a double: the sum of both is the exact product. */
export function lostOfProduct(a: number, b: number, product: number): number {
  const aHigh = upperHalf(a)
  const aLow = a - aHigh
  const bHigh = upperHalf(b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/**
 * Returns a·b + c with a single rounding. Products must not overflow or be much smaller than normal numbers. Product
 * and sum are split without loss; the lower part is rounded to odd, so that the last addition rounds like the exact
 * result.
 */
export function multiplyAdd(a: number, b: number, c: number): number {
  const product = a * b
  const lost = lostOfProduct(a, b, product)
  const small = c + lost
  const smallRest = lost - (small - c) + (c - (small - (small - c)))
  const large = product + small
  const largeRest = small - (large - product) + (product - (large - (large - product)))
  let rest = largeRest + smallRest
  const beyond = smallRest - (rest - largeRest) + (largeRest - (rest - (rest - largeRest)))
  if (beyond !== 0 && !isLastBitSet(rest)) rest = neighbour(rest, beyond > 0 === rest > 0)
  return large + rest
}
