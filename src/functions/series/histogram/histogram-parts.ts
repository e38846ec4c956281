import {
  allBuckets,
  isCustom,
  kahanStep,
  type Histogram,
  type HistogramBucket,
  type KahanSum,
} from '../../../data/index.ts'
import { HISTOGRAM, hasAny, histogramAt, newColumn, setFloat, type SeriesColumn } from '../columns.ts'
import type { SeriesFunction, SeriesProperties } from '../definition.ts'
import { mergeEqualLabels } from '../merge.ts'
import { dropName, vector, vectorArg } from '../values.ts'

/** Returns the value that represents all observations of a bucket. */
function bucketValue(histogram: Histogram, { lower, upper, isZero }: HistogramBucket): number {
  if (isCustom(histogram)) return (lower + upper) / 2
  if (isZero) return 0
  const middle = Math.sqrt(lower * upper)
  return upper <= 0 ? -middle : middle
}

function variance(histogram: Histogram): number {
  const mean = histogram.sum / histogram.count
  const total: KahanSum = { sum: 0, compensation: 0 }
  for (const bucket of allBuckets(histogram)) {
    const delta = bucketValue(histogram, bucket) - mean
    kahanStep(total, bucket.count * delta * delta)
  }
  return (total.sum + total.compensation) / histogram.count
}

/** Defines a function that computes a number from each native histogram. Skips floats. */
function histogramPart(
  name: string,
  part: (histogram: Histogram) => number,
  properties: Omit<SeriesProperties, 'name'> = {},
): SeriesFunction {
  return {
    name,
    keepsLabels: true,
    ...properties,
    evaluate: (args, call) => {
      const columns: SeriesColumn[] = []
      for (const column of vectorArg(args, 0).series) {
        if (column.histograms === undefined) continue
        const { labels, isNameDropped } = dropName(column.labels, call)
        const out = newColumn(labels, isNameDropped, call.steps.count)
        for (let step = 0; step < call.steps.count; step++) {
          if (column.kinds[step] === HISTOGRAM) setFloat(out, step, part(histogramAt(column, step)))
        }
        if (hasAny(out)) columns.push(out)
      }
      return vector(mergeEqualLabels(columns, call.origin, true))
    },
  }
}

const totals = { readsHistograms: 'totals' } as const

export const histogramPartFunctions: readonly SeriesFunction[] = [
  histogramPart('histogram_count', (histogram) => histogram.count, totals),
  histogramPart('histogram_sum', (histogram) => histogram.sum, totals),
  histogramPart('histogram_avg', (histogram) => histogram.sum / histogram.count, totals),
  histogramPart('histogram_stdvar', variance),
  histogramPart('histogram_stddev', (histogram) => Math.sqrt(variance(histogram))),
]
