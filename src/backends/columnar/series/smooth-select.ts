import {
  interpolateFloats,
  interpolateHistograms,
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
 * The value between the samples around each time, both within the look-back; the earlier one alone when no later one
 * is near. Floats are taken as gauges; histograms as the counters they mostly are.
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
  let next = 0
  for (let step = 0; step < times.length; step++) {
    const timeMs = times[step]
    while (next < timesMs.length && timesMs[next] <= timeMs) next++
    const before = next - 1
    if (before < 0 || timesMs[before] <= timeMs - lookbackMs) continue
    const hasAfter = next < timesMs.length && timesMs[next] <= timeMs + lookbackMs && timesMs[before] < timeMs
    const after = hasAfter ? next : before
    const elapsedMs = hasAfter ? timeMs - timesMs[before] : 0
    const at = { elapsedMs, spanMs: timesMs[after] - timesMs[before] }
    const a = histograms?.[before]
    const b = histograms?.[after]
    if (a === undefined && b === undefined) {
      setFloat(out, step, interpolateFloats(values[before], values[after], at, false))
    } else if (a === undefined || b === undefined) {
      warn(warnings.mixedRange(samples.labels.metricName))
    } else {
      const isCounter = a.hint !== 'gauge' && b.hint !== 'gauge'
      const between = interpolateHistograms(a, b, at, isCounter)
      if (between === undefined) warn(warnings.mixedSchemas(samples.labels.metricName))
      else setHistogram(out, step, between)
    }
  }
}
