import {
  EMPTY_HISTOGRAM,
  addHistograms,
  isCustom,
  subtractHistograms,
  withHint,
  type Combined,
  type Histogram,
} from '../../../data/index.ts'
import { infos, warnings } from '../annotation.ts'
import type { WindowSeries } from '../definition.ts'
import { isHistogramReset } from './histogram-resets.ts'
import { annotateInfo, annotateWarning, type RangeCall } from '../range-function.ts'
import { isRestarted } from '../rate/start-times.ts'
import { windowHistogram } from '../windows.ts'

/** Returns an empty histogram with the same bucket layout. */
export function emptyLike(histogram: Histogram): Histogram {
  return { ...EMPTY_HISTOGRAM, schema: histogram.schema, bounds: histogram.bounds }
}

/**
 * Returns the combined histogram and adds infos about its bounds. Adds a warning instead if the histograms could not be
 * combined.
 */
export function acceptCombined(
  combined: Combined | undefined,
  during: 'addition' | 'subtraction',
  series: WindowSeries,
  call: RangeCall,
): Histogram | undefined {
  if (combined === undefined) {
    annotateWarning(call, warnings.mixedSchemas(series.labels.metricName))
    return undefined
  }
  if (combined.hasReconciledBounds) annotateInfo(call, infos.reconciledBounds(during))
  return combined.histogram
}

/** Warns if samples in `[from, to)` are gauges where counters are expected, or the reverse. */
export function checkHints(series: WindowSeries, from: number, to: number, isCounter: boolean, call: RangeCall): void {
  const name = series.labels.metricName
  if (isCounter) {
    for (let i = from; i < to; i++) {
      if (windowHistogram(series, i).hint !== 'gauge') continue
      annotateWarning(call, warnings.notCounter(name))
      return
    }
  } else if (windowHistogram(series, from).hint !== 'gauge' || windowHistogram(series, to - 1).hint !== 'gauge') {
    annotateWarning(call, warnings.notGauge(name))
  }
}

function isReset(series: WindowSeries, i: number, previous: Histogram, { flags }: RangeCall): boolean {
  return isRestarted(series, i) || isHistogramReset(series, previous, windowHistogram(series, i), flags)
}

/**
 * Returns the last histogram of a window minus the first, plus the losses at resets. With `startsAtZero`, the first one
 * is not subtracted. `undefined`, with a warning, if exponential and custom buckets are mixed.
 */
export function histogramIncrease(
  series: WindowSeries,
  from: number,
  to: number,
  isCounter: boolean,
  startsAtZero: boolean,
  call: RangeCall,
): Histogram | undefined {
  const last = windowHistogram(series, to - 1)
  let previous = windowHistogram(series, from)
  checkHints(series, from, to, isCounter, call)
  // If the counter is reset right after the first sample, the value and layout of that sample have no effect.
  const isFirstVoid = isCounter && to - from > 1 && isReset(series, from + 1, previous, call)
  let firstLost = isFirstVoid && startsAtZero ? previous : undefined
  if (isFirstVoid) previous = emptyLike(windowHistogram(series, from + 1))
  const from1 = isCounter ? from + 1 : to - 1
  for (let i = from1; i < to; i++) {
    if (isCustom(windowHistogram(series, i)) === isCustom(previous)) continue
    annotateWarning(call, warnings.mixedSchemas(series.labels.metricName))
    return undefined
  }
  const subtrahend = startsAtZero && !isFirstVoid ? emptyLike(previous) : previous
  let result = acceptCombined(subtractHistograms(last, subtrahend), 'subtraction', series, call)
  if (isCounter) {
    for (let i = from + 1; i < to && result !== undefined; i++) {
      const isLost = i > from + 1 || !isFirstVoid ? isReset(series, i, previous, call) : false
      if (isLost) result = acceptCombined(addHistograms(result, previous), 'addition', series, call)
      previous = windowHistogram(series, i)
    }
  }
  if (firstLost !== undefined && result !== undefined) {
    result = addHistograms(result, firstLost)?.histogram
    firstLost = undefined
  }
  return result === undefined ? undefined : withHint(result, 'gauge')
}
