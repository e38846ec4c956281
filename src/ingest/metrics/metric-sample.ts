import { checkArgument, MAX_FAULTS, runToEnd } from '../../base/index.ts'
import { labelLimits, type Labels } from '../../data/index.ts'
import type { DecodedSample, MetricSample, StoredSamples } from './decoded-sample.ts'
import { MetricColumns } from './metric-columns.ts'
import { SampleStore, type Exemplar } from '../../store/samples/index.ts'

export type { DecodedSample, MetricSample, StoredSamples }

/** A decoded exemplar with the labels of its series. */
export interface MetricExemplar extends Exemplar {
  readonly series: Labels
}

/** The description of a metric by its sender. */
export interface MetricMetadata {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly unit: string
}

/** A line or series of the input that was rejected. */
export interface BadMetric {
  /** The 1-based line of a text, or the 0-based series of a message. */
  readonly position: number
  readonly reason: string
}

export interface MetricBatch {
  readonly samples: readonly MetricSample[]
  readonly metadata: readonly MetricMetadata[]
  readonly exemplars: readonly MetricExemplar[]
  /** The first few faults; `badCount` counts all of them. */
  readonly bad: readonly BadMetric[]
  readonly badCount: number
}

/** A batch with its samples as columns, ready to be stored. */
export interface DecodedMetrics extends MetricBatch {
  readonly columns: MetricColumns
}

/** Collects a batch while it is being decoded. */
export class BatchBuilder implements DecodedMetrics {
  readonly columns = new MetricColumns()
  readonly metadata: MetricMetadata[] = []
  readonly exemplars: MetricExemplar[] = []
  readonly bad: BadMetric[] = []
  badCount = 0
  #samples: readonly MetricSample[] | undefined

  /** Returns the samples as objects, made from the columns on demand. */
  get samples(): readonly MetricSample[] {
    return (this.#samples ??= this.columns.list())
  }

  /** Adds samples of one series. Returns the reason if no sample is accepted. */
  add(labels: Labels, samples: Iterable<DecodedSample>): string | undefined {
    const fault = labelsFault(labels)
    if (fault !== undefined) return fault
    for (const sample of samples) this.columns.add(sample)
    this.columns.endRun(labels)
    return undefined
  }

  reject(position: number, reason: string): void {
    this.badCount++
    if (this.bad.length < MAX_FAULTS) this.bad.push({ position, reason })
  }
}

/** Returns the reason why samples with these labels are not accepted; `undefined` when they are. */
export function labelsFault(labels: Labels): string | undefined {
  if (labels.size > labelLimits.count) return `it has more than ${labelLimits.count} labels`
  return labels.chars > labelLimits.chars ? 'its labels have more than 65,536 characters' : undefined
}

/** Stores samples without creating series beyond the limit. */
export function storeMetrics(
  store: SampleStore,
  samples: Iterable<MetricSample>,
  limitSeries = Infinity,
): StoredSamples {
  checkArgument(
    store instanceof SampleStore,
    store,
    'a store of samples',
    'storeMetrics(new SampleStore(), parseExposition(text).samples)',
  )
  checkArgument(
    typeof samples === 'object' && Symbol.iterator in samples,
    samples,
    'the `samples` of a batch',
    'storeMetrics(store, parseExposition(text).samples)',
  )
  const columns = new MetricColumns()
  let labels: Labels | undefined
  for (const sample of samples) {
    if (labels !== undefined && sample.labels !== labels) columns.endRun(labels)
    labels = sample.labels
    columns.add(sample)
  }
  if (labels !== undefined) columns.endRun(labels)
  return runToEnd(columns.store(store, limitSeries, Infinity))
}

/** Stores exemplars of a batch. */
export function storeExemplars(store: SampleStore, exemplars: Iterable<MetricExemplar>, limitSeries = Infinity): void {
  for (const { series, ...exemplar } of exemplars) store.writer.addExemplar(series, exemplar, limitSeries)
}
