import { clampNs, MAX_NS } from './interval.ts'

/** A Unix time with the precision in which it was written. */
export interface UnixTime {
  readonly ns: bigint
  /** The value of one unit of the last written digit. */
  readonly precisionNs: bigint
}

const UNITS = [9, 6, 3, 0] as const

/**
 * Returns the number of decimal places between a nanosecond and the unit of a Unix time: 9 for seconds, 6, 3 or 0. The
 * unit is the largest in which `size` is a valid time.
 */
function placesOf(size: bigint): number {
  return UNITS.find((places) => size * 10n ** BigInt(places) <= MAX_NS) ?? 0
}

const WRITTEN = /^(-?)(\d{1,19})(?:\.(\d*))?(?:[eE]\+?(\d{1,2}))?$/

/**
 * Parses a Unix time in seconds, milliseconds, microseconds or nanoseconds; `undefined` for other strings. The size of
 * the integer part determines the unit: seconds up to 9,223,372,036 (the last valid one), milliseconds up to 1,000
 * times that, microseconds up to 1,000,000 times that. Fractions are exact to the nanosecond; further digits are cut.
 */
export function parseUnixTime(text: string): UnixTime | undefined {
  const match = text.length > 400 ? null : WRITTEN.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  const digits = whole + fraction.slice(0, shift).padEnd(shift, '0')
  const size = BigInt(digits)
  if (size > MAX_NS + 1n) return undefined
  const places = placesOf(size)
  const rest = fraction.slice(shift, shift + places)
  const ns = BigInt(digits + rest.padEnd(places, '0'))
  return { ns: clampNs(sign === '-' ? -ns : ns), precisionNs: 10n ** BigInt(places - rest.length) }
}

/** Like `parseUnixTime`, for a number instead of its digits. The result is limited to the representable times. */
export function unixTimeNs(value: number | bigint): bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    const whole = BigInt(value)
    return clampNs(whole * 10n ** BigInt(placesOf(whole < 0n ? -whole : whole)))
  }
  // `String` would use an exponent for smaller numbers.
  const text = Math.abs(value) < 1e-6 ? value.toFixed(9) : String(value)
  return parseUnixTime(text)?.ns ?? clampNs(BigInt(Math.trunc(value)))
}
