import { DAY_NS, type Interval, QUARTER_NS, zoneOffsetNs } from '../../../base/index.ts'
import { Instant, bucketValue, type Bucket } from '../../../data/index.ts'
import { MAX_LISTED_VALUES, MAX_ZONED_DAYS } from '../tuning.ts'

type TimeBucket = Bucket & { readonly kind: 'time' | 'calendar' }

/**
 * A period of a calendar, such as one day or month. Times from `fromNs` until the next period are rounded down to
 * `floorNs`.
 */
export interface Period {
  readonly fromNs: bigint
  readonly floorNs: bigint
}

/** Start of 1973. From then on, the clocks of all zones change only at whole quarters of an hour. */
const STEADY_NS = 94_694_400_000_000_000n

function after(ns: bigint, stepNs: bigint): bigint {
  return ns - (((ns % stepNs) + stepNs) % stepNs) + stepNs
}

/**
 * Splits a time range into intervals, ends included, within which the zone's offset does not change. Within an
 * interval, a later time never has an earlier bucket.
 */
function* stretches(firstNs: bigint, lastNs: bigint, zone: string | undefined): Generator<readonly [bigint, bigint]> {
  if (zone === undefined) {
    yield [firstNs, lastNs]
    return
  }
  for (let dayNs = firstNs; dayNs <= lastNs; dayNs = after(dayNs, DAY_NS)) {
    const endNs = after(dayNs, DAY_NS) - 1n
    const dayEndNs = endNs < lastNs ? endNs : lastNs
    if (zoneOffsetNs(zone, dayNs) === zoneOffsetNs(zone, dayEndNs)) {
      yield [dayNs, dayEndNs]
      continue
    }
    for (let ns = dayNs; ns <= dayEndNs; ns = after(ns, QUARTER_NS)) {
      const quarterEndNs = after(ns, QUARTER_NS) - 1n
      yield [ns, quarterEndNs < dayEndNs ? quarterEndNs : dayEndNs]
    }
  }
}

/**
 * Returns the periods that cover a time range, in order. `undefined` if there are too many to list, or if the zone's
 * clock changes cannot be computed.
 */
export function periodsOf(bucket: TimeBucket, { startNs, endNs }: Interval): readonly Period[] | undefined {
  const { zone, offsetNs } = bucket
  const [firstNs, lastNs] = [startNs + offsetNs, endNs - 1n + offsetNs]
  if (lastNs < firstNs) return undefined
  if (zone !== undefined && (firstNs < STEADY_NS || lastNs - firstNs > MAX_ZONED_DAYS * DAY_NS)) return undefined
  const plain = { ...bucket, offsetNs: 0n }
  const floor = (ns: bigint): bigint => {
    const value = bucketValue(new Instant(ns), plain)
    return value instanceof Instant ? value.ns : ns
  }
  const periods: Period[] = []
  const add = (ns: bigint): bigint => {
    const floored = floor(ns)
    const floorNs = floored - offsetNs
    if (periods.at(-1)?.floorNs !== floorNs) periods.push({ fromNs: ns - offsetNs, floorNs })
    return floored
  }
  for (const [beginNs, lastOfNs] of stretches(firstNs, lastNs, zone)) {
    let current = add(beginNs)
    const end = floor(lastOfNs)
    for (let atNs = beginNs; current !== end;) {
      if (periods.length > MAX_LISTED_VALUES) return undefined
      // Binary search for the first time that is rounded to another value.
      let [same, other] = [atNs, lastOfNs]
      while (other - same > 1n) {
        const middle = same + (other - same) / 2n
        if (floor(middle) === current) same = middle
        else other = middle
      }
      atNs = other
      current = add(other)
    }
  }
  return periods.length > MAX_LISTED_VALUES ? undefined : periods
}
