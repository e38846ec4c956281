import { LN2, binaryExponent, binaryFraction, highWord, polynomial, withHighWord } from './binary.ts'

/** Coefficients of the polynomial for ln(1 + f) in s = f/(2 + f). */
const LOG = [
  0.6666666666666735, 0.3999999999940942, 0.2857142874366239, 0.22222198432149784, 0.1818357216161805,
  0.15313837699209373, 0.14798198605116586,
]
const ODD = LOG.filter((_, index) => index % 2 === 0)
const EVEN = LOG.filter((_, index) => index % 2 === 1)

/** Returns the natural logarithm: x = (1 + f)·2^k with √½ ≤ 1 + f < √2, and ln(1 + f) by a polynomial in f/(2 + f). */
export function log(x: number): number {
  if (x !== x || x === Infinity) return x
  if (x <= 0) return x === 0 ? -Infinity : NaN
  // For subnormal numbers the exponent field is used without normalization, as Go's fast version does.
  const isNormal = highWord(x) >>> 20 !== 0
  let k = isNormal ? binaryExponent(x) : -1022
  let fraction = isNormal ? binaryFraction(x) : withHighWord(x, (highWord(x) & 0xfffff) | 0x3fe00000)
  if (fraction <= Math.SQRT1_2) {
    fraction *= 2
    k--
  }
  const f = fraction - 1
  const s = f / (2 + f)
  const s2 = s * s
  const s4 = s2 * s2
  const odd = s2 * polynomial(s4, ODD)
  const even = s4 * polynomial(s4, EVEN)
  const half = 0.5 * f * f
  return k * LN2.high - (half - (s * (half + (odd + even)) + k * LN2.low) - f)
}

/** Returns the logarithm to base 2; exact for powers of two. */
export function log2(x: number): number {
  if (!(x > 0) || x === Infinity) return log(x)
  const fraction = binaryFraction(x)
  const exponent = binaryExponent(x)
  return fraction === 0.5 ? exponent - 1 : log(fraction) * Math.LOG2E + exponent
}

/** Returns the logarithm to base 10. */
export function log10(x: number): number {
  return log(x) * Math.LOG10E
}

/** √½ − 1 and √2 − 1. Between them 1 + x needs no range reduction. */
const NEAR_ONE = { from: -0.2928932188134525, to: 0.41421356237309503 } as const

/** Returns ln(1 + x), also for small x. */
export function log1p(x: number): number {
  if (x !== x || x < -1) return NaN
  if (x === -1) return -Infinity
  if (x === Infinity) return Infinity
  const size = Math.abs(x)
  if (size < 2 ** -29) return size < 2 ** -54 ? x : x - x * x * 0.5
  let k = 0
  let f = x
  let correction = 0
  let isTiny = false
  if (size >= NEAR_ONE.to || x <= NEAR_ONE.from) {
    let u = x
    if (size < 2 ** 53) {
      u = 1 + x
      k = (highWord(u) >>> 20) - 1023
      correction = (k > 0 ? 1 - (u - x) : x - (u - 1)) / u
    } else {
      k = (highWord(u) >>> 20) - 1023
    }
    u = withHighWord(u, (highWord(u) & 0xfffff) | 0x3ff00000)
    if (u >= Math.SQRT2) {
      k++
      u /= 2
    }
    f = u - 1
    isTiny = f === 0 || (u < 1 && isNextToOne(u))
  }
  const half = 0.5 * f * f
  if (isTiny) {
    if (f === 0) return k === 0 ? 0 : k * LN2.high + (correction + k * LN2.low)
    const rest = half * (1 - 0.6666666666666666 * f)
    return k === 0 ? f - rest : k * LN2.high - (rest - (k * LN2.low + correction) - f)
  }
  const s = f / (2 + f)
  const z = s * s
  const rest = z * polynomial(z, LOG)
  if (k === 0) return f - (half - s * (half + rest))
  return k * LN2.high - (half - (s * (half + rest) + (k * LN2.low + correction)) - f)
}

/** Returns whether u, in [√½, 1), is fewer than four doubles below 1. Go truncates this distance to zero. */
function isNextToOne(u: number): boolean {
  return (1 - u) * 2 ** 53 < 4
}
