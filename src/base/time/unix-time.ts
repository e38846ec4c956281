import { clampNs, MAX_NS } from './interval.ts'

/** A point in time as it was written, and the length of time that the notation covers. */
export interface UnixTime {
  readonly ns: bigint
  /** A second, a millisecond and so on, or a tenth of one, by the last written digit. */
  readonly precisionNs: bigint
}

const UNITS = [9, 6, 3, 0] as const

/** Returns how many digits of a nanosecond a unit has: the largest unit in which a whole number is a valid time. */
function placesOf(size: bigint): number {
  return UNITS.find((places) => size * 10n ** BigInt(places) <= MAX_NS) ?? 0
}

const WRITTEN = /^(-?)(\d{1,19})(?:\.(\d*))?(?:[eE]\+?(\d{1,2}))?$/

/**
 * Parses seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by the size of the whole part:
 * seconds up to 9,223,372,036, the last valid one, milliseconds and microseconds up to a thousand and a million times
 * that. Fractions are exact to the nanosecond, further digits are cut. `undefined` for other texts.
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

/** Like `parseUnixTime`, for a number by the digits that it prints; limited to the range of times. */
export function unixTimeNs(value: number | bigint): bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    const whole = BigInt(value)
    return clampNs(whole * 10n ** BigInt(placesOf(whole < 0n ? -whole : whole)))
  }
  // Smaller numbers print with an exponent.
  const text = Math.abs(value) < 1e-6 ? value.toFixed(9) : String(value)
  return parseUnixTime(text)?.ns ?? clampNs(BigInt(Math.trunc(value)))
}
