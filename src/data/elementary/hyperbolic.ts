import { exp } from './exp.ts'
import { log, log1p } from './log.ts'

export function sinh(x: number): number {
  if (x === 0) return x
  const size = Math.abs(x)
  let y: number
  if (size > 21) {
    y = exp(size) * 0.5
  } else if (size > 0.5) {
    const power = exp(size)
    y = (power - 1 / power) * 0.5
  } else {
    const z = size * size
    const above =
      (((-26.30563213397497 * z - 2894.211355989564) * z - 89912.72022039509) * z - 630767.3640497717) * size
    y = above / (((z - 173.6789535582337) * z + 15215.17378790019) * z - 630767.3640497717)
  }
  return x < 0 ? -y : y
}

export function cosh(x: number): number {
  const power = exp(Math.abs(x))
  return Math.abs(x) > 21 ? power * 0.5 : (power + 1 / power) * 0.5
}

/** Half of ln 2^127; beyond it the hyperbolic tangent is rounded to ±1. */
const TANH_IS_ONE = 0.5 * 88.02969193111305

export function tanh(x: number): number {
  const size = Math.abs(x)
  if (size > TANH_IS_ONE) return x < 0 ? -1 : 1
  if (size >= 0.625) {
    const y = 1 - 2 / (exp(2 * size) + 1)
    return x < 0 ? -y : y
  }
  if (x === 0) return x
  const s = x * x
  const above = (-0.9643991794250523 * s - 99.28772310019185) * s - 1614.6876844170845
  const below = ((s + 112.81167849163293) * s + 2235.4883906010045) * s + 4844.063053251255
  return x + (x * s * above) / below
}

const LARGE = 2 ** 28

export function asinh(x: number): number {
  const size = Math.abs(x)
  if (x === 0 || !(size < Infinity)) return x
  let y = size
  if (size > LARGE) y = log(size) + Math.LN2
  else if (size > 2) y = log(2 * size + 1 / (Math.sqrt(size * size + 1) + size))
  else if (size >= 1 / LARGE) y = log1p(size + (size * size) / (1 + Math.sqrt(1 + size * size)))
  return x < 0 ? -y : y
}

export function acosh(x: number): number {
  if (!(x >= 1)) return NaN
  if (x >= LARGE) return log(x) + Math.LN2
  if (x > 2) return log(2 * x - 1 / (x + Math.sqrt(x * x - 1)))
  const t = x - 1
  return log1p(t + Math.sqrt(2 * t + t * t))
}

export function atanh(x: number): number {
  const size = Math.abs(x)
  if (!(size <= 1)) return NaN
  if (x === 0) return x
  let y = size
  if (size === 1) y = Infinity
  else if (size >= 0.5) y = 0.5 * log1p((size + size) / (1 - size))
  else if (size >= 1 / LARGE) y = 0.5 * log1p(size + size + ((size + size) * size) / (1 - size))
  return x < 0 ? -y : y
}
