import { binaryExponent, binaryFraction, scaled } from './binary.ts'
import { exp } from './exp.ts'
import { log } from './log.ts'

function isOdd(y: number): boolean {
  return Math.abs(y % 2) === 1
}

/** Returns the power if x is 0 or infinite, or y is infinite; `undefined` otherwise. */
function specialPower(x: number, y: number): number | undefined {
  if (y === 0 || x === 1) return 1
  if (y === 1) return x
  if (x !== x || y !== y) return NaN
  if (x === 0) {
    if (y < 0) return isOdd(y) ? 1 / x : Infinity
    return isOdd(y) ? x : 0
  }
  if (y === Infinity || y === -Infinity) {
    if (x === -1) return 1
    return Math.abs(x) < 1 === y > 0 ? 0 : Infinity
  }
  if (x === -Infinity) return specialPower(-0, -y)
  if (x === Infinity) return y < 0 ? 0 : Infinity
  if (y === 0.5) return Math.sqrt(x)
  return y === -0.5 ? 1 / Math.sqrt(x) : undefined
}

/** Returns x^y: the integer part of the exponent by repeated squaring, the fraction by exponential and logarithm. */
export function pow(x: number, y: number): number {
  const special = specialPower(x, y)
  if (special !== undefined) return special
  const size = Math.abs(y)
  let whole = Math.trunc(size)
  let rest = size - whole
  if (rest !== 0 && x < 0) return NaN
  if (whole >= 2 ** 63) {
    if (x === -1) return 1
    return Math.abs(x) < 1 === y > 0 ? 0 : Infinity
  }
  let significand = 1
  let exponent = 0
  if (rest !== 0) {
    if (rest > 0.5) {
      rest--
      whole++
    }
    significand = exp(rest * log(x))
  }
  let square = binaryFraction(x)
  let squareExponent = binaryExponent(x)
  for (let bits = whole; bits !== 0; bits = Math.trunc(bits / 2)) {
    if (Math.abs(squareExponent) > 4096) {
      // The result overflows or underflows, whatever the remaining factors are.
      exponent += squareExponent
      break
    }
    if (bits % 2 === 1) {
      significand *= square
      exponent += squareExponent
    }
    square *= square
    squareExponent *= 2
    if (square < 0.5) {
      square += square
      squareExponent--
    }
  }
  if (y < 0) {
    significand = 1 / significand
    exponent = -exponent
  }
  return scaled(significand, exponent)
}
