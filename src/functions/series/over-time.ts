import type { SeriesFunction, WindowSeries } from './definition.ts'
import { histogramAverage, histogramTotal, type HistogramFold } from './histogram/histogram-fold.ts'
import { warnings, infos } from './annotation.ts'
import { setFloat, setHistogram } from './columns.ts'
import { movingExtreme, movingMean, movingTotal } from './moving.ts'
import {
  annotateInfo,
  annotateWarning,
  floatRangeFunction,
  rangeFunction,
  typedRangeFunction,
} from './range-function.ts'
import type { RangeCall, RangeKernel } from './range-function.ts'
import { windowHistogram } from './windows.ts'

function foldWindow(
  series: WindowSeries,
  call: RangeCall,
  fold: (histograms: Iterable<HistogramFold['histogram']>) => HistogramFold | undefined,
): (from: number, to: number) => HistogramFold['histogram'] | undefined {
  return (from, to) => {
    const window: HistogramFold['histogram'][] = []
    for (let i = from; i < to; i++) window.push(windowHistogram(series, i))
    const result = fold(window)
    if (result === undefined) {
      annotateWarning(call, warnings.mixedSchemas(series.labels.metricName))
      return undefined
    }
    if (result.hasResetCollision) annotateWarning(call, warnings.resetCollision('aggregation'))
    if (result.hasReconciledBounds) annotateInfo(call, infos.reconciledBounds('aggregation'))
    return result.histogram
  }
}

/** Defines a function that returns one sample of each window: the first or the last. */
function pickSample(name: string, pick: (from: number, to: number) => number): SeriesFunction {
  return rangeFunction(
    name,
    (series, out) => {
      for (let step = 0; step < out.kinds.length; step++) {
        if (series.to[step] === series.from[step]) continue
        const index = pick(series.from[step], series.to[step])
        const histogram = series.histograms?.[index]
        if (histogram === undefined) setFloat(out, step, series.values[index])
        else setHistogram(out, step, histogram)
      }
    },
    { keepsName: true },
  )
}

/** Defines a function that computes a number from the samples of a window, whether floats or histograms. */
function ofSamples(name: string, value: (series: WindowSeries, from: number, to: number) => number): SeriesFunction {
  const kernel: RangeKernel = (series, out) => {
    for (let step = 0; step < out.kinds.length; step++) {
      const from = series.from[step]
      const to = series.to[step]
      if (to > from) setFloat(out, step, value(series, from, to))
    }
  }
  return rangeFunction(name, kernel, { properties: { readsPresenceOnly: true } })
}

/** Defines a function for the time, in seconds, of the last sample with the extreme value. */
function timeOfExtreme(name: string, isBetter: (candidate: number, best: number) => boolean): SeriesFunction {
  return floatRangeFunction(name, ({ values, timesMs }) => (from, to) => {
    let best = from
    for (let i = from + 1; i < to; i++) {
      if (isBetter(values[i], values[best]) || values[best] !== values[best]) best = i
    }
    return timesMs[best] / 1000
  })
}

export const overTimeFunctions: readonly SeriesFunction[] = [
  typedRangeFunction('sum_over_time', movingTotal, (series, call) => foldWindow(series, call, histogramTotal)),
  typedRangeFunction('avg_over_time', movingMean, (series, call) => foldWindow(series, call, histogramAverage)),
  floatRangeFunction('min_over_time', (series) => movingExtreme(series, -1)),
  floatRangeFunction('max_over_time', (series) => movingExtreme(series, 1)),
  ofSamples('count_over_time', (_, from, to) => to - from),
  ofSamples('present_over_time', () => 1),
  ofSamples('ts_of_first_over_time', (series, from) => series.timesMs[from] / 1000),
  ofSamples('ts_of_last_over_time', (series, _, to) => series.timesMs[to - 1] / 1000),
  timeOfExtreme('ts_of_min_over_time', (candidate, best) => candidate <= best),
  timeOfExtreme('ts_of_max_over_time', (candidate, best) => candidate >= best),
  pickSample('last_over_time', (_, to) => to - 1),
  pickSample('first_over_time', (from) => from),
]
