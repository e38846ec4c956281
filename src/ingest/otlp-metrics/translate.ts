import type { StepwiseTask } from '../../base/index.ts'
import { Labels, METRIC_NAME, type LabelPair } from '../../data/index.ts'
import type { NewSample } from '../../store/samples/index.ts'
import { BatchBuilder, type DecodedMetrics } from '../metrics/metric-sample.ts'
import type { PartCount } from '../part-count.ts'
import { exponentialHistogram } from './exponential.ts'
import { NO_RECORDED_VALUE, isAscending, seriesLabels, type Family } from './family.ts'
import { boundText, metricName } from './names.ts'
import type { Exemplar, HistogramPoint, Point, ResourceMetrics, SummaryPoint } from './points.ts'
import { attributeLabels, resourceLabels, scopeLabels, type ResourceLabels } from './resource-labels.ts'
import { SentPoints } from './sent-points.ts'
import { TARGET_INFO_STEP_MS, MAX_EXEMPLAR_CHARS, MAX_POINT_BUCKETS } from '../tuning.ts'

const TYPES = {
  gauge: 'gauge',
  sum: 'counter',
  histogram: 'histogram',
  exponential: 'histogram',
  summary: 'summary',
} as const

/**
 * Makes samples for PromQL from the metrics of resources. Invalid points are left out and counted. `bytes` is the body
 * if it is protobuf; most of its points are then taken directly from it.
 */
export function* metricsOf(
  resources: Iterable<ResourceMetrics>,
  parts: PartCount,
  receivedMs: number,
  bytes?: Uint8Array,
): StepwiseTask<DecodedMetrics> {
  const translator = new Translator(parts, receivedMs, bytes)
  for (const resource of resources) yield* translator.add(resource)
  return translator.builder
}

class Translator {
  readonly builder = new BatchBuilder()
  readonly #parts: PartCount
  readonly #receivedMs: number
  readonly #sent: SentPoints | undefined
  #points = 0

  constructor(parts: PartCount, receivedMs: number, bytes: Uint8Array | undefined) {
    this.#parts = parts
    this.#receivedMs = receivedMs
    this.#sent = bytes && new SentPoints(bytes, parts, this.builder.columns, receivedMs)
  }

  *add(resource: ResourceMetrics): StepwiseTask<void> {
    const labels = resourceLabels(resource)
    const infoTimes = new Map<number, number>()
    for (const { scope, metrics } of resource.scopes) {
      const shared = { weak: [...labels.weak, ...scopeLabels(scope)], strong: labels.strong }
      for (const metric of metrics) {
        const family: Family = { metric, name: metricName(metric), ...shared }
        this.#describe(family)
        const taker = this.#sent?.takerOf(family, shared, this.#points)
        for (const point of metric.points(taker)) {
          this.#points++
          const sentMs = (point ?? taker)?.timeMs ?? 0
          const timeMs = sentMs === 0 ? this.#receivedMs : sentMs
          const reason = point && this.#point(family, point, timeMs)
          if (reason === undefined) {
            const step = Math.floor(timeMs / TARGET_INFO_STEP_MS)
            infoTimes.set(step, Math.max(timeMs, infoTimes.get(step) ?? timeMs))
          } else this.builder.reject(this.#points - 1, reason)
          if (this.#parts.isTurn()) yield
        }
        if (this.#parts.isTurn()) yield
      }
    }
    this.#tellTarget(labels, infoTimes)
  }

  #describe({ metric: { kind, isMonotonic, description, unit }, name }: Family): void {
    if (kind === undefined || name === '') return
    this.#parts.add()
    const type = kind === 'sum' && !isMonotonic ? 'gauge' : TYPES[kind]
    this.builder.metadata.push({ name, type, help: description, unit })
  }

  /** Adds a point. Returns the reason if the point is not accepted. */
  #point(family: Family, point: Point, timeMs: number): string | undefined {
    const { metric, name } = family
    if (name === '') return 'its metric has no name'
    const isOverTime = metric.kind === 'sum' || metric.kind === 'histogram' || metric.kind === 'exponential'
    if (isOverTime && metric.temporality === 'unspecified') return 'its metric says neither cumulative nor delta'
    const series = new PointSeries(family, point, timeMs, this.#points, this.builder, this.#parts)
    switch (point.kind) {
      case 'number':
        if (point.value === undefined && !series.isStale) return 'it has no value'
        return series.add('', point.value ?? 0) ?? series.addExemplars('')
      case 'histogram':
        return histogramFault(point) ?? this.#histogram(series, point)
      case 'exponential': {
        if (point.positive.counts.length + point.negative.counts.length > MAX_POINT_BUCKETS) return TOO_MANY_BUCKETS
        const histogram = exponentialHistogram(point)
        if (typeof histogram === 'string') return histogram
        return series.addSample('', { value: 0, ...(series.isStale ? {} : { histogram }) }) ?? series.addExemplars('')
      }
      case 'summary':
        return this.#summary(series, point)
    }
  }

  #histogram(series: PointSeries, { count, sum, bucketCounts, bounds }: HistogramPoint): string | undefined {
    let running = 0
    for (const [i, bound] of bounds.entries()) {
      running += bucketCounts[i] ?? 0
      const reason = series.add('_bucket', running, ['le', boundText(bound)])
      if (reason !== undefined) return reason
    }
    return (
      (bounds.at(-1) === Infinity ? undefined : series.add('_bucket', count, ['le', '+Inf'])) ??
      (sum === undefined && !series.isStale ? undefined : series.add('_sum', sum ?? 0)) ??
      series.add('_count', count) ??
      series.addBucketExemplars(bounds)
    )
  }

  #summary(series: PointSeries, { count, sum, quantiles }: SummaryPoint): string | undefined {
    if (quantiles.length > MAX_POINT_BUCKETS) return 'it has too many quantiles'
    for (const [quantile, value] of quantiles) {
      const reason = series.add('', value, ['quantile', boundText(quantile)])
      if (reason !== undefined) return reason
    }
    return series.add('_sum', sum) ?? series.add('_count', count)
  }

  #tellTarget({ info }: ResourceLabels, times: ReadonlyMap<number, number>): void {
    if (info === undefined || times.size === 0) return
    this.#parts.addLabels(times.size)
    const labels = Labels.from([...info, [METRIC_NAME, 'target_info']])
    const samples = Array.from(times.values(), (timeMs): NewSample => ({ timeMs, value: 1 }))
    // If `target_info` is refused because of too many attributes, the metrics of the resource are still stored.
    if (this.builder.add(labels, samples) === undefined)
      this.builder.metadata.push({ name: 'target_info', type: 'gauge', help: 'Target metadata', unit: '' })
  }
}

const TOO_MANY_BUCKETS = `it has more than ${MAX_POINT_BUCKETS} buckets`

function histogramFault({ bucketCounts, bounds }: HistogramPoint): string | undefined {
  if (bucketCounts.length > MAX_POINT_BUCKETS || bounds.length > MAX_POINT_BUCKETS) return TOO_MANY_BUCKETS
  const isBare = bucketCounts.length === 0 && bounds.length === 0
  // A point without a value may have bounds without counts.
  if (!isBare && bucketCounts.length !== 0 && bucketCounts.length !== bounds.length + 1)
    return 'it does not have one bucket more than bounds'
  return isAscending(bounds) ? undefined : 'its bounds do not ascend'
}

/** The series of one point. */
class PointSeries {
  readonly isStale: boolean
  readonly #family: Family
  readonly #point: Point
  readonly #timeMs: number
  readonly #deltaPoint: number | undefined
  readonly #builder: BatchBuilder
  readonly #parts: PartCount
  /**
   * Cached labels by suffix of the series name. Series with the same suffix differ in one label; the cached labels lack
   * this label or have the value used last.
   */
  readonly #labels = new Map<string, Labels>()

  constructor(family: Family, point: Point, timeMs: number, number: number, builder: BatchBuilder, parts: PartCount) {
    this.#family = family
    this.#point = point
    this.#timeMs = timeMs
    this.#builder = builder
    this.#parts = parts
    this.isStale = (point.flags & NO_RECORDED_VALUE) !== 0
    this.#deltaPoint = family.metric.temporality === 'delta' ? number : undefined
  }

  add(suffix: string, value: number, extra?: LabelPair): string | undefined {
    return this.addSample(suffix, { value }, extra)
  }

  addSample(suffix: string, sample: Omit<NewSample, 'timeMs'>, extra?: LabelPair): string | undefined {
    const { startTimeMs } = this.#point
    const labels = this.#labelsOf(suffix, extra)
    const isSum = this.#family.metric.kind !== 'gauge'
    return this.#builder.add(labels, [
      {
        ...sample,
        timeMs: this.#timeMs,
        ...(this.isStale ? { value: NaN, isStale: true } : undefined),
        ...(startTimeMs !== 0 && isSum ? { startTimeMs } : undefined),
        ...(this.#deltaPoint === undefined ? undefined : { deltaPoint: this.#deltaPoint }),
      },
    ])
  }

  addExemplars(suffix: string): undefined {
    for (const exemplar of this.#point.exemplars) this.#addExemplar(this.#labelsOf(suffix), exemplar)
  }

  /** Adds each exemplar to the bucket that contains its value. */
  addBucketExemplars(bounds: readonly number[]): undefined {
    for (const exemplar of this.#point.exemplars) {
      const bound = bounds.find((upper) => exemplar.value <= upper) ?? Infinity
      this.#addExemplar(this.#labelsOf('_bucket', ['le', boundText(bound)]), exemplar)
    }
  }

  #addExemplar(labels: Labels, { timeMs, value, traceId, spanId, attributes }: Exemplar): void {
    const ids: LabelPair[] = [
      ['trace_id', traceId],
      ['span_id', spanId],
    ]
    const all = Labels.from([...attributeLabels(attributes), ...ids])
    const kept = all.chars <= MAX_EXEMPLAR_CHARS ? all : Labels.from(ids)
    this.#parts.addLabels(labels.size)
    this.#builder.exemplars.push({ series: labels, labels: kept, value, timeMs: timeMs === 0 ? this.#timeMs : timeMs })
  }

  #labelsOf(suffix: string, extra?: LabelPair): Labels {
    const key = extra === undefined ? suffix : `${suffix}\0`
    let labels = this.#labels.get(key)
    if (labels === undefined) {
      labels = seriesLabels(this.#family, this.#point.attributes, suffix, extra)
      this.#labels.set(key, labels)
    } else if (extra !== undefined) labels = labels.with(...extra)
    this.#parts.addLabels(labels.size)
    return labels
  }
}
