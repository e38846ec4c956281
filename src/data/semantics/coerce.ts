import { parseIsoTime } from '../../base/index.ts'
import { Instant, integer, type Value } from '../value.ts'
import { parseIpv4 } from './network.ts'
import { parseNumber, typedNumber } from './numbers.ts'

function numberOrNone(value: number | bigint | undefined): number | bigint | undefined {
  return value !== value ? undefined : value
}

/**
 * Returns the number that a function uses for a value: a number, or a string that is a number, duration (ns) or size
 * (bytes). `undefined` for NaN, booleans, times, lists, objects and missing values.
 */
export function toNumber(value: Value): number | bigint | undefined {
  if (typeof value === 'number') return value !== value ? undefined : value
  if (typeof value === 'string') return numberOrNone(parseNumber(value))
  return typedNumber(value)
}

/** Like `toNumber`, but also converts times to nanoseconds since 1970 and IPv4 addresses to their 32-bit number. */
export function toRangeNumber(value: Value): number | bigint | undefined {
  if (typeof value === 'number') return value !== value ? undefined : value
  if (value instanceof Instant) return integer(value.ns)
  if (typeof value !== 'string') return typedNumber(value)
  const first = value.charCodeAt(0)
  const plain = parseNumber(value)
  if (plain !== undefined) return numberOrNone(plain)
  if (!(first >= 48 && first <= 57)) return undefined
  const ns = parseIsoTime(value)
  return ns === undefined ? parseIpv4(value) : integer(ns)
}

/**
 * Returns a time in ns since 1970: of an instant, or of a string in RFC 3339 or a similar form (a string without a zone
 * is in UTC). `undefined` for other values.
 */
export function toTimeNs(value: Value): bigint | undefined {
  if (value instanceof Instant) return value.ns
  return typeof value === 'string' ? parseIsoTime(value) : undefined
}
