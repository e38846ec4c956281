import { warnings } from '../annotation.ts'
import { setFloat, setHistogram, type ColumnWriter } from '../columns.ts'
import type { WindowSeries } from '../definition.ts'
import { acceptCombined, checkHints } from '../histogram/histogram-increase.ts'
import { canReset } from '../histogram/histogram-resets.ts'
import { interpolateFloats, interpolateHistograms, type Between } from './interpolate.ts'
import { annotateWarning, type RangeCall } from '../range-function.ts'
import type { RateKind } from './rate-kind.ts'
import { SampleSpan } from '../sample-span.ts'
import {
  addHistograms,
  isResetBetween,
  multiplyHistogram,
  subtractHistograms,
  withHint,
  type Histogram,
} from '../../../data/index.ts'

/**
 * Samples of one extended window. `before` and `after` are the adjacent samples outside the window, if they are near
 * enough.
 */
interface ExtendedWindow {
  readonly startMs: number
  readonly endMs: number
  readonly from: number
  readonly to: number
  readonly before: number | undefined
  readonly after: number | undefined
}

function extendedWindow(series: WindowSeries, step: number, call: RangeCall): ExtendedWindow {
  const { rangeMs, endsMs, lookbackMs, extension } = call.matrix
  const { timesMs } = series
  const endMs = endsMs[step]
  const startMs = endMs - rangeMs
  const from = series.from[step]
  const to = series.to[step]
  const hasBefore = from > 0 && timesMs[from - 1] > startMs - lookbackMs
  const hasAfter = extension === 'smoothed' && to < timesMs.length && timesMs[to] <= endMs + lookbackMs
  return { startMs, endMs, from, to, before: hasBefore ? from - 1 : undefined, after: hasAfter ? to : undefined }
}

/** Value at one end of a window: a sample, or a point between two samples. */
interface Boundary extends Between {
  readonly a: number
  readonly b: number
}

function between(series: WindowSeries, a: number, b: number, timeMs: number): Boundary {
  return { a, b, elapsedMs: timeMs - series.timesMs[a], spanMs: series.timesMs[b] - series.timesMs[a] }
}

function exactly(i: number): Boundary {
  return { a: i, b: i, elapsedMs: 0, spanMs: 1 }
}

function leftBoundary(series: WindowSeries, window: ExtendedWindow, isSmoothed: boolean): Boundary {
  const { before, from, to, after, startMs } = window
  if (before === undefined) return exactly(from)
  if (!isSmoothed || series.timesMs[before] === startMs) return exactly(before)
  if (from < to) return between(series, before, from, startMs)
  return after === undefined ? exactly(before) : between(series, before, after, startMs)
}

function rightBoundary(series: WindowSeries, window: ExtendedWindow, isSmoothed: boolean): Boundary {
  const { before, from, to, after, endMs } = window
  const last = from < to ? to - 1 : (before as number)
  if (!isSmoothed || after === undefined || series.timesMs[last] === endMs) return exactly(last)
  return between(series, last, after, endMs)
}

/** Computes `rate`, `increase` or `delta` for windows with anchored or smoothed ends. */
export function runExtended(series: WindowSeries, out: ColumnWriter, call: RangeCall, kind: RateKind): void {
  const isSmoothed = call.matrix.extension === 'smoothed'
  const divisor = kind.isRate ? call.matrix.rangeMs / 1000 : 1
  const { endsMs, rangeMs, lookbackMs } = call.matrix
  const laterMs = isSmoothed ? lookbackMs : 0
  const reach = new SampleSpan(series)
  for (let step = 0; step < out.kinds.length; step++) {
    const endMs = endsMs[step]
    reach.moveTo(endMs - rangeMs - lookbackMs, endMs + laterMs)
    if (reach.isMixed) {
      annotateWarning(call, warnings.mixedRange(series.labels.metricName))
      continue
    }
    const window = extendedWindow(series, step, call)
    const isEmpty = window.from === window.to
    if (isEmpty && (!isSmoothed || window.before === undefined || window.after === undefined)) continue
    const left = leftBoundary(series, window, isSmoothed)
    const right = rightBoundary(series, window, isSmoothed)
    if (!reach.hasHistograms) {
      setFloat(out, step, floatChange(series, window, left, right, kind) / divisor)
    } else {
      const change = histogramChange(series, window, left, right, kind, call)
      if (change !== undefined) setHistogram(out, step, multiplyHistogram(change, 1 / divisor))
    }
  }
}

function floatChange(
  { values }: WindowSeries,
  window: ExtendedWindow,
  left: Boundary,
  right: Boundary,
  { isCounter }: RateKind,
): number {
  const leftValue = interpolateFloats(values[left.a], values[left.b], left, isCounter)
  const rightValue = interpolateFloats(values[right.a], values[right.b], right, isCounter)
  const change = rightValue - leftValue
  if (!isCounter || window.from === window.to) return change
  let lost = 0
  let previous = leftValue
  for (let i = window.from; i < window.to; i++) {
    if (values[i] < previous) lost += previous
    previous = values[i]
  }
  if (rightValue < previous) lost += previous
  return change + lost
}

function histogramChange(
  series: WindowSeries,
  window: ExtendedWindow,
  left: Boundary,
  right: Boundary,
  { isCounter }: RateKind,
  call: RangeCall,
): Histogram | undefined {
  const at = (i: number): Histogram => series.histograms?.[i] as Histogram
  const end = window.after === undefined ? window.to : window.to + 1
  checkHints(series, window.before ?? window.from, end, isCounter, call)
  const countsUp = isCounter && canReset(series, call.flags)
  const leftValue = interpolateHistograms(at(left.a), at(left.b), left, countsUp)
  const rightValue = interpolateHistograms(at(right.a), at(right.b), right, countsUp)
  if (leftValue === undefined || rightValue === undefined) {
    annotateWarning(call, warnings.mixedSchemas(series.labels.metricName))
    return undefined
  }
  let change = acceptCombined(subtractHistograms(rightValue, leftValue), 'subtraction', series, call)
  if (countsUp && window.from < window.to) {
    let previous = leftValue
    // An interpolated left end already accounts for a reset at the first sample inside the window.
    let i = left.b === window.from ? window.from + 1 : window.from
    if (left.b === window.from) previous = at(window.from)
    for (; i < window.to && change !== undefined; i++) {
      if (isResetBetween(previous, at(i))) {
        change = acceptCombined(addHistograms(change, previous), 'addition', series, call)
      }
      previous = at(i)
    }
    const isRightBetween = right.a !== right.b
    if (isRightBetween && change !== undefined && isResetBetween(previous, at(right.b))) {
      change = acceptCombined(addHistograms(change, previous), 'addition', series, call)
    }
  }
  return change === undefined ? undefined : withHint(change, 'gauge')
}
