import { labelLimits, type Labels } from '../data/index.ts'
import { appendDelta, type Exemplar, type NewSample, type SampleStore } from '../store/samples/index.ts'

/** What a decoder tells of one sample. */
export interface DecodedSample extends NewSample {
  /**
   * Marks what is to be added to the last sample of its series: the number of the point that it is of, 1 for the first. Several
   * samples in a row are of one point.
   */
  readonly deltaPoint?: number
}

/** One decoded sample of one series. */
export interface MetricSample extends DecodedSample {
  readonly labels: Labels
}

/** One decoded exemplar. */
export interface MetricExemplar extends Exemplar {
  readonly series: Labels
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
  readonly exemplars: readonly MetricExemplar[]
  /** The first few; `badCount` has them all. */
  readonly bad: readonly BadMetric[]
  readonly badCount: number
}

const KEPT_BAD = 20

/** Collects a batch while it is being decoded. */
export class BatchBuilder {
  readonly samples: MetricSample[] = []
  readonly metadata: MetricMetadata[] = []
  readonly exemplars: MetricExemplar[] = []
  readonly bad: BadMetric[] = []
  badCount = 0

  /** Samples of one series; `undefined`, or why none of them is taken. */
  add(labels: Labels, samples: Iterable<DecodedSample>): string | undefined {
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
    const { samples, metadata, exemplars, bad, badCount } = this
    return { samples, metadata, exemplars, bad, badCount }
  }
}

/** What became of samples. */
export interface StoredSamples {
  readonly stored: number
  /** Points of deltas that are not behind the last sample of their series. */
  readonly latePoints: number
  /** Samples of new series beyond the limit. */
  readonly beyondLimit: number
}

/** Stores a batch, without making more series than the limit; samples of one series that follow each other are looked up once. */
export function storeMetrics(
  store: SampleStore,
  samples: Iterable<MetricSample>,
  limitSeries = Infinity,
): StoredSamples {
  let stored = 0
  let latePoints = 0
  let beyondLimit = 0
  let lastLate = 0
  let labels: Labels | undefined
  let series: ReturnType<SampleStore['seriesWithin']>
  for (const sample of samples) {
    if (sample.labels !== labels) {
      labels = sample.labels
      series = store.seriesWithin(labels, limitSeries)
    }
    if (series === undefined) {
      beyondLimit++
      continue
    }
    const { deltaPoint } = sample
    if (deltaPoint === undefined) series.append(sample)
    else if (!appendDelta(series, sample)) {
      if (deltaPoint !== lastLate) latePoints++
      lastLate = deltaPoint
      continue
    }
    stored++
  }
  return { stored, latePoints, beyondLimit }
}

/** Stores exemplars of a batch. */
export function storeExemplars(store: SampleStore, exemplars: Iterable<MetricExemplar>, limitSeries = Infinity): void {
  for (const { series, ...exemplar } of exemplars) store.addExemplar(series, exemplar, limitSeries)
}
