import { work } from '../../../base/index.ts'
import { multiplyHistogram } from '../../../data/index.ts'
import { warnings } from '../annotation.ts'
import { ABSENT, FLOAT, setHistogram, type ColumnWriter } from '../columns.ts'
import { checkIsCounter } from './counter-name.ts'
import type { SeriesFunction, WindowSeries } from '../definition.ts'
import { runExtended } from './extended-rate.ts'
import { histogramIncrease } from '../histogram/histogram-increase.ts'
import { annotateWarning, rangeFunction, type RangeCall } from '../range-function.ts'
import { MOST_SAMPLES, runRateKernel } from './rate-kernel.ts'
import type { RateKind } from './rate-kind.ts'
import { checkOverlaps, forRates, isRestarted, startsTellNothing, zeroTime } from './start-times.ts'
import { splitByType, windowHistogram } from '../windows.ts'

/**
 * Returns the factor that extrapolates the difference between the first and the last sample to the whole window. An end
 * far from the samples is extended by only half an average interval, and a counter never to below zero.
 */
export function extrapolationFactor(
  window: {
    readonly firstMs: number
    readonly lastMs: number
    readonly startMs: number
    readonly endMs: number
    readonly count: number
    /** Time at which the counter is known to have been zero, ms; `undefined` if unknown. */
    readonly zeroMs: number | undefined
  },
  difference: number,
  firstValue: number | undefined,
): number {
  const { firstMs, lastMs, startMs, endMs, count, zeroMs } = window
  const average = count > 1 ? (lastMs - firstMs) / 1000 / (count - 1) : 0
  const limit = average * 1.1
  const sampled = (lastMs - (zeroMs ?? firstMs)) / 1000
  let before = (firstMs - startMs) / 1000
  let after = (endMs - lastMs) / 1000
  if (zeroMs !== undefined) {
    before = 0
  } else {
    if (before >= limit) before = average / 2
    if (firstValue !== undefined && difference > 0 && firstValue >= 0) {
      const toZero = sampled * (firstValue / difference)
      if (toZero < before) before = toZero
    }
  }
  if (after >= limit) after = average / 2
  return sampled === 0 ? 1 : (sampled + before + after) / sampled
}

/** Returns the number of resets up to each sample; `undefined` if there are none. */
function countResets(series: WindowSeries): Int32Array | undefined {
  const { values } = series
  const hasStarts = series.startTimesMs !== undefined
  let total = 0
  let counts: Int32Array | undefined
  for (let i = 1; i < values.length; i++) {
    if (values[i] < values[i - 1] || (hasStarts && isRestarted(series, i))) {
      counts ??= new Int32Array(values.length)
      total++
    }
    if (counts !== undefined) counts[i] = total
  }
  return counts
}

/**
 * Adds the losses at the window's resets to the difference. They are added in the order of the resets, so that rounding
 * is reproducible.
 */
function withLost(difference: number, series: WindowSeries, resets: Int32Array, from: number, to: number): number {
  let result = difference
  if (resets[to - 1] === resets[from]) return result
  work((to - from) >>> 4)
  for (let i = from + 1; i < to; i++) if (resets[i] !== resets[i - 1]) result += series.values[i - 1]
  return result
}

/**
 * Computes rates by the kernel. Long series, and series with relevant start times, use a loop with the same operations.
 */
function runFloatRates(series: WindowSeries, out: ColumnWriter, call: RangeCall, kind: RateKind): void {
  const { rangeMs, endsMs } = call.matrix
  if (series.timesMs.length <= MOST_SAMPLES && startsTellNothing(series, endsMs[0] - rangeMs)) {
    runRateKernel(series, out, call.matrix, kind)
    return
  }
  const { values, timesMs, from, to, startTimesMs } = series
  const resets = kind.isCounter ? countResets(series) : undefined
  const divisor = kind.isRate ? rangeMs / 1000 : 1
  for (let step = 0; step < from.length; step++) {
    const first = from[step]
    const end = to[step]
    const count = end - first
    if (count === 0) continue
    const endMs = endsMs[step]
    const startMs = endMs - rangeMs
    const zeroMs = kind.isCounter && startTimesMs !== undefined ? zeroTime(series, first, startMs) : undefined
    if (count < 2 && zeroMs === undefined) continue
    const last = end - 1
    let difference = values[last] - values[first]
    if (resets !== undefined) difference = withLost(difference, series, resets, first, end)
    if (zeroMs !== undefined) difference += values[first]
    const window = { firstMs: timesMs[first], lastMs: timesMs[last], startMs, endMs, count, zeroMs }
    const factor = extrapolationFactor(window, difference, kind.isCounter ? values[first] : undefined)
    out.values[step] = difference * (factor / divisor)
    out.kinds[step] = FLOAT
  }
}

function runHistogramRates(
  series: WindowSeries,
  skip: Uint8Array,
  out: ColumnWriter,
  call: RangeCall,
  kind: RateKind,
): void {
  const { rangeMs, endsMs } = call.matrix
  const divisor = kind.isRate ? rangeMs / 1000 : 1
  for (let step = 0; step < out.kinds.length; step++) {
    const first = series.from[step]
    const end = series.to[step]
    if (end === first || skip[step] !== 0) continue
    const endMs = endsMs[step]
    const startMs = endMs - rangeMs
    const zeroMs = kind.isCounter ? zeroTime(series, first, startMs) : undefined
    if (end - first < 2 && zeroMs === undefined) continue
    const increase = histogramIncrease(series, first, end, kind.isCounter, zeroMs !== undefined, call)
    if (increase === undefined) continue
    const window = {
      firstMs: series.timesMs[first],
      lastMs: series.timesMs[end - 1],
      startMs,
      endMs,
      count: end - first,
      zeroMs,
    }
    const firstCount = kind.isCounter ? windowHistogram(series, first).count : undefined
    const factor = extrapolationFactor(window, increase.count, firstCount)
    setHistogram(out, step, multiplyHistogram(increase, factor / divisor))
  }
}

/** Computes rates of a series with floats and histograms. Windows with both get no value and a warning. */
function runMixedRates(series: WindowSeries, out: ColumnWriter, call: RangeCall, kind: RateKind): void {
  const { floats, histograms } = splitByType(series)
  const mixed = new Uint8Array(out.kinds.length)
  for (let step = 0; step < mixed.length; step++) {
    if (floats.to[step] === floats.from[step] || histograms.to[step] === histograms.from[step]) continue
    mixed[step] = 1
    annotateWarning(call, warnings.mixedRange(series.labels.metricName))
  }
  runFloatRates(floats, out, call, kind)
  for (let step = 0; step < mixed.length; step++) if (mixed[step] !== 0) out.kinds[step] = ABSENT
  runHistogramRates(histograms, mixed, out, call, kind)
}

function checkSeriesOverlaps(series: WindowSeries, call: RangeCall): void {
  if (series.startTimesMs === undefined) return
  for (let step = 0; step < series.from.length; step++) {
    checkOverlaps(series, series.from[step], series.to[step], call)
  }
}

function rateFunction(name: string, kind: RateKind): SeriesFunction {
  return rangeFunction(
    name,
    (original, out, call) => {
      const series = forRates(original, call)
      if (kind.isCounter) checkSeriesOverlaps(series, call)
      if (call.matrix.extension !== 'none') runExtended(series, out, call, kind)
      else if (series.histograms === undefined) runFloatRates(series, out, call, kind)
      else runMixedRates(series, out, call, kind)
      if (kind.isCounter && out.kinds.includes(FLOAT)) checkIsCounter(series, call)
    },
    { extensions: ['anchored', 'smoothed'] },
  )
}

export const rateFunctions: readonly SeriesFunction[] = [
  rateFunction('rate', { isCounter: true, isRate: true }),
  rateFunction('increase', { isCounter: true, isRate: false }),
  rateFunction('delta', { isCounter: false, isRate: false }),
]
