import {
  WEEK_NS,
  clampNs,
  floorToUnit,
  floorToWidth,
  formatDurationNs,
  formatRfc3339,
  parseDurationNs,
} from '../../base/index.ts'
import type { Bucket } from '../bucket.ts'
import { float, formatNumber, Instant, integer, integerOfDigits, toText, type Value } from '../value.ts'
import { toTimeNs } from './coerce.ts'
import { formatIpv4, parseIpv4 } from './network.ts'
import { parsePlainNumber, typedNumber } from './numbers.ts'

function floorBig(value: bigint, step: bigint): bigint {
  const rest = value % step
  return rest < 0n ? value - rest - step : value - rest
}

/** A finite decimal number, `digits / 10^places`. */
function decimal(value: number): Decimal {
  const text = formatNumber(value)
  const point = text.indexOf('.')
  if (point === -1) return { digits: BigInt(text), places: 0 }
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1)), places: text.length - point - 1 }
}

/** Computes `floor((value + offset) / step) * step - offset` in decimals, without rounding errors. */
export function floorNumber(value: number | bigint, step: number, offset: number): number | bigint {
  if (!(step > 0) || !Number.isFinite(step) || !Number.isFinite(offset)) return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return value
    if (Number.isSafeInteger(value) && Number.isSafeInteger(step) && Number.isSafeInteger(offset)) {
      const moved = value + offset
      const rest = moved % step
      const floored = rest < 0 ? moved - rest - step : moved - rest
      // Beyond 2^53 the sum may have been rounded, which this check detects.
      const begin = floored - offset
      if (Number.isSafeInteger(moved) && Number.isSafeInteger(floored) && Number.isSafeInteger(begin))
        return float(begin)
    }
  } else if (Number.isSafeInteger(step) && Number.isSafeInteger(offset)) {
    return integer(floorBig(value + BigInt(offset), BigInt(step)) - BigInt(offset))
  }
  const parts = [
    typeof value === 'bigint' ? { digits: value, places: 0 } : decimal(value),
    decimal(step),
    decimal(offset),
  ]
  const [[v = 0n, s = 1n, o = 0n], places] = aligned(parts)
  return fromDecimal(floorBig(v + o, s) - o, places)
}

/** Rounds to the nearest multiple of `step` in decimals; halves are rounded away from zero. */
export function roundNumber(value: number | bigint, step: number): number | bigint {
  if (!(step > 0) || !Number.isFinite(step)) return step === step ? value : NaN
  if (typeof value === 'number' && !Number.isFinite(value)) return value
  const parts = [typeof value === 'bigint' ? { digits: value, places: 0 } : decimal(value), decimal(step)]
  const [[v = 0n, s = 1n], places] = aligned(parts)
  const size = v < 0n ? -v : v
  const rounded = ((2n * size + s) / (2n * s)) * s
  return fromDecimal(v < 0n ? -rounded : rounded, places)
}

interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** Converts decimals to the same number of places. */
function aligned(parts: readonly Decimal[]): readonly [readonly bigint[], number] {
  const places = Math.max(...parts.map((part) => part.places))
  return [parts.map((part) => part.digits * 10n ** BigInt(places - part.places)), places]
}

function fromDecimal(digits: bigint, places: number): number | bigint {
  return places === 0 ? integer(digits) : float(Number(`${digits}e-${places}`))
}

function plainNumber(value: Value): number | bigint | undefined {
  if (typeof value !== 'string') return typedNumber(value)
  const first = value.charCodeAt(0)
  return (first >= 48 && first <= 57) || first === 45 ? parsePlainNumber(value) : undefined
}

function floorTime(ns: bigint, bucket: Bucket & { kind: 'time' }): Instant {
  const { widthNs, offsetNs, zone } = bucket
  return new Instant(clampNs(floorToWidth(ns + offsetNs, widthNs, zone) - offsetNs))
}

/** Rounds a number, time, IPv4 address or duration down to a multiple of `step`; other values are not changed. */
function floorByStep(value: Value, step: number, offset: number): Value {
  const number = plainNumber(value)
  // The string may be a number beyond the range of floats.
  if (number === Infinity || number === -Infinity || number !== number) return value
  if (number !== undefined) return floorNumber(number, step, offset)
  const timeNs = toTimeNs(value)
  if (timeNs !== undefined) {
    const floored = floorNumber(integer(timeNs), step, offset)
    return new Instant(clampNs(BigInt(typeof floored === 'bigint' ? floored : Math.floor(floored))))
  }
  if (typeof value !== 'string') return value
  const address = parseIpv4(value)
  if (address !== undefined) {
    const floored = Number(floorNumber(address, step, offset))
    return formatIpv4(Math.min(Math.max(Math.floor(floored), 0), 0xffffffff))
  }
  const durationNs = parseDurationNs(value)
  if (durationNs === undefined) return value
  const floored = floorNumber(integer(durationNs), step, offset)
  return formatDurationNs(BigInt(typeof floored === 'bigint' ? floored : Math.floor(floored)))
}

/**
 * Returns the start of the value's bucket; values to which the bucket does not apply are not changed. Results that
 * print alike become one value: a number or time if the string has this form, an exact integer if a float prints like
 * one, else a string.
 */
export function bucketValue(value: Value, bucket: Bucket): Value {
  return oneOfItsText(floorValue(value, bucket))
}

/** Matches integers in their usual notation. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/

function oneOfItsText(value: Value): Value {
  if (value === null || typeof value === 'bigint' || value instanceof Instant) return value
  if (typeof value === 'number') {
    // From 10^21 on, floats print with an exponent but integers do not.
    const printsAsInteger = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21
    return printsAsInteger ? integer(BigInt(formatNumber(value))) : value
  }
  const text = toText(value)
  if (INTEGER.test(text)) return integerOfDigits(text)
  const number = parsePlainNumber(text)
  if (number !== undefined && toText(number) === text) return number
  const timeNs = toTimeNs(text)
  if (timeNs === undefined) return text
  return formatRfc3339(timeNs, true) === text || formatRfc3339(timeNs) === text ? new Instant(timeNs) : text
}

function floorValue(value: Value, bucket: Bucket): Value {
  switch (bucket.kind) {
    case 'number':
      return floorByStep(value, bucket.step, bucket.offset)
    case 'time': {
      const ns = toTimeNs(value)
      return ns === undefined
        ? floorByStep(value, Number(bucket.widthNs), Number(bucket.offsetNs))
        : floorTime(ns, bucket)
    }
    case 'calendar': {
      const ns = toTimeNs(value)
      // Durations have no months or years, but a week is seven days.
      if (ns === undefined)
        return bucket.unit === 'week' ? floorByStep(value, Number(WEEK_NS), Number(bucket.offsetNs)) : value
      return new Instant(clampNs(floorToUnit(ns + bucket.offsetNs, bucket.unit, bucket.zone) - bucket.offsetNs))
    }
    case 'ipv4': {
      const address = typeof value === 'string' ? parseIpv4(value) : undefined
      if (address === undefined) return value
      const size = 2 ** (32 - bucket.bits)
      return formatIpv4(address - (address % size))
    }
  }
}
