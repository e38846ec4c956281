import { formatNumber } from '../../../data/index.ts'

/** Returns the fewest digits that identify a finite number, and its decimal exponent: value = 0.d1d2… × 10^point. */
function shortestDigits(value: number): { digits: string; point: number } {
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e')
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : ''
}

/** Returns the shortest decimal without an exponent that parses to the same number. */
export function printNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : formatNumber(value)
}

/**
 * Returns the shortest decimal that parses to the same number. Uses an exponent for numbers below 1e-4 or from
 * `10^digits` on.
 */
export function printNumberShort(value: number, digits = 21): string {
  if (!Number.isFinite(value)) return formatNumber(value)
  const { digits: all, point } = shortestDigits(value)
  const exponent = point - 1
  if (value === 0 || (exponent >= -4 && exponent < digits)) return printNumber(value)
  const fraction = all.length > 1 ? `.${all.slice(1)}` : ''
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${signOf(value)}${all[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`
}
