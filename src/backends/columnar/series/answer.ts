import { lineColumnAt, nowhere, spanOf } from '../../../base/index.ts'
import { compareLabels, METRIC_NAME, type Histogram, type Labels } from '../../../data/index.ts'
import {
  ABSENT,
  FLOAT,
  HISTOGRAM,
  METADATA_LABELS,
  hasAny,
  isAscending,
  mergeEqualLabels,
  relabel,
  type Annotation,
  type SeriesColumn,
  type SeriesValue,
  type Steps,
} from '../../../functions/series/index.ts'

/** One series of an answer with its samples, oldest first. */
export interface AnswerSeries {
  readonly labels: Labels
  /** Times in milliseconds since 1970. Series with equal times share one array. */
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** The histogram of each sample; `undefined` for a float. The whole list is `undefined` if all samples are floats. */
  readonly histograms: readonly (Histogram | undefined)[] | undefined
}

export interface AnswerSample {
  readonly labels: Labels
  readonly value: number
  /** The histogram of the sample, used instead of `value`; `undefined` for a float. */
  readonly histogram: Histogram | undefined
}

/** The answer of a metric query, in the types of the Prometheus API. */
export type SeriesAnswer =
  /** Series ordered by label set. */
  | { readonly type: 'matrix'; readonly series: readonly AnswerSeries[] }
  /** Samples ordered by label set, unless the query defines an order. */
  | { readonly type: 'vector'; readonly timeMs: number; readonly samples: readonly AnswerSample[] }
  | { readonly type: 'scalar'; readonly timeMs: number; readonly value: number }
  | { readonly type: 'string'; readonly timeMs: number; readonly value: string }

/** True if all series had the same metric name and lost only the name label, so that their order is unchanged. */
function lostOneName(marked: readonly SeriesColumn[], unmarked: readonly SeriesColumn[]): boolean {
  const name = marked[0]?.labels.values[0]
  return marked.every(
    ({ labels }, i) =>
      labels.names[0] === METRIC_NAME && labels.values[0] === name && unmarked[i].labels.size === labels.size - 1,
  )
}

/**
 * Removes the metric names of series that are marked for removal, and then merges series with equal label sets.
 * `isInOrder` tells whether the result is ordered by label set.
 */
function withoutMarks(marked: readonly SeriesColumn[]): readonly [series: readonly SeriesColumn[], isInOrder: boolean] {
  const series = marked.filter((column) => hasAny(column))
  const unmarked = series.map((column) =>
    column.isNameDropped ? relabel(column, column.labels.without(METADATA_LABELS), false) : column,
  )
  const isSame = unmarked.every(({ labels }, i) => labels === series[i].labels)
  if ((isSame || lostOneName(series, unmarked)) && isAscending(series)) return [unmarked, true]
  return [mergeEqualLabels(unmarked, nowhere, false), false]
}

/** Caches slices of the query's times. Series with samples at the same range of steps share one slice. */
class StepTimes {
  readonly #steps: Steps
  readonly #known = new Map<number, Float64Array>()

  constructor(steps: Steps) {
    this.#steps = steps
  }

  slice(from: number, to: number): Float64Array {
    const { timesMs, count } = this.#steps
    if (from === 0 && to === count) return timesMs
    const key = from * (count + 1) + to
    let slice = this.#known.get(key)
    if (slice === undefined) {
      slice = timesMs.subarray(from, to)
      this.#known.set(key, slice)
    }
    return slice
  }
}

function toAnswerSeries(column: SeriesColumn, steps: Steps, stepTimes: StepTimes): AnswerSeries {
  const { labels, kinds, values } = column
  const histograms = answerHistograms(column)
  let from = 0
  while (kinds[from] === ABSENT) from++
  let to = kinds.length
  while (kinds[to - 1] === ABSENT) to--
  const hole = kinds.subarray(from, to).indexOf(ABSENT)
  if (hole === -1) {
    return {
      labels,
      timesMs: stepTimes.slice(from, to),
      values: values.subarray(from, to),
      histograms: histograms?.slice(from, to),
    }
  }
  const isPresent = (_: unknown, step: number): boolean => kinds[step] !== ABSENT
  return {
    labels,
    timesMs: steps.timesMs.filter(isPresent),
    values: values.filter(isPresent),
    histograms: histograms?.filter(isPresent),
  }
}

/**
 * Returns the histogram of each step; `undefined` for a step with a float. Returns `undefined` if the column has only
 * floats.
 */
function answerHistograms(column: SeriesColumn): readonly (Histogram | undefined)[] | undefined {
  const { histograms, kinds } = column
  if (histograms === undefined || !kinds.includes(HISTOGRAM)) return undefined
  return histograms.map((histogram, step) => (kinds[step] === HISTOGRAM ? histogram : undefined))
}

function byLabels(a: { readonly labels: Labels }, b: { readonly labels: Labels }): number {
  return compareLabels(a.labels, b.labels)
}

/** Converts the value of a range query to its answer. */
export function rangeAnswer(value: SeriesValue, steps: Steps, emptyLabels: Labels): SeriesAnswer {
  if (value.kind === 'scalar') {
    const series = { labels: emptyLabels, timesMs: steps.timesMs, values: value.values, histograms: undefined }
    return { type: 'matrix', series: [series] }
  }
  if (value.kind !== 'vector') return { type: 'matrix', series: [] }
  const stepTimes = new StepTimes(steps)
  const [columns, isInOrder] = withoutMarks(value.series)
  const series = columns.map((column) => toAnswerSeries(column, steps, stepTimes))
  return { type: 'matrix', series: isInOrder ? series : series.sort(byLabels) }
}

/** Converts the value of an instant query to its answer. */
export function instantAnswer(value: SeriesValue, timeMs: number): SeriesAnswer {
  switch (value.kind) {
    case 'scalar':
      return { type: 'scalar', timeMs, value: value.values[0] }
    case 'string':
      return { type: 'string', timeMs, value: value.value }
    case 'vector': {
      const [columns, isInOrder] = withoutMarks(value.series)
      const samples = columns.map((column): AnswerSample => {
        const histogram = column.kinds[0] === FLOAT ? undefined : column.histograms?.[0]
        return { labels: column.labels, value: column.values[0], histogram }
      })
      return { type: 'vector', timeMs, samples: value.isOrdered || isInOrder ? samples : samples.sort(byLabels) }
    }
    case 'matrix': {
      const series: AnswerSeries[] = []
      for (const window of value.series) {
        const from = window.from[0]
        const to = window.to[0]
        if (from === to) continue
        const histograms = window.histograms?.slice(from, to)
        series.push({
          labels: window.isNameDropped ? window.labels.without(METADATA_LABELS) : window.labels,
          timesMs: window.timesMs.subarray(from, to),
          values: window.values.subarray(from, to),
          histograms: histograms?.some((histogram) => histogram !== undefined) === true ? histograms : undefined,
        })
      }
      return { type: 'matrix', series: series.sort(byLabels) }
    }
  }
}

/** Collects the warnings and notes of one query. Each pair of text and position in the query is collected once. */
export class AnnotationList {
  readonly #seen = new Map<Annotation['origin'], Set<string>>()
  readonly annotations: Annotation[] = []

  add(annotation: Annotation): void {
    let texts = this.#seen.get(annotation.origin)
    if (texts === undefined) {
      texts = new Set()
      this.#seen.set(annotation.origin, texts)
    }
    const key = `${annotation.severity} ${annotation.text}`
    if (texts.has(key)) return
    texts.add(key)
    this.annotations.push(annotation)
  }
}

/**
 * Formats an annotation as Prometheus does: `PromQL warning: … (line:column)`, with the column in bytes. The position
 * is omitted if `source`, the text of the query, is not known.
 */
export function renderAnnotation(annotation: Annotation, source: string | undefined): string {
  const span = spanOf(annotation.origin)
  const text = `PromQL ${annotation.severity}: ${annotation.text}`
  if (span === undefined || source === undefined) return text
  const { line, column } = lineColumnAt(source, span.start)
  const before = source.slice(span.start - column + 1, span.start)
  return `${text} (${line}:${new TextEncoder().encode(before).length + 1})`
}
