import { LN2, multiplyAdd, polynomial, scaled } from './binary.ts'

/** ln 2 in two parts; n times the first is exact. */
const EXP_LN2 = { high: 0.693147180559663, low: 2.8235290563031577e-13 } as const
const OVERFLOW = 709.782712893384
/**
 * Coefficients of the Taylor series of e^r − 1 in the order of evaluation, after `SMALLEST` (1/8!): 1/7!, … 1/3!, ½, 1.
 */
const TAYLOR = [1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5, 1] as const
const SMALLEST = 1 / 40320
const ROUNDING = 2 ** 52 + 2 ** 51

/**
 * Returns e^x with exactly the bits that Go computes on processors with a fused multiply-add. With x = n·ln 2 + 16·r,
 * e^r − 1 is its Taylor series, e^r is squared four times, and the result is multiplied by 2^n.
 */
export function exp(x: number): number {
  if (x !== x || x === Infinity) return x
  if (x > OVERFLOW) return Infinity
  if (x < -800) return 0
  const n = x * Math.LOG2E + ROUNDING - ROUNDING
  const r = multiplyAdd(-n, EXP_LN2.low, x - n * EXP_LN2.high) * 0.0625
  let sum = SMALLEST
  for (const term of TAYLOR) sum = multiplyAdd(sum, r, term)
  let y = r * sum
  for (let i = 0; i < 3; i++) y *= 2 + y
  const result = multiplyAdd(2 + y, y, 1)
  // Near the overflow limit n is 1024. Go then returns infinity although the result would be finite.
  if (n > 1023) return Infinity
  return n < -1075 ? 0 : scaled(result, n)
}

/** Coefficients of the polynomial p in t − t²·p(t²), from which e^t is computed. */
const EXP2 = [
  0.16666666666666666, -0.0027777777777015593, 6.613756321437934e-5, -1.6533902205465252e-6, 4.1381367970572385e-8,
]

/** Returns 2^x: splits x into k + t and computes e^(t·ln 2) by a rational function. */
export function exp2(x: number): number {
  if (x !== x || x === Infinity) return x
  if (x > 1023.9999999999999) return Infinity
  if (x < -1074) return 0
  const k = Math.trunc(x > 0 ? x + 0.5 : x - 0.5)
  const t = x - k
  const high = t * LN2.high
  const low = -t * LN2.low
  const r = high - low
  const square = r * r
  const c = r - square * polynomial(square, EXP2)
  return scaled(1 - (low - (r * c) / (2 - c) - high), k)
}
