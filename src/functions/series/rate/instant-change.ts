import { equalHistograms, subtractHistograms, withHint, multiplyHistogram } from '../../../data/index.ts'
import { warnings } from '../annotation.ts'
import { setFloat, setHistogram, type ColumnWriter } from '../columns.ts'
import type { SeriesFlags, SeriesFunction, WindowSeries } from '../definition.ts'
import { acceptCombined } from '../histogram/histogram-increase.ts'
import { isHistogramReset } from '../histogram/histogram-resets.ts'
import { annotateWarning, rangeFunction, type RangeCall } from '../range-function.ts'
import { forRates, isRestarted } from './start-times.ts'
import { windowHistogram } from '../windows.ts'

/** Computes the change between the last two samples of each window. */
function lastChange(series: WindowSeries, out: ColumnWriter, call: RangeCall, isRate: boolean): void {
  const { from, to, values, timesMs, histograms } = series
  const name = series.labels.metricName
  for (let step = 0; step < out.kinds.length; step++) {
    const last = to[step] - 1
    const previous = last - 1
    if (previous < from[step]) continue
    const interval = isRate ? (timesMs[last] - timesMs[previous]) / 1000 : 1
    if (interval === 0) continue
    const isHistogram = histograms?.[last] !== undefined
    if (isHistogram !== (histograms?.[previous] !== undefined)) {
      annotateWarning(call, warnings.mixedRange(name))
    } else if (!isHistogram) {
      const isReset = isRate && (values[last] < values[previous] || isRestarted(series, last))
      setFloat(out, step, (isReset ? values[last] : values[last] - values[previous]) / interval)
    } else {
      lastHistogramChange(series, last, out, step, call, isRate, interval)
    }
  }
}

function lastHistogramChange(
  series: WindowSeries,
  last: number,
  out: ColumnWriter,
  step: number,
  call: RangeCall,
  isRate: boolean,
  interval: number,
): void {
  const after = windowHistogram(series, last)
  const before = windowHistogram(series, last - 1)
  const name = series.labels.metricName
  const isGauge = after.hint === 'gauge' && before.hint === 'gauge'
  if (isRate && (after.hint === 'gauge' || before.hint === 'gauge')) annotateWarning(call, warnings.notCounter(name))
  if (!isRate && !isGauge) annotateWarning(call, warnings.notGauge(name))
  const isReset = isRate && (isRestarted(series, last) || isHistogramReset(series, before, after, call.flags))
  const change = isReset ? after : acceptCombined(subtractHistograms(after, before), 'subtraction', series, call)
  if (change !== undefined) setHistogram(out, step, withHint(multiplyHistogram(change, 1 / interval), 'gauge'))
}

/** True if two samples differ. NaN equals NaN; a float never equals a histogram. */
function isChanged(series: WindowSeries, a: number, b: number): boolean {
  const x = series.histograms?.[a]
  const y = series.histograms?.[b]
  if (x !== undefined && y !== undefined) return !equalHistograms(x, y)
  if (x !== undefined || y !== undefined) return true
  const before = series.values[a]
  const after = series.values[b]
  return before !== after && !(before !== before && after !== after)
}

function isReset(series: WindowSeries, previous: number, current: number, flags: SeriesFlags): boolean {
  const x = series.histograms?.[previous]
  const y = series.histograms?.[current]
  if (x !== undefined && y !== undefined) return isHistogramReset(series, x, y, flags) || isRestarted(series, current)
  if (x !== undefined || y !== undefined) return true
  return series.values[current] < series.values[previous] || isRestarted(series, current)
}

/**
 * Counts the pairs of adjacent samples in each window that satisfy a test. Anchored windows include the sample before
 * them.
 */
function countPairs(
  name: string,
  test: (series: WindowSeries, previous: number, current: number, flags: SeriesFlags) => boolean,
): SeriesFunction {
  return rangeFunction(
    name,
    (original, out, call) => {
      const series = forRates(original, call)
      const { from, to } = series
      const size = series.timesMs.length
      const before = new Int32Array(size + 1)
      for (let i = 1; i < size; i++) before[i + 1] = before[i] + (test(series, i - 1, i, call.flags) ? 1 : 0)
      for (let step = 0; step < out.kinds.length; step++) {
        let first = from[step]
        if (to[step] === first) continue
        if (call.matrix.extension === 'anchored' && first > 0) {
          const startMs = call.matrix.endsMs[step] - call.matrix.rangeMs
          if (series.timesMs[first - 1] > startMs - call.matrix.lookbackMs) first--
        }
        setFloat(out, step, before[to[step]] - before[first + 1])
      }
    },
    { extensions: ['anchored'] },
  )
}

export const changeFunctions: readonly SeriesFunction[] = [
  rangeFunction('irate', (series, out, call) => lastChange(forRates(series, call), out, call, true)),
  rangeFunction('idelta', (series, out, call) => lastChange(series, out, call, false)),
  countPairs('changes', isChanged),
  countPairs('resets', isReset),
]
