import { printPredicate, seriesSelects, type SeriesPlan, type SeriesSelect } from '../../../plan/series/index.ts'
import type { SeriesSamples } from '../../../store/samples/index.ts'

interface Scan {
  readonly startMs: number
  readonly endMs: number
  readonly series: readonly SeriesSamples[]
}

/**
 * Returns a key that is equal for selects that read the same series. It includes the guard (a condition that hides
 * series from a caller), so that selects with different guards never share data.
 */
export function scanKey({ table, matchers, guard, isPresenceOnly }: SeriesSelect): string {
  const tests = matchers.map(({ label, op, value }) => [label, op, value])
  return JSON.stringify([table, tests, guard === undefined ? null : printPredicate(guard), isPresenceOnly === true])
}

function firstAfter(timesMs: Float64Array, timeMs: number): number {
  let low = 0
  let high = timesMs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timesMs[middle] <= timeMs) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the samples within a period; series without samples in it are omitted. */
function within(series: readonly SeriesSamples[], startMs: number, endMs: number): readonly SeriesSamples[] {
  const found: SeriesSamples[] = []
  for (const samples of series) {
    const { labels, timesMs, values, staleness, histograms, startTimesMs } = samples
    const from = firstAfter(timesMs, startMs)
    const to = firstAfter(timesMs, endMs)
    if (from >= to) continue
    found.push({
      labels,
      timesMs: timesMs.subarray(from, to),
      values: values.subarray(from, to),
      staleness: staleness?.subarray(from, to),
      histograms: histograms?.slice(from, to),
      startTimesMs: startTimesMs?.subarray(from, to),
    })
  }
  return found
}

/** Caches the samples of selectors that occur more than once in a query. */
export class ScanCache {
  readonly #scans = new Map<string, Scan[]>()
  readonly #counts = new Map<string, number>()

  constructor(plan: SeriesPlan) {
    const selects = seriesSelects(plan)
    // A single select has no other select to share samples with, so it needs no key.
    if (selects.length < 2) return
    for (const select of selects) {
      const key = scanKey(select)
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    }
  }

  /**
   * Returns the number of selects in the plan that read the same series as this one, itself included; 0 if the plan has
   * at most one select.
   */
  sharers(select: SeriesSelect): number {
    return this.#counts.size === 0 ? 0 : (this.#counts.get(scanKey(select)) ?? 0)
  }

  /** Returns the samples in `(startMs, endMs]` if an equal select has read them; else `undefined`. */
  find(select: SeriesSelect, startMs: number, endMs: number): readonly SeriesSamples[] | undefined {
    if (this.#scans.size === 0) return undefined
    const scan = this.#scans.get(scanKey(select))?.find((known) => known.startMs <= startMs && known.endMs >= endMs)
    if (scan === undefined) return undefined
    return scan.startMs === startMs && scan.endMs === endMs ? scan.series : within(scan.series, startMs, endMs)
  }

  keep(select: SeriesSelect, startMs: number, endMs: number, series: readonly SeriesSamples[]): void {
    if (this.sharers(select) < 2) return
    const key = scanKey(select)
    const scans = this.#scans.get(key)
    if (scans === undefined) this.#scans.set(key, [{ startMs, endMs, series }])
    else scans.push({ startMs, endMs, series })
  }
}
