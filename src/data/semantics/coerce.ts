import { parseIsoTime } from '../../base/index.ts'
import { Instant, integer, type Value } from '../value.ts'
import { parseIpv4 } from './network.ts'
import { parseNumber, typedNumber } from './numbers.ts'

function numberOrNone(value: number | bigint | undefined): number | bigint | undefined {
  return value !== value ? undefined : value
}

/**
 * Returns the number that a function uses: a number, or a text that is a number, duration (ns) or size (bytes). NaN,
 * bools, times, lists, objects and missing values are no numbers.
 */
export function toNumber(value: Value): number | bigint | undefined {
  if (typeof value === 'number') return value !== value ? undefined : value
  if (typeof value === 'string') return numberOrNone(parseNumber(value))
  return typedNumber(value)
}

/** Like `toNumber`, then a time in nanoseconds since 1970, then an IPv4 address as its 32-bit number. */
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

/** Returns a time: an instant, or a text in RFC 3339 or a similar form; without a zone in UTC. */
export function toTimeNs(value: Value): bigint | undefined {
  if (value instanceof Instant) return value.ns
  return typeof value === 'string' ? parseIsoTime(value) : undefined
}
