import { DAY_NS, MAX_CACHED, QUARTER_NS, SECOND_NS, clampNs } from '../../base/index.ts'
import { float, Instant, integer, type Bucket, type Value } from '../../data/index.ts'
import {
  durationOf,
  durationText,
  ipv4Of,
  ipv4Text,
  jsonOf,
  plainNumberOf,
  storedNumberOf,
  textOf,
  timeOf,
} from './coerce.ts'

function floorDivide(a: bigint, b: bigint): bigint {
  return a / b - (a % b !== 0n && a % b < 0n ? 1n : 0n)
}

/** Returns a number with its decimal point moved `places` digits to the right, as an integer. */
function shifted(value: number | bigint, places: number): bigint {
  const [whole, fraction = ''] = textOf(value).split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

function placesOf(value: number | bigint): number {
  return (textOf(value).split('.')[1] ?? '').length
}

/** Rounds down in decimal notation, so that steps such as 0.1 are exact. */
function floorDecimal(value: number | bigint, step: number, offset: number): number | bigint {
  if (!(step > 0) || ![Number(value), step, offset].every(Number.isFinite)) return value
  const places = Math.max(placesOf(value), placesOf(step), placesOf(offset))
  const wide = shifted(step, places)
  const moved = shifted(value, places) + shifted(offset, places)
  const floored = floorDivide(moved, wide) * wide - shifted(offset, places)
  if (places === 0) return integer(floored)
  return float(Number(`${floored}e-${places}`))
}

interface WallClock {
  readonly format: Intl.DateTimeFormat
  /** Offset of the zone from UTC in milliseconds, keyed by second. */
  readonly offsetsMs: Map<number, number>
}

const wallClocks = new Map<string, WallClock>()

function wallClock(zone: string): WallClock {
  let clock = wallClocks.get(zone)
  if (clock === undefined) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    clock = { format, offsetsMs: new Map() }
    wallClocks.set(zone, clock)
  }
  return clock
}

/** Returns the local time of a zone, as nanoseconds that would denote the same clock reading in UTC. */
function wallTimeNs(zone: string | undefined, ns: bigint): bigint {
  if (zone === undefined) return ns
  const { format, offsetsMs } = wallClock(zone)
  const utcMs = Number(floorDivide(ns, SECOND_NS)) * 1000
  let offsetMs = offsetsMs.get(utcMs)
  if (offsetMs === undefined) {
    const parts: { readonly [T in Intl.DateTimeFormatPartTypes]?: number } = Object.fromEntries(
      format.formatToParts(utcMs).map((part) => [part.type, Number(part.value)]),
    )
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    offsetMs = Date.UTC(year, month - 1, day, hour, minute, second) - utcMs
    if (offsetsMs.size >= MAX_CACHED) offsetsMs.clear()
    offsetsMs.set(utcMs, offsetMs)
  }
  return ns + BigInt(offsetMs) * 1_000_000n
}

/**
 * Returns the latest instant up to `ns` whose local time is `wallNs`. Searches backwards in steps within which the
 * zone's offset is constant: quarters of an hour, or seconds.
 */
function instantAtWall(zone: string | undefined, wallNs: bigint, ns: bigint): bigint {
  if (zone === undefined) return wallNs
  const guess = wallNs + 36n * 3_600_000_000_000n
  let end = (floorDivide(guess < ns ? guess : ns, QUARTER_NS) + 1n) * QUARTER_NS
  for (;;) {
    const isSteady = wallTimeNs(zone, end - 1n) - wallTimeNs(zone, end - QUARTER_NS) === QUARTER_NS - 1n
    const start = end - (isSteady ? QUARTER_NS : SECOND_NS)
    const wallStart = wallTimeNs(zone, start)
    if (end <= ns && wallStart + (end - start) <= wallNs) return end
    const instant = start + (wallNs - wallStart)
    if (wallStart <= wallNs && instant <= ns) return instant
    end = start
  }
}

function floorWall(wallNs: bigint, bucket: Bucket & { kind: 'time' | 'calendar' }): bigint {
  if (bucket.kind === 'time') return floorDivide(wallNs, bucket.widthNs) * bucket.widthNs
  const day = new Date(Number(floorDivide(wallNs, DAY_NS)) * 86_400_000)
  if (bucket.unit === 'week') {
    while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1)
  } else {
    day.setUTCDate(1)
    if (bucket.unit === 'year') day.setUTCMonth(0)
  }
  return BigInt(day.getTime()) * 1_000_000n
}

/** Clamps a time to the range of 64-bit nanoseconds. */
function instantOf(ns: bigint): Instant {
  return new Instant(clampNs(ns))
}

function floorTime(ns: bigint, bucket: Bucket & { kind: 'time' | 'calendar' }): Instant {
  const moved = ns + bucket.offsetNs
  const wall = floorWall(wallTimeNs(bucket.zone, moved), bucket)
  const floored = instantAtWall(bucket.zone, wall, moved) - bucket.offsetNs
  return instantOf(floored)
}

function floorPlain(value: Value, step: number, offset: number): Value {
  if (value instanceof Instant) return instantOf(floorInteger(value.ns, step, offset))
  if (typeof value === 'string' && !/^[-\d]/.test(value)) return value
  const number = typeof value === 'string' ? plainNumberOf(value) : storedNumberOf(value)
  if (number !== undefined) return Number.isFinite(Number(number)) ? floorDecimal(number, step, offset) : value
  if (typeof value !== 'string') return value
  const timeNs = timeOf(value)
  if (timeNs !== undefined) return instantOf(floorInteger(timeNs, step, offset))
  const address = ipv4Of(value)
  if (address !== undefined) {
    const floored = Number(floorInteger(BigInt(address), step, offset))
    return ipv4Text(Math.min(Math.max(floored, 0), 2 ** 32 - 1))
  }
  const durationNs = durationOf(value)
  return durationNs === undefined ? value : durationText(floorInteger(durationNs, step, offset))
}

function floorInteger(value: bigint, step: number, offset: number): bigint {
  const floored = floorDecimal(integer(value), step, offset)
  return typeof floored === 'bigint' ? floored : BigInt(Math.floor(floored))
}

/**
 * Returns the bucket of a value; values to which the bucket does not apply are returned unchanged. The text of the
 * bucket decides its type, so that buckets that print alike are one value: a number, a time, or else a string.
 */
export function bucketed(value: Value, bucket: Bucket): Value {
  const floored = flooredTo(value, bucket)
  const text = textOf(floored)
  if (text === '' || floored instanceof Instant) return floored
  if (typeof floored === 'number' && Math.abs(floored) >= 1e21) return floored
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return text.length > 1024 ? text : integer(BigInt(text))
  if (typeof floored === 'number') return floored
  const special = [Infinity, -Infinity, NaN].find((number) => textOf(number) === text)
  if (special !== undefined) return special
  if (/^-?(?:0|[1-9]\d*)\.\d*[1-9]$/.test(text) && textOf(Number(text)) === text) return Number(text)
  const ns = timeOf(text)
  if (ns === undefined) return text
  const time = new Instant(ns)
  return [textOf(time), JSON.parse(jsonOf(time))].includes(text) ? time : text
}

function flooredTo(value: Value, bucket: Bucket): Value {
  if (bucket.kind === 'number') return floorPlain(value, bucket.step, bucket.offset)
  if (bucket.kind === 'ipv4') {
    const address = typeof value === 'string' ? ipv4Of(value) : undefined
    if (address === undefined) return value
    const hostBits = BigInt(32 - bucket.bits)
    return ipv4Text(Number((BigInt(address) >> hostBits) << hostBits))
  }
  const ns = timeOf(value)
  if (ns !== undefined) return floorTime(ns, bucket)
  if (bucket.kind === 'time') return floorPlain(value, Number(bucket.widthNs), Number(bucket.offsetNs))
  return bucket.unit === 'week' ? floorPlain(value, 7 * 24 * 3600 * 1e9, Number(bucket.offsetNs)) : value
}
