import { ENTRY_BYTES, assertNever, chargeWork, work, type Budget } from '../../../base/index.ts'
import type { FieldRef, Metric, MetricFunction } from '../../../lang/traceql/index.ts'
import { fieldValue, singleValue } from '../fields.ts'
import type { TraceSpan } from '../model.ts'
import { numberOf, type Operand } from '../values.ts'
import { bucketOf, quantileOf } from './log2.ts'
import {
  NAME,
  sampleCount,
  sampleOf,
  seriesKey,
  type SampleTimes,
  type SeriesLabel,
  type TraceSeries,
} from './series.ts'

const NS_PER_SECOND = 1e9

/** Estimated memory of a group without its labels and values, bytes: entries of maps, and objects. */
const GROUP_BYTES = 300

/**
 * Returns the divisor of a field's values. As in Tempo, durations of spans are measured in seconds, and other durations
 * in ns.
 */
function unitOf(field: FieldRef): number {
  return field.kind === 'intrinsic' && field.name === 'duration' ? NS_PER_SECOND : 1
}

function numbersOf(value: Operand | undefined): readonly (number | bigint)[] {
  if (value?.type === 'array') return value.items.flatMap(numbersOf)
  const number = numberOf(value)
  return number === undefined ? [] : [number]
}

/**
 * Aggregates the values of one group, by sample. Charges memory that grows with the number of spans or series to the
 * query.
 */
interface Fold {
  add(sample: number, span: TraceSpan): void
  /** Returns the series of the group. Their own labels precede those of the group. */
  series(): readonly TraceSeries[]
}

class CountFold implements Fold {
  readonly #values: Float64Array
  readonly #seconds: number

  constructor(count: number, seconds: number) {
    this.#values = new Float64Array(count)
    this.#seconds = seconds
  }

  add(sample: number): void {
    this.#values[sample] = (this.#values[sample] ?? 0) + 1
  }

  series(): readonly TraceSeries[] {
    return [{ labels: [], values: this.#values.map((value) => value / this.#seconds) }]
  }
}

type NumberFunction = 'min_over_time' | 'max_over_time' | 'sum_over_time' | 'avg_over_time'

class NumberFold implements Fold {
  readonly #name: NumberFunction
  readonly #field: FieldRef
  readonly #values: Float64Array
  readonly #counts: Float64Array

  constructor(name: NumberFunction, field: FieldRef, count: number) {
    this.#name = name
    this.#field = field
    this.#values = new Float64Array(count).fill(NaN)
    this.#counts = new Float64Array(count)
  }

  add(sample: number, span: TraceSpan): void {
    for (const number of numbersOf(fieldValue(this.#field, span))) {
      const value = Number(number) / unitOf(this.#field)
      const before = this.#values[sample] ?? NaN
      this.#values[sample] = Number.isNaN(before) ? value : this.#combined(before, value)
      this.#counts[sample] = (this.#counts[sample] ?? 0) + 1
    }
  }

  #combined(a: number, b: number): number {
    switch (this.#name) {
      case 'min_over_time':
        return Math.min(a, b)
      case 'max_over_time':
        return Math.max(a, b)
      case 'sum_over_time':
      case 'avg_over_time':
        return a + b
      default:
        return assertNever(this.#name)
    }
  }

  series(): readonly TraceSeries[] {
    const values =
      this.#name === 'avg_over_time' ? this.#values.map((sum, i) => sum / (this.#counts[i] ?? 1)) : this.#values
    return values.every(Number.isNaN) ? [] : [{ labels: [], values }]
  }
}

const NOTHING: ReadonlyMap<number, number> = new Map()

/** Counts integers and durations in buckets whose upper bounds are powers of two. */
class BucketFold implements Fold {
  readonly #field: FieldRef
  readonly #quantiles: readonly number[] | undefined
  readonly #counts: (Map<number, number> | undefined)[]

  /** With `quantiles`, each quantile becomes a series; otherwise each bucket does. */
  constructor(field: FieldRef, quantiles: readonly number[] | undefined, count: number) {
    this.#field = field
    this.#quantiles = quantiles
    this.#counts = Array.from({ length: count })
  }

  add(sample: number, span: TraceSpan): void {
    for (const number of numbersOf(fieldValue(this.#field, span))) {
      const bucket = typeof number === 'bigint' ? bucketOf(number) : undefined
      if (bucket !== undefined) this.#count(sample, bucket)
    }
  }

  #count(sample: number, bucket: number): void {
    const counts = (this.#counts[sample] ??= new Map<number, number>())
    const before = counts.get(bucket)
    if (before === undefined) chargeWork(ENTRY_BYTES)
    counts.set(bucket, (before ?? 0) + 1)
  }

  #values(of: (counts: ReadonlyMap<number, number>) => number): Float64Array {
    chargeWork(this.#counts.length * 8)
    return Float64Array.from(this.#counts, (given) => {
      const counts = given ?? NOTHING
      work(1 + counts.size)
      return of(counts)
    })
  }

  series(): readonly TraceSeries[] {
    const unit = unitOf(this.#field)
    const buckets = [...new Set(this.#counts.flatMap((counts) => [...(counts ?? NOTHING).keys()]))]
    if (buckets.length === 0) return []
    if (this.#quantiles === undefined)
      return buckets.map((bucket) => ({
        labels: [label('__bucket', { type: 'float', value: bucket / unit })],
        values: this.#values((counts) => counts.get(bucket) ?? 0),
      }))
    return this.#quantiles.map((q) => ({
      labels: [label('p', { type: 'float', value: q })],
      values: this.#values((counts) => quantileOf(q, counts) / unit),
    }))
  }
}

function label(name: string, value: Operand | undefined): SeriesLabel {
  return { name, value }
}

function foldOf(fn: Exclude<MetricFunction, { name: 'compare' }>, count: number, seconds: number): Fold {
  switch (fn.name) {
    case 'rate':
      return new CountFold(count, seconds)
    case 'count_over_time':
      return new CountFold(count, 1)
    case 'min_over_time':
    case 'max_over_time':
    case 'sum_over_time':
    case 'avg_over_time':
      return new NumberFold(fn.name, fn.field, count)
    case 'histogram_over_time':
      return new BucketFold(fn.field, undefined, count)
    case 'quantile_over_time':
      return new BucketFold(fn.field, fn.quantiles, count)
    default:
      return assertNever(fn)
  }
}

/** Aggregates spans to the series of a metric: by labels, and by the sample to which each span belongs. */
export class Accumulator {
  readonly #metric: Metric
  readonly #fn: Exclude<MetricFunction, { name: 'compare' }>
  readonly #times: SampleTimes
  readonly #budget: Budget
  readonly #groups = new Map<string, { readonly labels: readonly SeriesLabel[]; readonly fold: Fold }>()

  constructor(metric: Metric, fn: Exclude<MetricFunction, { name: 'compare' }>, times: SampleTimes, budget: Budget) {
    this.#metric = metric
    this.#fn = fn
    this.#times = times
    this.#budget = budget
    // A metric without group keys has one series, even if no span is found.
    if (metric.by.length === 0) this.#group([])
  }

  #group(labels: readonly SeriesLabel[]): Fold {
    const key = seriesKey(labels)
    const known = this.#groups.get(key)
    if (known !== undefined) return known.fold
    const count = sampleCount(this.#times)
    this.#budget.charge(GROUP_BYTES + key.length * 4 + count * 16)
    const { startNs, endNs, stepNs } = this.#times
    const fold = foldOf(this.#fn, count, Number(stepNs ?? endNs - startNs) / NS_PER_SECOND)
    this.#groups.set(key, { labels, fold })
    return fold
  }

  add(span: TraceSpan): void {
    const sample = sampleOf(this.#times, span.sent.startNs)
    if (sample === -1) return
    this.#group(this.#metric.by.map(({ field, label: name }) => label(name, singleValue(field, span)))).add(
      sample,
      span,
    )
  }

  series(): readonly TraceSeries[] {
    const isSingle = this.#metric.by.length === 0
    return [...this.#groups.values()].flatMap(({ labels, fold }) =>
      fold.series().map((series) => {
        const all = [...labels, ...series.labels]
        return {
          labels: isSingle && all.length === 0 ? [label(NAME, { type: 'string', value: this.#fn.name })] : all,
          values: series.values,
        }
      }),
    )
  }
}
