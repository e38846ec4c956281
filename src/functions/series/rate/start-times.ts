import { warnings } from '../annotation.ts'
import type { WindowSeries } from '../definition.ts'
import { annotateWarning, type RangeCall } from '../range-function.ts'

/**
 * True if the start time of sample `i` shows that the counter restarted after sample `i − 1`: the start is later than
 * sample `i − 1`, or equals its time while the start of sample `i − 1` is earlier. A start equal to the sample's own
 * time means unknown.
 */
export function isRestarted(series: WindowSeries, i: number): boolean {
  const starts = series.startTimesMs
  if (starts === undefined || i === 0) return false
  const start = starts[i]
  if (start === 0 || start >= series.timesMs[i]) return false
  const previousMs = series.timesMs[i - 1]
  if (start > previousMs) return true
  return start === previousMs && starts[i - 1] !== 0 && starts[i - 1] < previousMs
}

/**
 * Returns the time at which the count of sample `i` started from zero; `undefined` unless it is after `windowStartMs`.
 */
export function zeroTime(series: WindowSeries, i: number, windowStartMs: number): number | undefined {
  const start = series.startTimesMs?.[i] ?? 0
  return start !== 0 && start > windowStartMs && start < series.timesMs[i] ? start : undefined
}

/** True if start times have no effect on rates: none is after the first sample, or inside a window. */
export function startsTellNothing({ startTimesMs, timesMs }: WindowSeries, firstStartMs: number): boolean {
  return startTimesMs === undefined || startTimesMs.every((startMs) => startMs <= firstStartMs && startMs < timesMs[0])
}

/** Warns of samples whose start time is before the previous sample. */
export function checkOverlaps(series: WindowSeries, from: number, to: number, call: RangeCall): void {
  const starts = series.startTimesMs
  if (starts === undefined) return
  for (let i = from + 1; i < to; i++) {
    const start = starts[i]
    if (start === 0 || start >= series.timesMs[i - 1] || start === starts[i - 1]) continue
    annotateWarning(call, warnings.overlappingStart(series.labels.metricName))
    return
  }
}

/** Returns the series, without its start times if the flags disable them. */
export function forRates(series: WindowSeries, call: RangeCall): WindowSeries {
  if (call.flags.usesStartTimes || series.startTimesMs === undefined) return series
  const { labels, isNameDropped, timesMs, values, histograms, from, to } = series
  return { labels, isNameDropped, timesMs, values, histograms, startTimesMs: undefined, from, to }
}
