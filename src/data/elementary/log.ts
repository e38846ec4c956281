import { LN2_HIGH, LN2_LOW, binaryExponent, binaryFraction, highWord, withHighWord } from './binary.ts'

const L1 = 0.6666666666666735
const L2 = 0.3999999999940942
const L3 = 0.2857142874366239
const L4 = 0.22222198432149784
const L5 = 0.1818357216161805
const L6 = 0.15313837699209373
const L7 = 0.14798198605116586

/** The natural logarithm: x = (1 + f)·2^k with √½ ≤ 1 + f < √2, and ln(1 + f) by a polynomial in f/(2 + f). */
export function log(x: number): number {
  if (x !== x || x === Infinity) return x
  if (x <= 0) return x === 0 ? -Infinity : NaN
  // Numbers below the normal ones have the exponent of their zeroes, as in the reference's fast form.
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
  const odd = s2 * (L1 + s4 * (L3 + s4 * (L5 + s4 * L7)))
  const even = s4 * (L2 + s4 * (L4 + s4 * L6))
  const half = 0.5 * f * f
  return k * LN2_HIGH - (half - (s * (half + (odd + even)) + k * LN2_LOW) - f)
}

/** The logarithm to base 2; exact for powers of two. */
export function log2(x: number): number {
  if (!(x > 0) || x === Infinity) return log(x)
  const fraction = binaryFraction(x)
  const exponent = binaryExponent(x)
  return fraction === 0.5 ? exponent - 1 : log(fraction) * Math.LOG2E + exponent
}

/** The logarithm to base 10. */
export function log10(x: number): number {
  return log(x) * Math.LOG10E
}

const SQRT2_LESS_1 = 0.41421356237309503
const SQRT_HALF_LESS_1 = -0.2928932188134525

/** ln(1 + x), also for small x. */
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
  if (size >= SQRT2_LESS_1 || x <= SQRT_HALF_LESS_1) {
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
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + (correction + k * LN2_LOW)
    const rest = half * (1 - 0.6666666666666666 * f)
    return k === 0 ? f - rest : k * LN2_HIGH - (rest - (k * LN2_LOW + correction) - f)
  }
  const s = f / (2 + f)
  const z = s * s
  const rest = z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + z * (L6 + z * L7))))))
  if (k === 0) return f - (half - s * (half + rest))
  return k * LN2_HIGH - (half - (s * (half + rest) + (k * LN2_LOW + correction)) - f)
}

/** Whether 2^54·(1 − u) for u in [√½, 1) cuts to nothing when divided by four, as it stands in the last bits. */
function isNextToOne(u: number): boolean {
  return (1 - u) * 2 ** 53 < 4
}
