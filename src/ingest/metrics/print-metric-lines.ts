import { ITEMS_PER_CHECKPOINT } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { Exemplar, MetricDescription, SamplesSlice } from '../../store/samples/index.ts'
import { histogramJson, numberJson } from './histogram-json.ts'

function labelsJson({ names, values }: Labels): string {
  const pairs = names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(values[i] ?? '')}`)
  return `{${pairs.join(',')}}`
}

/**
 * Yields samples of a series as lines that `readMetricLines` reads back exactly. Each line has the labels, times,
 * values and optional properties.
 */
export function* metricLines(labels: Labels, samples: SamplesSlice): Generator<string> {
  const metric = labelsJson(labels)
  const { timesMs, values, staleness, histograms, startTimesMs } = samples
  for (let from = 0; from < timesMs.length; from += ITEMS_PER_CHECKPOINT) {
    const to = Math.min(timesMs.length, from + ITEMS_PER_CHECKPOINT)
    const stale: number[] = []
    for (let i = from; i < to; i++) if (staleness?.[i] === 1) stale.push(i - from)
    const own = histograms?.slice(from, to)
    const starts = startTimesMs?.subarray(from, to)
    const members = [
      `"metric":${metric}`,
      `"values":[${Array.from(values.subarray(from, to), numberJson).join(',')}]`,
      `"timestamps":[${timesMs.subarray(from, to).join(',')}]`,
      ...(stale.length === 0 ? [] : [`"stale":[${stale.join(',')}]`]),
      ...(starts?.some((startMs) => startMs !== 0) === true ? [`"startTimestamps":[${starts.join(',')}]`] : []),
      ...(own?.some((each) => each !== undefined) === true
        ? [`"histograms":[${own.map(histogramJson).join(',')}]`]
        : []),
    ]
    yield `{${members.join(',')}}\n`
  }
}

/** Returns the exemplars of a series as a line. */
export function exemplarsLine(labels: Labels, exemplars: readonly Exemplar[]): string {
  const all = exemplars.map(
    (each) => `{"labels":${labelsJson(each.labels)},"value":${numberJson(each.value)},"timestamp":${each.timeMs}}`,
  )
  return `{"metric":${labelsJson(labels)},"exemplars":[${all.join(',')}]}\n`
}

/** Returns the description of a metric as a line. */
export function descriptionLine({ name, type, help, unit }: MetricDescription): string {
  return `{"metadata":${JSON.stringify({ name, type, help, unit })}}\n`
}
