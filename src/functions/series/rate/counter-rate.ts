import type { MatrixValue, SeriesFunction, WindowSeries } from '../definition.ts'
import { floatRangeFunction } from '../range-function.ts'

/**
 * Maximum distance between an end of the window and the nearest sample, in mean sample distances, up to which the
 * counter is extrapolated to that end. Beyond it, the counter is extrapolated by half a mean distance.
 */
const REACH = 1.1

/** Returns the increase of a counter over a window, resets included, per second of the window. */
function ratePerSecond(
  { timesMs, values }: WindowSeries,
  from: number,
  to: number,
  { endsMs, rangeMs }: MatrixValue,
  step: number,
): number {
  if (to - from < 2) return 0
  const first = values[from]
  let increase = values[to - 1] - first
  for (let i = from + 1; i < to; i++) if (values[i] < values[i - 1]) increase += values[i - 1]
  const sampled = timesMs[to - 1] - timesMs[from]
  const mean = sampled / (to - from - 1)
  const after = endsMs[step] - timesMs[to - 1]
  let before = timesMs[from] - (endsMs[step] - rangeMs)
  // A counter is never below zero, which limits the time before its first sample.
  if (increase > 0 && first >= 0) before = Math.min(before, sampled * (first / increase))
  const reach = (ms: number): number => (ms < mean * REACH ? ms : mean / 2)
  const covered = sampled + reach(before) + reach(after)
  return (increase * (covered / sampled)) / (rangeMs / 1000)
}

/** LogQL's `rate_counter`: like PromQL's `rate`, but 0 for a window with one sample. */
const counterRate: SeriesFunction = floatRangeFunction(
  'counter-rate',
  (series, { matrix }) =>
    (from, to, step) =>
      ratePerSecond(series, from, to, matrix, step),
)

export const counterRateFunctions: readonly SeriesFunction[] = [counterRate]
