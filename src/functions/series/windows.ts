import type { Histogram } from '../../data/index.ts'
import type { WindowSeries } from './definition.ts'

/** The samples of a series, split by type. */
export interface SplitSeries {
  readonly floats: WindowSeries
  readonly histograms: WindowSeries
}

function filterSamples(series: WindowSeries, wantsHistogram: boolean): WindowSeries {
  const { timesMs, values, histograms, startTimesMs } = series
  const size = timesMs.length
  /** For each index, the number of selected samples before it. */
  const before = new Int32Array(size + 1)
  for (let i = 0; i < size; i++) {
    before[i + 1] = before[i] + ((histograms?.[i] !== undefined) === wantsHistogram ? 1 : 0)
  }
  const count = before[size]
  const kept: number[] = []
  for (let i = 0; i < size; i++) if (before[i + 1] > before[i]) kept.push(i)
  const pick = (column: Float64Array): Float64Array => {
    const picked = new Float64Array(count)
    for (let i = 0; i < count; i++) picked[i] = column[kept[i]]
    return picked
  }
  return {
    labels: series.labels,
    isNameDropped: series.isNameDropped,
    timesMs: pick(timesMs),
    values: pick(values),
    histograms: wantsHistogram ? kept.map((i) => histograms?.[i]) : undefined,
    startTimesMs: startTimesMs === undefined ? undefined : pick(startTimesMs),
    from: series.from.map((index) => before[index]),
    to: series.to.map((index) => before[index]),
  }
}

/** Splits a series into its floats and its histograms. Each part has its own windows. */
export function splitByType(series: WindowSeries): SplitSeries {
  return { floats: filterSamples(series, false), histograms: filterSamples(series, true) }
}

/** Returns the histogram of a sample. All samples of the series must be histograms. */
export function windowHistogram(series: WindowSeries, index: number): Histogram {
  return series.histograms?.[index] as Histogram
}
