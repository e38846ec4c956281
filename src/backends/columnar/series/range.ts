import type { MatrixValue, Steps, WindowSeries } from '../../../functions/series/index.ts'
import type { SeriesRange } from '../../../plan/series/index.ts'
import { positiveMs, shiftedTimes, type SeriesEnvironment } from './environment.ts'
import { fetchSamples, withResets, withoutStale } from './fetch-samples.ts'
import { checkRoom } from './value-bytes.ts'

/** Fills, for ascending windows `(end − range, end]`, the index of the first sample inside and of the first beyond. */
export function fillWindows(
  timesMs: Float64Array,
  endsMs: Float64Array,
  rangeMs: number,
  from: Int32Array,
  to: Int32Array,
): void {
  const size = timesMs.length
  let first = 0
  let beyond = 0
  for (let step = 0; step < endsMs.length; step++) {
    const endMs = endsMs[step]
    const startMs = endMs - rangeMs
    while (beyond < size && timesMs[beyond] <= endMs) beyond++
    while (first < size && timesMs[first] <= startMs) first++
    from[step] = first
    to[step] = beyond
  }
}

export async function evaluateRange(
  range: SeriesRange,
  steps: Steps,
  environment: SeriesEnvironment,
  wantsResets: boolean,
): Promise<MatrixValue> {
  const { select } = range
  const rangeMs = positiveMs(range.range, environment, range.origin)
  const endsMs = shiftedTimes(select.shift, steps, environment, range.origin)
  const { extension } = select
  const { lookbackMs, budget } = environment
  const earlierMs = extension === 'none' ? 0 : lookbackMs
  const laterMs = extension === 'smoothed' ? lookbackMs : 0
  const lastMs = endsMs[endsMs.length - 1] + laterMs
  const found = await fetchSamples(select, endsMs[0] - rangeMs - earlierMs, lastMs, environment)
  checkRoom(budget, found.length * steps.count * 8)
  const bounds = new Int32Array(found.length * steps.count * 2)
  const series: WindowSeries[] = []
  for (const [i, samples] of found.entries()) {
    budget.checkpoint()
    await environment.pause()
    const { labels, timesMs, values, histograms, startTimesMs } = withoutStale(
      wantsResets ? withResets(samples) : samples,
    )
    const at = i * steps.count * 2
    const from = bounds.subarray(at, at + steps.count)
    const to = bounds.subarray(at + steps.count, at + steps.count * 2)
    fillWindows(timesMs, endsMs, rangeMs, from, to)
    series.push({
      labels,
      isNameDropped: false,
      timesMs,
      values,
      histograms: histograms?.some((histogram) => histogram !== undefined) === true ? histograms : undefined,
      startTimesMs,
      from,
      to,
    })
  }
  return { kind: 'matrix', series, rangeMs, endsMs, extension, lookbackMs }
}
