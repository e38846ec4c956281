import type { AnyValue } from '../otlp/messages.ts'

/** An attribute as both encodings have it. */
export interface Attribute {
  readonly key: string
  readonly value: AnyValue
}

export interface Exemplar {
  /** Unix milliseconds; 0 when it was not sent. */
  readonly timeMs: number
  readonly value: number
  /** Lower-case hex; empty when it was not sent. */
  readonly traceId: string
  readonly spanId: string
  readonly attributes: readonly Attribute[]
}

/** What points of all kinds have. */
export interface PointBase {
  readonly attributes: readonly Attribute[]
  /** Unix milliseconds; 0 when it was not sent. */
  readonly startTimeMs: number
  /** Unix milliseconds; 0 when it was not sent. */
  readonly timeMs: number
  readonly flags: number
  readonly exemplars: readonly Exemplar[]
}

export interface NumberPoint extends PointBase {
  readonly kind: 'number'
  /** `undefined` when it was not sent. */
  readonly value: number | undefined
}

export interface HistogramPoint extends PointBase {
  readonly kind: 'histogram'
  readonly count: number
  readonly sum: number | undefined
  /** Of each bucket alone, one more than there are bounds. */
  readonly bucketCounts: readonly number[]
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[]
}

export interface ExponentialBuckets {
  readonly offset: number
  readonly counts: readonly number[]
}

export interface ExponentialPoint extends PointBase {
  readonly kind: 'exponential'
  readonly count: number
  readonly sum: number | undefined
  readonly scale: number
  readonly zeroCount: number
  readonly zeroThreshold: number
  readonly positive: ExponentialBuckets
  readonly negative: ExponentialBuckets
}

export interface SummaryPoint extends PointBase {
  readonly kind: 'summary'
  readonly count: number
  readonly sum: number
  readonly quantiles: readonly (readonly [quantile: number, value: number])[]
}

export type Point = NumberPoint | HistogramPoint | ExponentialPoint | SummaryPoint

export type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponential' | 'summary'

/** How the points of a metric follow each other. */
export type Temporality = 'unspecified' | 'delta' | 'cumulative'

/** Takes points as they lie in a body, before anybody has made anything of them. */
export interface SentPointTaker {
  /** Takes the point at `[start, end)`, or says that it has to be read as an object. */
  take(start: number, end: number): boolean
}

/** A metric; its points are read as they are iterated, once. */
export interface Metric {
  readonly name: string
  readonly unit: string
  readonly description: string
  /** `undefined` for a metric without data of a known kind. */
  readonly kind: MetricKind | undefined
  readonly temporality: Temporality
  readonly isMonotonic: boolean
  /** `undefined` for each point that was taken as it lies in the body. */
  readonly points: (taker?: SentPointTaker) => Iterable<Point | undefined>
}

export interface Scope {
  readonly name: string
  readonly version: string
  readonly attributes: readonly Attribute[]
}

export interface ScopeMetrics {
  readonly scope: Scope
  readonly metrics: Iterable<Metric>
}

/** One resource with its metrics, which are read as they are iterated, in order and once. */
export interface ResourceMetrics {
  readonly attributes: readonly Attribute[]
  readonly scopes: Iterable<ScopeMetrics>
}

export const TEMPORALITIES: readonly Temporality[] = ['unspecified', 'delta', 'cumulative']
