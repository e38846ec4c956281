import { labelLimits, type Labels } from '../data/index.ts'
import type { NewSample, SampleStore } from '../store/samples/index.ts'

/** One decoded sample of one series. */
export interface MetricSample extends NewSample {
  readonly labels: Labels
}

/** What a sender tells of a metric. */
export interface MetricMetadata {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly unit: string
}

/** A part of the input that could not be used. */
export interface BadMetric {
  /** 1-based line of a text, or 0-based series of a message. */
  readonly position: number
  readonly reason: string
}

export interface MetricBatch {
  readonly samples: readonly MetricSample[]
  readonly metadata: readonly MetricMetadata[]
  /** The first few; `badCount` has them all. */
  readonly bad: readonly BadMetric[]
  readonly badCount: number
}

const KEPT_BAD = 20

/** Collects a batch while it is being decoded. */
export class BatchBuilder {
  readonly samples: MetricSample[] = []
  readonly metadata: MetricMetadata[] = []
  readonly bad: BadMetric[] = []
  badCount = 0

  /** Samples of one series; `undefined`, or why none of them is taken. */
  add(labels: Labels, samples: Iterable<NewSample>): string | undefined {
    if (labels.size > labelLimits.count) return `it has more than ${labelLimits.count} labels`
    if (labels.chars > labelLimits.chars) return 'its labels have more than 65,536 characters'
    for (const sample of samples) this.samples.push({ labels, ...sample })
    return undefined
  }

  reject(position: number, reason: string): void {
    this.badCount++
    if (this.bad.length < KEPT_BAD) this.bad.push({ position, reason })
  }

  get batch(): MetricBatch {
    const { samples, metadata, bad, badCount } = this
    return { samples, metadata, bad, badCount }
  }
}

/** Stores a batch; samples of one series that follow each other are looked up once. */
export function storeMetrics(store: SampleStore, samples: Iterable<MetricSample>): number {
  let count = 0
  let labels: Labels | undefined
  let series: ReturnType<SampleStore['seriesFor']> | undefined
  for (const sample of samples) {
    if (series === undefined || sample.labels !== labels) {
      labels = sample.labels
      series = store.seriesFor(labels)
    }
    series.append(sample)
    count++
  }
  return count
}
