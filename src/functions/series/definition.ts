import type { BlockReads, Origin } from '../../base/index.ts'
import type { Histogram, Labels } from '../../data/index.ts'
import type { SeriesPlan } from '../../plan/series/index.ts'
import type { Annotation } from './annotation.ts'
import type { ColumnBlock, SeriesColumn } from './columns.ts'

/** The evaluation times of a query or of a subquery, ascending, in Unix milliseconds. */
export interface Steps {
  readonly timesMs: Float64Array
  readonly count: number
}

/** Ends and step of the whole query; the step of an instant query is 0. */
export interface QueryTimes {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

/** Switches of the language; see the README for the defaults. */
export interface SeriesFlags {
  /** Metric names go at the very end instead of at each operation. */
  readonly isNameRemovalDelayed: boolean
  /** Rates take start timestamps of samples into account. */
  readonly usesStartTimes: boolean
  /** `__type__` is looked at when a rate is taken of something that may not be a counter, and where resets are. */
  readonly hasTypeAndUnitLabels: boolean
}

/** What a query may use; implemented by the engine's budget. */
export interface SeriesBudget {
  /** Bytes held on to, negative when let go. */
  charge(bytes: number): void
  /** Samples read or made. */
  samples(count: number): void
  /** To be called every few milliseconds of work; throws when the query must stop. */
  checkpoint(): void
  /** What is read of files is counted here. */
  readonly reads?: BlockReads
}

/** What every function sees of the evaluation it is part of. */
export interface SeriesContext {
  readonly query: QueryTimes
  readonly steps: Steps
  readonly flags: SeriesFlags
  readonly budget: SeriesBudget
  readonly annotate: (annotation: Annotation) => void
}

export interface ScalarValue {
  readonly kind: 'scalar'
  /** One value a step. */
  readonly values: Float64Array
}

export interface VectorValue {
  readonly kind: 'vector'
  readonly series: readonly SeriesColumn[]
  /** The order of the series is part of the answer of an instant query. */
  readonly isOrdered: boolean
}

export interface TextValue {
  readonly kind: 'string'
  readonly value: string
}

/** The samples of one series and, for each step, which of them its window holds. No staleness markers. */
export interface WindowSeries {
  readonly labels: Labels
  readonly isNameDropped: boolean
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** One entry a sample when the series has histograms. */
  readonly histograms: readonly (Histogram | undefined)[] | undefined
  /** Start times of samples, 0 where unknown; only when the source has any. */
  readonly startTimesMs: Float64Array | undefined
  /** The window of step `i` is the samples `from[i]…to[i])`. */
  readonly from: Int32Array
  readonly to: Int32Array
}

export interface MatrixValue {
  readonly kind: 'matrix'
  readonly series: readonly WindowSeries[]
  readonly rangeMs: number
  /** Where the window of each step ends, offset and `@` applied; it starts, exclusively, a range earlier. */
  readonly endsMs: Float64Array
  readonly extension: 'none' | 'anchored' | 'smoothed'
  readonly lookbackMs: number
}

export type SeriesValue = ScalarValue | VectorValue | TextValue | MatrixValue

/** One call in a plan. */
export interface SeriesCallContext extends SeriesContext {
  readonly origin: Origin
  /** The argument plans, for their places and for the few functions that look at a selector's matchers. */
  readonly argPlans: readonly SeriesPlan[]
}

/** What the optimizer and the backend may rely on; what is left out does not hold. */
export interface SeriesProperties {
  readonly name: string
  /** Depends on the evaluation time itself, so that the answer changes from step to step though no argument does. */
  readonly dependsOnTime?: boolean
  /** Each series of the answer comes of one series of the argument and has its labels; the metric name may go. */
  readonly keepsLabels?: boolean
  /** Refuses values of its parameters where it meets a series, so a query that reads fewer series may have no error. */
  readonly checksParameters?: boolean
  /** Looks at whether and when there are samples, not at their values. */
  readonly readsPresenceOnly?: boolean
  /** Makes labels of the argument's matchers as they are written. */
  readonly readsMatchers?: boolean
  /** What it reads of native histograms: counts and sums, or buckets too. */
  readonly readsHistograms?: 'totals' | 'buckets'
  /** Arguments behind the first are matchers that stand where a selector would, and are not evaluated. */
  readonly takesMatchers?: boolean
}

/** A function of the samples behind a selector; the backend that reads them does the work. */
export interface SelectorFunction extends SeriesProperties {
  readonly kernel: 'sample-time' | 'start-time' | 'info'
}

/** A call over a range vector, series by series: what one gives depends on no other. */
export interface SeriesBySeries {
  /** What the series at a place of the range vector gives, in the row of that number. `annotate` is told in place of the call's. */
  readonly fill: (index: number, block: ColumnBlock, annotate?: SeriesContext['annotate']) => SeriesColumn
  /** A row that was filled elsewhere. */
  readonly columnOf: (index: number, block: ColumnBlock) => SeriesColumn
  /** The value of the call: columns of all series, in their order. Throws `series/same-labels`. */
  readonly together: (columns: readonly SeriesColumn[]) => VectorValue
}

/** A function over series; the table of signatures in `plan/series` has it under the same name. */
export interface SeriesFunction extends SeriesProperties {
  /** Arguments have the types of the signature. Throws a `SluiceError` for values it cannot take. */
  readonly evaluate: (args: readonly SeriesValue[], call: SeriesCallContext) => SeriesValue
  /** The same in parts. Throws as `evaluate` does. */
  readonly bySeries?: (args: readonly SeriesValue[], call: SeriesCallContext) => SeriesBySeries
}

/** One output group of an aggregation. */
export interface SeriesGroup {
  readonly labels: Labels
  readonly isNameDropped: boolean
  readonly members: readonly SeriesColumn[]
}

export interface AggregationCall extends SeriesContext {
  readonly origin: Origin
  readonly inputOrigin: Origin
  readonly paramOrigin: Origin
  /** The parameter at each step, or a text. */
  readonly param: Float64Array | string | undefined
}

/** An operator that combines the series of a group; the table of aggregations in `plan/series` has its name. */
export interface SeriesAggregation extends Pick<SeriesProperties, 'name' | 'readsPresenceOnly'> {
  readonly evaluate: (groups: readonly SeriesGroup[], call: AggregationCall) => VectorValue
}
