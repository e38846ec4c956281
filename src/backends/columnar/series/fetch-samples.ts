import { runWithBudget } from '../../../base/index.ts'
import { isResetBetween, withHint, type Histogram } from '../../../data/index.ts'
import type { SeriesPlan, SeriesSelect } from '../../../plan/series/index.ts'
import type { SeriesSamples } from '../../../store/samples/index.ts'
import type { SeriesEnvironment } from './environment.ts'

/** Reads from the store the samples that a select needs at these evaluation times. */
export async function fetchSamples(
  select: SeriesSelect,
  firstMs: number,
  lastMs: number,
  environment: SeriesEnvironment,
  /** The node to which statistics attribute the samples. */
  node: SeriesPlan = select,
): Promise<readonly SeriesSamples[]> {
  const { source, budget, scans, observer } = environment
  const { matchers, guard, isPresenceOnly } = select
  const known = scans?.find(select, firstMs, lastMs)
  const checkpoint = (): void => budget.checkpoint()
  const charge = (bytes: number): void => budget.charge(bytes)
  const request = { matchers, guard, startMs: firstMs, endMs: lastMs, isPresenceOnly, checkpoint, charge }
  // A source in memory compiles and tests matchers before it returns a promise, so the call itself must run with the
  // budget.
  const series = known ?? (await runWithBudget(budget, () => source.select(request)))
  if (known === undefined) scans?.keep(select, firstMs, lastMs, series)
  let count = 0
  for (const samples of series) count += samples.timesMs.length
  observer?.fetched(node, series.length, count, known !== undefined)
  budget.samples(count)
  budget.checkpoint()
  return series
}

/** Returns the samples of a series without stale markers (which say that the series has ended). */
export function withoutStale(samples: SeriesSamples): SeriesSamples {
  const { staleness } = samples
  if (staleness === undefined || !staleness.includes(1)) return { ...samples, staleness: undefined }
  const isFresh = (_: unknown, i: number): boolean => staleness[i] === 0
  return {
    labels: samples.labels,
    timesMs: samples.timesMs.filter(isFresh),
    values: samples.values.filter(isFresh),
    staleness: undefined,
    histograms: samples.histograms?.filter(isFresh),
    startTimesMs: samples.startTimesMs?.filter(isFresh),
  }
}

/**
 * Returns the samples with unknown counter-reset hints resolved, by comparing each histogram with the previous sample.
 */
export function withResets(samples: SeriesSamples): SeriesSamples {
  if (samples.histograms === undefined) return samples
  const histograms = samples.histograms.map((histogram, i, all): Histogram | undefined => {
    if (histogram === undefined || histogram.hint !== 'unknown') return histogram
    const previous = i === 0 ? undefined : all[i - 1]
    if (previous === undefined) return histogram
    return withHint(histogram, isResetBetween(previous, histogram) ? 'reset' : 'not-reset')
  })
  return { ...samples, histograms }
}
