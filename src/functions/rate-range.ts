import { MAX_NS, MIN_NS, type Interval } from '../base/index.ts'
import type { Bucket } from '../data/index.ts'
import type { GroupKey } from '../plan/index.ts'

const CALENDAR_SECONDS = { week: 604_800, month: 2_592_000, year: 31_536_000 }

function bucketSeconds(bucket: Bucket): number | undefined {
  if (bucket.kind === 'time') return Number(bucket.widthNs) / 1e9
  return bucket.kind === 'calendar' ? CALENDAR_SECONDS[bucket.unit] : undefined
}

/**
 * Returns the number of seconds by which `rate()` divides: the width of the time bucket among the keys (a month counts
 * 30 days, a year 365), else the length of the query's range. `undefined` if the range has an open end.
 */
export function rangeSecondsOf(keys: readonly GroupKey[], range: Interval): number | undefined {
  for (const { expr, type } of keys) {
    const seconds = expr.kind === 'bucket' && type === 'time' ? bucketSeconds(expr.bucket) : undefined
    if (seconds !== undefined) return seconds
  }
  if (range.startNs === MIN_NS || range.endNs === MAX_NS) return undefined
  return Number(range.endNs - range.startNs) / 1e9
}
