import { addHistograms, withHint, type Histogram } from '../../data/index.ts'
import type { NewSample } from './new-sample.ts'
import type { SampleColumns } from './sample-columns.ts'

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}

/** Returns the sum of two histograms; only `change` if they have no buckets in common. */
function added(base: Histogram | undefined, change: Histogram): Histogram {
  const sum = base && addHistograms(base, change)
  return sum === undefined ? change : withHint(sum.histogram, 'unknown')
}

/**
 * Stores the sum of a delta and the last sample of the series. The sum continues across gaps and staleness markers.
 * Returns false and stores nothing if the delta is not later than the last sample: it may be a duplicate.
 */
export function appendDelta(series: SampleColumns, change: NewSample): boolean {
  if (change.timeMs <= series.newestMs) return false
  const last = series.lastBefore(Infinity)
  if (change.isStale === true) {
    if (last?.isStale !== true) series.append(change)
    return true
  }
  // A staleness marker has no value to add to. The sample before a marker is never a marker here.
  const base = last?.isStale === true ? series.lastBefore(last.timeMs) : last
  const startTimeMs = base?.startTimeMs === undefined || base.startTimeMs === 0 ? change.startTimeMs : base.startTimeMs
  series.append({
    timeMs: change.timeMs,
    value: finite(base?.value ?? 0) + change.value,
    ...(change.histogram === undefined ? undefined : { histogram: added(base?.histogram, change.histogram) }),
    ...(startTimeMs === undefined ? undefined : { startTimeMs }),
  })
  return true
}
