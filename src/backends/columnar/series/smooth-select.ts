import { withHint } from '../../../data/index.ts'
import {
  canReset,
  interpolateFloats,
  interpolateHistograms,
  SampleSpan,
  setFloat,
  setHistogram,
  warnings,
  type ColumnWriter,
} from '../../../functions/series/index.ts'
import type { SeriesSelect } from '../../../plan/series/index.ts'
import type { SeriesSamples } from '../../../store/samples/index.ts'
import type { SeriesEnvironment } from './environment.ts'
import { withoutStale } from './fetch-samples.ts'

/**
 * Fills each step with the value between the two samples around its time, both within the look-back period; with the
 * earlier one when there is no later one. Floats count as gauges, histograms as counters unless both are gauges. A step
 * gets no value, and a warning, when the look-back period on both sides holds floats and histograms.
 */
export function smoothSeries(
  original: SeriesSamples,
  times: Float64Array,
  out: ColumnWriter,
  select: SeriesSelect,
  environment: SeriesEnvironment,
): void {
  const samples = withoutStale(original)
  const { timesMs, values, histograms } = samples
  const { lookbackMs } = environment
  const warn = (text: string): void => environment.annotate({ severity: 'warning', text, origin: select.origin })
  const mayReset = canReset(samples, environment.flags)
  const around = new SampleSpan(samples)
  // The index of the first sample after the time.
  let next = 0
  for (let step = 0; step < times.length; step++) {
    const timeMs = times[step]
    around.moveTo(timeMs - lookbackMs, timeMs + lookbackMs)
    const { first, end } = around
    while (next < end && timesMs[next] <= timeMs) next++
    if (around.isMixed) {
      warn(warnings.mixedRange(samples.labels.metricName))
      continue
    }
    const before = next - 1
    if (before < first) continue
    const hasAfter = next < end && timesMs[before] < timeMs
    const after = hasAfter ? next : before
    const elapsedMs = hasAfter ? timeMs - timesMs[before] : 0
    const at = { elapsedMs, spanMs: timesMs[after] - timesMs[before] }
    const a = histograms?.[before]
    const b = histograms?.[after]
    if (a === undefined || b === undefined) {
      setFloat(out, step, interpolateFloats(values[before], values[after], at, false))
      continue
    }
    if (!hasAfter && timesMs[before] < timeMs) {
      // The hint describes the previous sample, which a copy at a later time does not follow.
      setHistogram(out, step, withHint(a, 'unknown'))
      continue
    }
    const isCounter = mayReset && (a.hint !== 'gauge' || b.hint !== 'gauge')
    const between = interpolateHistograms(a, b, at, isCounter)
    if (between === undefined) warn(warnings.mixedSchemas(samples.labels.metricName))
    else setHistogram(out, step, between)
  }
}
