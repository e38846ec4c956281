import type { AnyValue } from '../otlp/messages.ts'

/** An attribute in the form that both encodings are decoded to. */
export interface Attribute {
  readonly key: string
  readonly value: AnyValue
}

export interface Exemplar {
  /** The time in milliseconds since 1970; 0 when it was not sent. */
  readonly timeMs: number
  readonly value: number
  /** The trace id in lower-case hex; empty when it was not sent. */
  readonly traceId: string
  readonly spanId: string
  readonly attributes: readonly Attribute[]
}

/** The members that points of all kinds have. */
export interface PointBase {
  readonly attributes: readonly Attribute[]
  /** The start time in milliseconds since 1970; 0 when it was not sent. */
  readonly startTimeMs: number
  /** The time in milliseconds since 1970; 0 when it was not sent. */
  readonly timeMs: number
  readonly flags: number
  readonly exemplars: readonly Exemplar[]
}

export interface NumberPoint extends PointBase {
  readonly kind: 'number'
  /** The value; `undefined` when it was not sent. */
  readonly value: number | undefined
}

export interface HistogramPoint extends PointBase {
  readonly kind: 'histogram'
  readonly count: number
  readonly sum: number | undefined
  /** The count of each bucket, not cumulative. There is one more bucket than bounds. */
  readonly bucketCounts: readonly number[]
  /** The upper bounds of the buckets, ascending. */
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

/** Whether the points of a metric are cumulative values or differences. */
export type Temporality = 'unspecified' | 'delta' | 'cumulative'

/** Reads points directly from the bytes of a body, without creating objects. */
export interface SentPointTaker {
  /** Takes the point at `[start, end)`; returns false when it must be read as an object. */
  take(start: number, end: number): boolean
}

/** A metric. Iterating its points decodes them; this is possible only once. */
export interface Metric {
  readonly name: string
  readonly unit: string
  readonly description: string
  /** The kind of metric; `undefined` when it has no data of a known kind. */
  readonly kind: MetricKind | undefined
  readonly temporality: Temporality
  readonly isMonotonic: boolean
  /** Iterates over the points. Yields `undefined` for each point that `taker` took directly from the body. */
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

/** A resource with its metrics. Iterating the metrics decodes them in order; this is possible only once. */
export interface ResourceMetrics {
  readonly attributes: readonly Attribute[]
  readonly scopes: Iterable<ScopeMetrics>
}

export const TEMPORALITIES: readonly Temporality[] = ['unspecified', 'delta', 'cumulative']
