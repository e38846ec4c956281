import { DAY_NS, type Interval, QUARTER_NS, zoneOffsetNs } from '../../../base/index.ts'
import { Instant, bucketValue, type Bucket } from '../../../data/index.ts'
import { MAX_LISTED_VALUES, MAX_ZONED_DAYS } from '../tuning.ts'

type TimeBucket = Bucket & { readonly kind: 'time' | 'calendar' }

/** From `fromNs` until the next period begins, times are rounded down to `floorNs`. */
export interface Period {
  readonly fromNs: bigint
  readonly floorNs: bigint
}

/** Since this time, the clocks of all zones change only at whole quarters of an hour. */
const STEADY_NS = 94_694_400_000_000_000n

function after(ns: bigint, stepNs: bigint): bigint {
  return ns - (((ns % stepNs) + stepNs) % stepNs) + stepNs
}

/**
 * Yields periods, ends included, in which the clocks of the zone do not change, so that later times are never rounded
 * to an earlier bucket.
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

/** Returns the buckets of the times in a range, in order; `undefined` when they are too many to list. */
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
      // Finds the first time that is rounded differently.
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
