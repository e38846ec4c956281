import { parseDurationNs, QUARTER_NS } from '../../../base/index.ts'
import { parseNumber, type Bucket } from '../../../data/index.ts'
import type { GroupBy } from './call.ts'

const UNITS_NS: ReadonlyMap<string, bigint> = new Map([
  ['nanosecond', 1n],
  ['microsecond', 1_000n],
  ['millisecond', 1_000_000n],
  ['second', 1_000_000_000n],
  ['minute', 60_000_000_000n],
  ['hour', 3_600_000_000_000n],
  ['day', 86_400_000_000_000n],
])
const CALENDAR = new Set(['week', 'month', 'year'])

/** True if the text after `field:` in a `by` list is a valid bucket width. */
export function isBucket(text: string): boolean {
  if (UNITS_NS.has(text) || CALENDAR.has(text)) return true
  const bits = /^\/(\d{1,2})$/.exec(text)
  if (bits !== null) return Number(bits[1]) <= 32
  const step = parseDurationNs(text) ?? parseNumber(text)
  return step !== undefined && Number(step) > 0 && Number.isFinite(Number(step))
}

/**
 * True if buckets of this width begin at the same instants in every time zone, that is, if the width divides a quarter
 * of an hour.
 */
function isSameEverywhere(widthNs: bigint): boolean {
  return QUARTER_NS % widthNs === 0n
}

/**
 * Returns the bucket of a group key; `undefined` if the key has none. A duration as width divides time, any other width
 * divides numbers. `zoneOfQuery` is the time zone of buckets that specify no zone.
 */
export function bucketOf(
  { field, bucket, offset, zone: written }: GroupBy,
  zoneOfQuery: string | undefined,
): Bucket | undefined {
  if (bucket === undefined) return undefined
  const { text } = bucket
  const bits = /^\/(\d{1,2})$/.exec(text)
  if (bits !== null) return { kind: 'ipv4', bits: Number(bits[1]) }
  const offsetNs = offset === undefined ? 0n : (parseDurationNs(offset.text) ?? toNs(parseNumber(offset.text)))
  const zone = written?.text ?? zoneOfQuery
  if (CALENDAR.has(text)) return { kind: 'calendar', unit: text as 'week', offsetNs, zone }
  const isTime = field.parts[0] === '_time'
  const number = parseNumber(text)
  const widthNs = UNITS_NS.get(text) ?? parseDurationNs(text) ?? (isTime ? toNs(number) : undefined)
  if (widthNs !== undefined)
    return {
      kind: 'time',
      widthNs,
      offsetNs,
      zone: written === undefined && isSameEverywhere(widthNs) ? undefined : zone,
    }
  return { kind: 'number', step: Number(number), offset: offset === undefined ? 0 : Number(parseNumber(offset.text)) }
}

function toNs(value: number | bigint | undefined): bigint {
  return value === undefined || Number.isNaN(value) ? 0n : BigInt(typeof value === 'bigint' ? value : Math.trunc(value))
}
