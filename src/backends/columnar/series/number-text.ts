import { formatNumber } from '../../../data/index.ts'

/** Writes a scalar answer as Prometheus does: the shortest digits that read back, without an exponent. */
export function scalarText(value: number): string {
  return Object.is(value, -0) ? '-0' : formatNumber(value)
}

/**
 * Writes a sample's float as Prometheus does: the shortest digits that read back, `+Inf`, `-Inf`, `NaN`, exponents with
 * two digits.
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

/** Writes milliseconds as seconds with three decimals, or none when they are whole. */
export function secondsText(ms: number): string {
  const whole = Math.trunc(Math.abs(ms) / 1000)
  const rest = Math.abs(ms) - whole * 1000
  const sign = ms < 0 ? '-' : ''
  return rest === 0 ? `${sign}${whole}` : `${sign}${whole}.${String(rest).padStart(3, '0')}`
}
