import type { ChartSeries } from '../../widgets/time-chart.tsx'
import type { Result, SentExemplars, SentLabels } from './prometheus.ts'

/** Maximum length of a series name in the legend, UTF-16 units. */
const NAME_CHARS = 300

/** Formats labels in PromQL syntax; `whole` for an empty set. */
export function labelsText(labels: SentLabels, whole: string): string {
  const { __name__: name = '', ...others } = labels
  const pairs = Object.entries(others).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  const text = `${name}${pairs.length === 0 ? '' : `{${pairs.join(', ')}}`}`
  if (text === '') return whole
  return text.length > NAME_CHARS ? `${text.slice(0, NAME_CHARS)}…` : text
}

/** Returns the labels in which series differ. Labels that all series share would only lengthen their names. */
function distinguishing(all: readonly SentLabels[]): readonly SentLabels[] {
  const [first = {}] = all
  const shared = new Set(Object.keys(first).filter((name) => all.every((labels) => labels[name] === first[name])))
  if (all.length < 2) return all
  return all.map((labels) => Object.fromEntries(Object.entries(labels).filter(([name]) => !shared.has(name))))
}

/**
 * Returns the evaluation times of a range query, Unix ms. They are multiples of the step, so that repeated queries have
 * the same times.
 */
export function timesOf(startMs: number, endMs: number, stepMs: number): readonly number[] {
  const times: number[] = []
  for (let ms = Math.ceil(startMs / stepMs) * stepMs; ms <= endMs; ms += stepMs) times.push(ms)
  return times
}

/** Chart series of the answer to one expression. */
export interface Charted {
  readonly series: readonly ChartSeries[]
  /** Number of native histogram series, which have buckets instead of numbers and are not drawn. */
  readonly histograms: number
}

/** Converts a range query result to chart series. */
export function chartedSeries(result: Result, expression: string, prefix: string, timesMs: readonly number[]): Charted {
  if (result.resultType !== 'matrix') return { series: [], histograms: 0 }
  const [first = 0, second = first + 1] = timesMs
  const stepMs = second - first
  const drawn = result.result.filter(({ values }) => values !== undefined)
  const labels = distinguishing(drawn.map(({ metric }) => metric))
  const series = drawn.map(({ values = [] }, i): ChartSeries => {
    const numbers: (number | null)[] = timesMs.map(() => null)
    for (const [seconds, text] of values) {
      const value = Number(text)
      // A chart cannot draw infinities and NaN.
      if (Number.isFinite(value)) numbers[Math.round((seconds * 1000 - first) / stepMs)] = value
    }
    return { name: `${prefix}${labelsText(labels[i] ?? {}, expression)}`, values: numbers }
  })
  const histograms = result.result.filter((each) => each.histograms !== undefined && each.values === undefined).length
  return { series, histograms }
}

/** A row of the table: a series and its value at one time. */
export interface InstantRow {
  readonly labels: SentLabels
  readonly value: string
}

/** Returns the rows of an instant query. */
export function instantRows(result: Result): readonly InstantRow[] {
  if (result.resultType === 'scalar' || result.resultType === 'string') return [{ labels: {}, value: result.result[1] }]
  return result.result.map(({ metric, value, histogram }) => ({
    labels: metric,
    value: value?.[1] ?? (histogram === undefined ? '' : `count ${histogram[1].count}, sum ${histogram[1].sum}`),
  }))
}

/** An exemplar: a sample with the id of its trace. */
export interface Exemplar {
  readonly timeMs: number
  readonly value: number
  readonly trace: string
}

/** Names of exemplar labels that hold a trace id. */
const TRACE_LABELS = ['trace_id', 'traceID', 'traceId']

/** Returns the exemplars with the largest values that have a trace id, in time order. */
export function exemplarsOf(sent: readonly SentExemplars[], most: number): readonly Exemplar[] {
  const found = sent.flatMap(({ exemplars }) =>
    exemplars.flatMap(({ labels, value, timestamp }): readonly Exemplar[] => {
      const name = TRACE_LABELS.find((label) => Object.hasOwn(labels, label))
      const trace = name === undefined ? '' : (labels[name] ?? '')
      const number = Number(value)
      return trace === '' || !Number.isFinite(number) ? [] : [{ timeMs: timestamp * 1000, value: number, trace }]
    }),
  )
  const largest = found.toSorted((a, b) => b.value - a.value).slice(0, most)
  return largest.toSorted((a, b) => a.timeMs - b.timeMs)
}
