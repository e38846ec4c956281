import { work, runWithBudget } from '../../../base/index.ts'
import { withHint, type Histogram } from '../../../data/index.ts'
import {
  ABSENT,
  HISTOGRAM,
  mergeEqualLabels,
  type MatrixValue,
  type SeriesColumn,
  type SeriesValue,
  type Steps,
  type WindowSeries,
} from '../../../functions/series/index.ts'
import type { SeriesPlan, SeriesSubquery } from '../../../plan/series/index.ts'
import { positiveMs } from './durations.ts'
import { shiftedTimes, type SeriesEnvironment } from './environment.ts'
import { fillWindows } from './range.ts'
import { alignedSteps, countAligned } from './steps.ts'
import { checkRoom } from './value-bytes.ts'

/**
 * Returns the histogram with an unknown counter-reset hint, unless it is a gauge: the correct hint depends on which
 * samples are read.
 */
function forgetReset(histogram: Histogram | undefined): Histogram | undefined {
  return histogram === undefined || histogram.hint === 'gauge' ? histogram : withHint(histogram, 'unknown')
}

/** Converts the values of a column to samples at the times of the steps. */
function toSamples(column: SeriesColumn, steps: Steps): Pick<WindowSeries, 'timesMs' | 'values' | 'histograms'> {
  const { kinds, values } = column
  let count = 0
  let hasHistograms = false
  for (let step = 0; step < kinds.length; step++) {
    if (kinds[step] !== ABSENT) count++
    if (kinds[step] === HISTOGRAM) hasHistograms = true
  }
  const histograms = hasHistograms
    ? (column.histograms ?? [])
        .map((histogram, step) => (kinds[step] === HISTOGRAM ? forgetReset(histogram) : undefined))
        .filter((_, step) => kinds[step] !== ABSENT)
    : undefined
  if (count === kinds.length) return { timesMs: steps.timesMs, values, histograms }
  const timesMs = new Float64Array(count)
  const present = new Float64Array(count)
  let at = 0
  for (let step = 0; step < kinds.length; step++) {
    if (kinds[step] === ABSENT) continue
    timesMs[at] = steps.timesMs[step]
    present[at++] = values[step]
  }
  return { timesMs, values: present, histograms }
}

export async function evaluateSubquery(
  subquery: SeriesSubquery,
  steps: Steps,
  environment: SeriesEnvironment,
  evaluate: (node: SeriesPlan, steps: Steps) => Promise<SeriesValue>,
): Promise<MatrixValue> {
  const { origin, step } = subquery
  const rangeMs = positiveMs(subquery.range, environment.query)
  const stepMs = step === undefined ? environment.defaultStepMs : positiveMs(step, environment.query)
  const endsMs = shiftedTimes(subquery.shift, steps, environment)
  checkRoom(environment.budget, countAligned(endsMs, rangeMs, stepMs) * 8)
  const inner = alignedSteps(endsMs, rangeMs, stepMs)
  const matrix = { kind: 'matrix', rangeMs, endsMs, extension: 'none', lookbackMs: environment.lookbackMs } as const
  if (inner.count === 0) return { ...matrix, series: [] }
  const value = await evaluate(subquery.input, inner)
  if (value.kind !== 'vector') return { ...matrix, series: [] }
  const merged = mergeEqualLabels(value.series, origin, false)
  environment.budget.samples(merged.length * inner.count)
  let shared: { from: Int32Array; to: Int32Array } | undefined
  const windowsOf = (column: SeriesColumn): WindowSeries => {
    work((inner.count + steps.count) >>> 5)
    const samples = toSamples(column, inner)
    let windows = samples.timesMs === inner.timesMs ? shared : undefined
    if (windows === undefined) {
      windows = { from: new Int32Array(steps.count), to: new Int32Array(steps.count) }
      fillWindows(samples.timesMs, endsMs, rangeMs, windows.from, windows.to)
      if (samples.timesMs === inner.timesMs) shared = windows
    }
    const { labels, isNameDropped } = column
    return { labels, isNameDropped, ...samples, startTimesMs: undefined, ...windows }
  }
  const series = runWithBudget(environment.budget, () => merged.map(windowsOf))
  return { ...matrix, series }
}
