import { formatNumber } from '../../../data/index.ts'

/** Returns a scalar as Prometheus writes it: the shortest digits that parse to the same number, without an exponent. */
export function scalarText(value: number): string {
  return Object.is(value, -0) ? '-0' : formatNumber(value)
}

/**
 * Returns a float sample as Prometheus writes it: the shortest digits that parse to the same number, exponents with two
 * digits, and `+Inf`, `-Inf`, `NaN`.
 */
export function floatText(value: number): string {
  if (value !== value) return 'NaN'
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const text = String(value)
  const exponent = text.indexOf('e')
  if (exponent === -1 || text.length - exponent > 3) return text
  return `${text.slice(0, exponent + 2)}0${text.slice(exponent + 2)}`
}

/** Returns milliseconds as seconds, with three decimals, or none for whole seconds. */
export function secondsText(ms: number): string {
  const whole = Math.trunc(Math.abs(ms) / 1000)
  const rest = Math.abs(ms) - whole * 1000
  const sign = ms < 0 ? '-' : ''
  return rest === 0 ? `${sign}${whole}` : `${sign}${whole}.${String(rest).padStart(3, '0')}`
}
