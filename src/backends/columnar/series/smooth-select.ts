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
 * Interpolates a series at each step between the two samples around the step's time, both within the look-back period.
 * If there is no later sample, the earlier one is used. Floats are interpolated as gauges; histograms as counters,
 * unless both are gauges. A step between a float and a histogram gets a warning and no value.
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
  // The index of the first sample after the step's time.
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
      // The hint describes the change from the previous sample, so it does not hold for a copy at a later time.
      setHistogram(out, step, withHint(a, 'unknown'))
      continue
    }
    const isCounter = mayReset && (a.hint !== 'gauge' || b.hint !== 'gauge')
    const between = interpolateHistograms(a, b, at, isCounter)
    if (between === undefined) warn(warnings.mixedSchemas(samples.labels.metricName))
    else setHistogram(out, step, between)
  }
}
