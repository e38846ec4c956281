import type { MatrixValue, Steps, WindowSeries } from '../../../functions/series/index.ts'
import type { SeriesRange } from '../../../plan/series/index.ts'
import type { SeriesSamples } from '../../../store/samples/index.ts'
import { positiveMs } from './durations.ts'
import { shiftedTimes, type SeriesEnvironment } from './environment.ts'
import { fetchSamples, withResets, withoutStale } from './fetch-samples.ts'
import { checkRoom } from './value-bytes.ts'

/**
 * Finds the samples in each window `(end − range, end]`; the ends ascend. For each window, writes the index of its
 * first sample and the index after its last one.
 */
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

/**
 * A series with the sample range of each window. Ranges are computed when a function first reads them; rate functions
 * compute them while they read the samples.
 */
class RangeSeries implements WindowSeries {
  readonly labels: WindowSeries['labels']
  readonly isNameDropped = false
  readonly timesMs: Float64Array
  readonly values: Float64Array
  readonly histograms: WindowSeries['histograms']
  readonly startTimesMs: Float64Array | undefined
  readonly #endsMs: Float64Array
  readonly #rangeMs: number
  #from: Int32Array | undefined
  #to: Int32Array | undefined

  constructor(
    { labels, timesMs, values, histograms, startTimesMs }: SeriesSamples,
    endsMs: Float64Array,
    rangeMs: number,
  ) {
    this.labels = labels
    this.timesMs = timesMs
    this.values = values
    this.histograms = histograms?.some((histogram) => histogram !== undefined) === true ? histograms : undefined
    this.startTimesMs = startTimesMs
    this.#endsMs = endsMs
    this.#rangeMs = rangeMs
  }

  get from(): Int32Array {
    return this.#from ?? this.#lookUp()[0]
  }

  get to(): Int32Array {
    return this.#to ?? this.#lookUp()[1]
  }

  #lookUp(): readonly [from: Int32Array, to: Int32Array] {
    const { length } = this.#endsMs
    const from = (this.#from = new Int32Array(length))
    const to = (this.#to = new Int32Array(length))
    fillWindows(this.timesMs, this.#endsMs, this.#rangeMs, from, to)
    return [from, to]
  }
}

export async function evaluateRange(
  range: SeriesRange,
  steps: Steps,
  environment: SeriesEnvironment,
  wantsResets: boolean,
): Promise<MatrixValue> {
  const { select } = range
  const rangeMs = positiveMs(range.range, environment.query)
  const endsMs = shiftedTimes(select.shift, steps, environment)
  const { extension } = select
  const { lookbackMs, budget } = environment
  const earlierMs = extension === 'none' ? 0 : lookbackMs
  const laterMs = extension === 'smoothed' ? lookbackMs : 0
  const lastMs = endsMs[endsMs.length - 1] + laterMs
  const found = await fetchSamples(select, endsMs[0] - rangeMs - earlierMs, lastMs, environment)
  // Checks the memory for the windows of all series: two 4-byte numbers for each step.
  checkRoom(budget, found.length * steps.count * 8)
  const series: WindowSeries[] = []
  for (const samples of found) {
    budget.checkpoint()
    series.push(new RangeSeries(withoutStale(wantsResets ? withResets(samples) : samples), endsMs, rangeMs))
  }
  return { kind: 'matrix', series, rangeMs, endsMs, extension, lookbackMs }
}
