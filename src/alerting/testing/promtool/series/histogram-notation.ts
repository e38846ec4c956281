import {
  addHistograms,
  combineHints,
  CUSTOM_SCHEMA,
  denseBuckets,
  subtractHistograms,
  withHint,
  type BucketList,
  type Histogram,
  type ResetHint,
} from '../../../../data/index.ts'
import { printNumberShort } from '../../../../lang/promql/index.ts'
import type { HistogramKey } from './items.ts'

/** The fields between the braces of a histogram. */
export type HistogramFields = ReadonlyMap<HistogramKey, number | readonly number[] | ResetHint>

function numberField(fields: HistogramFields, key: HistogramKey): number {
  const value = fields.get(key)
  return typeof value === 'number' ? value : 0
}

function listField(fields: HistogramFields, key: HistogramKey): readonly number[] {
  const value = fields.get(key)
  return Array.isArray(value) ? (value as readonly number[]) : []
}

/** Creates a histogram from its fields; missing ones are 0 or empty. */
export function makeHistogram(fields: HistogramFields): Histogram {
  const hint = fields.get('counter_reset_hint')
  return {
    schema: numberField(fields, 'schema'),
    count: numberField(fields, 'count'),
    sum: numberField(fields, 'sum'),
    zeroThreshold: numberField(fields, 'z_bucket_w'),
    zeroCount: numberField(fields, 'z_bucket'),
    positive: denseBuckets(numberField(fields, 'offset'), listField(fields, 'buckets')),
    negative: denseBuckets(numberField(fields, 'n_offset'), listField(fields, 'n_buckets')),
    bounds: listField(fields, 'custom_values'),
    hint: typeof hint === 'string' ? hint : 'unknown',
  }
}

/** A sequence of histograms, or an error message. */
export type NotationSeries = { readonly histograms: readonly Histogram[] } | { readonly error: string }

/** Returns the first histogram and `count` more, each the previous one plus or minus `step`. */
export function repeatHistogram(first: Histogram, step: Histogram, sign: 1 | -1, count: number): NotationSeries {
  const histograms = [first]
  let current = first
  for (let i = 0; i < count; i++) {
    if (current.schema > step.schema) {
      const why = `cannot merge from schema ${step.schema} to ${current.schema}`
      return { error: `error combining histograms: ${why}` }
    }
    const combined = sign === 1 ? addHistograms(current, step) : subtractHistograms(current, step)
    if (combined === undefined) return { error: 'error combining histograms: exponential and custom buckets' }
    current = withHint(combined.histogram, combineHints(current.hint, step.hint).hint)
    histograms.push(current)
  }
  return { histograms }
}

function printList(values: readonly number[]): string {
  return `[${values.map((value) => printNumberShort(value, 6)).join(' ')}]`
}

/** Prints the counts from the first populated bucket to the last. */
function printBuckets(offsetKey: HistogramKey, key: HistogramKey, list: BucketList): string[] {
  const [first] = list.indexes
  if (first === undefined) return []
  const counts: number[] = []
  list.indexes.forEach((index, i) => {
    while (counts.length < index - first) counts.push(0)
    counts.push(list.counts[i] ?? 0)
  })
  const offset = first === 0 ? [] : [`${offsetKey}:${first}`]
  return [...offset, `${key}:${printList(counts)}`]
}

/** Prints a histogram in canonical series notation: `{{schema:1 count:3 sum:2.5 buckets:[1 2]}}`. */
export function printHistogramNotation(histogram: Histogram): string {
  const parts: string[] = []
  const addNumber = (key: HistogramKey, value: number): void => {
    if (value !== 0) parts.push(`${key}:${printNumberShort(value, 6)}`)
  }
  addNumber('schema', histogram.schema)
  addNumber('count', histogram.count)
  addNumber('sum', histogram.sum)
  addNumber('z_bucket', histogram.zeroCount)
  addNumber('z_bucket_w', histogram.zeroThreshold)
  if (histogram.schema === CUSTOM_SCHEMA) parts.push(`custom_values:${printList(histogram.bounds)}`)
  if (histogram.hint !== 'unknown') parts.push(`counter_reset_hint:${histogram.hint.replace('-', '_')}`)
  parts.push(...printBuckets('offset', 'buckets', histogram.positive))
  parts.push(...printBuckets('n_offset', 'n_buckets', histogram.negative))
  return `{{${parts.join(' ')}}}`
}
