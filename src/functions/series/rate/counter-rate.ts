import type { MatrixValue, SeriesFunction, WindowSeries } from '../definition.ts'
import { floatRangeFunction } from '../range-function.ts'

/** A sample may be missing at an end of a window if it is farther away than this many mean distances of samples. */
const REACH = 1.1

/** The increase of a counter over a window, in which it may have started anew, per second of the window. */
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
  // A counter was not below zero before its first sample.
  if (increase > 0 && first >= 0) before = Math.min(before, sampled * (first / increase))
  const reach = (ms: number): number => (ms < mean * REACH ? ms : mean / 2)
  const covered = sampled + reach(before) + reach(after)
  return (increase * (covered / sampled)) / (rangeMs / 1000)
}

/** `rate_counter` of LogQL: `rate` of PromQL, but 0 where a window has one sample. */
const counterRate: SeriesFunction = floatRangeFunction(
  'counter-rate',
  (series, { matrix }) =>
    (from, to, step) =>
      ratePerSecond(series, from, to, matrix, step),
)

export const counterRateFunctions: readonly SeriesFunction[] = [counterRate]
