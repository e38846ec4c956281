import {
  ColumnBlock,
  FLOAT,
  hasAny,
  setHistogram,
  vector,
  type ColumnWriter,
  type SeriesColumn,
  type Steps,
  type VectorValue,
} from '../../../functions/series/index.ts'
import type { SeriesSelect } from '../../../plan/series/index.ts'
import type { SeriesSamples } from '../../../store/samples/index.ts'
import { shiftedTimes, type SeriesEnvironment } from './environment.ts'
import { fetchSamples, withResets } from './fetch-samples.ts'
import { smoothSeries } from './smooth-select.ts'

/** Property that a select returns for each sample: its value, time or start time. Times are in seconds. */
export type SelectMode = 'value' | 'sample-time' | 'start-time'

export interface SelectOptions {
  readonly mode: SelectMode
  /**
   * True if later nodes read only counts and sums of histograms. Unknown counter resets are then resolved when the
   * samples are read.
   */
  readonly wantsResets: boolean
}

/**
 * Reads the samples of a select and returns its value at each step. The times at which it reads must ascend or all be
 * equal.
 */
export async function evaluateSelect(
  select: SeriesSelect,
  steps: Steps,
  environment: SeriesEnvironment,
  options: SelectOptions,
): Promise<VectorValue> {
  const times = shiftedTimes(select.shift, steps, environment)
  const { lookbackMs, budget } = environment
  const isSmoothed = select.extension === 'smoothed'
  const lastMs = times[times.length - 1] + (isSmoothed ? lookbackMs : 0)
  const found = await fetchSamples(select, times[0] - lookbackMs, lastMs, environment)
  const block = new ColumnBlock(found.length, steps.count, budget)
  const columns: SeriesColumn[] = []
  for (let i = 0; i < found.length; i++) {
    const samples = options.wantsResets ? withResets(found[i]) : found[i]
    const out = block.column(i, samples.labels, false)
    if (isSmoothed) smoothSeries(samples, times, out, select, environment)
    else fillNewest(samples, times, lookbackMs, out, options.mode)
    if (hasAny(out)) columns.push(out)
    if ((i & 15) === 15) budget.checkpoint()
  }
  return vector(columns)
}

function fillNewest(
  samples: SeriesSamples,
  times: Float64Array,
  lookbackMs: number,
  out: ColumnWriter,
  mode: SelectMode,
): void {
  const { timesMs, values, staleness, histograms, startTimesMs } = samples
  const { values: outValues, kinds } = out
  const size = timesMs.length
  let next = 0
  for (let step = 0; step < times.length; step++) {
    const timeMs = times[step]
    while (next < size && timesMs[next] <= timeMs) next++
    const newest = next - 1
    if (newest < 0 || timesMs[newest] <= timeMs - lookbackMs) continue
    if (staleness !== undefined && staleness[newest] !== 0) continue
    if (mode === 'value') {
      const histogram = histograms === undefined ? undefined : histograms[newest]
      if (histogram !== undefined) {
        setHistogram(out, step, histogram)
        continue
      }
      outValues[step] = values[newest]
    } else {
      outValues[step] = (mode === 'sample-time' ? timesMs[newest] : (startTimesMs?.[newest] ?? 0)) / 1000
    }
    kinds[step] = FLOAT
  }
}
