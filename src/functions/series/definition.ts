import type { BlockReads, Origin } from '../../base/index.ts'
import type { Histogram, Labels } from '../../data/index.ts'
import type { SeriesPlan } from '../../plan/series/index.ts'
import type { Annotation } from './annotation.ts'
import type { ColumnBlock, SeriesColumn } from './columns.ts'

/** Evaluation times of a query or subquery, in ascending order, Unix ms. */
export interface Steps {
  readonly timesMs: Float64Array
  readonly count: number
}

/** Start, end and step of the whole query, ms. The step of an instant query is 0. */
export interface QueryTimes {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

/** Feature flags of PromQL. `src/lang/promql/README.md` lists the defaults. */
export interface SeriesFlags {
  /** True if metric names are dropped at the end of the query instead of by each operation. */
  readonly isNameRemovalDelayed: boolean
  /** True if rates use start timestamps of samples. */
  readonly usesStartTimes: boolean
  /**
   * True if the label `__type__` decides whether a series can have resets, and whether a rate of the series gets a note
   * that it may not be a counter.
   */
  readonly hasTypeAndUnitLabels: boolean
}

/** Budget of a query, implemented by the engine. */
export interface SeriesBudget {
  /** Reserves memory, bytes; a negative number releases it. */
  charge(bytes: number): void
  /** Counts samples that were read or computed. */
  samples(count: number): void
  /** Throws if the query must stop. Must be called every few ms of work. */
  checkpoint(): void
  /** Counter of block reads from files. */
  readonly reads?: BlockReads
}

/** Context in which a query calls a function. */
export interface SeriesContext {
  readonly query: QueryTimes
  readonly steps: Steps
  readonly flags: SeriesFlags
  readonly budget: SeriesBudget
  readonly annotate: (annotation: Annotation) => void
}

export interface ScalarValue {
  readonly kind: 'scalar'
  /** Value of the scalar at each step. */
  readonly values: Float64Array
}

export interface VectorValue {
  readonly kind: 'vector'
  readonly series: readonly SeriesColumn[]
  /** True if the answer of an instant query must keep the order of the series. */
  readonly isOrdered: boolean
}

export interface TextValue {
  readonly kind: 'string'
  readonly value: string
}

/** Samples of one series, without staleness markers, and the window of samples for each step. */
export interface WindowSeries {
  readonly labels: Labels
  readonly isNameDropped: boolean
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** Histogram of each sample, `undefined` for floats. The array is missing if the series has no histograms. */
  readonly histograms: readonly (Histogram | undefined)[] | undefined
  /** Start time of each sample, Unix ms; 0 if unknown. Missing if the source has no start times. */
  readonly startTimesMs: Float64Array | undefined
  /** The window of step `i` contains the samples `[from[i], to[i])`. */
  readonly from: Int32Array
  readonly to: Int32Array
}

export interface MatrixValue {
  readonly kind: 'matrix'
  readonly series: readonly WindowSeries[]
  readonly rangeMs: number
  /**
   * End of the window at each step, Unix ms, with offset and `@` applied. Windows exclude their start, which is one
   * range before the end.
   */
  readonly endsMs: Float64Array
  readonly extension: 'none' | 'anchored' | 'smoothed'
  readonly lookbackMs: number
}

export type SeriesValue = ScalarValue | VectorValue | TextValue | MatrixValue

/** Context of one call in a query plan. */
export interface SeriesCallContext extends SeriesContext {
  readonly origin: Origin
  /** Plans of the arguments, for the positions of notes and for functions that read a selector's matchers. */
  readonly argPlans: readonly SeriesPlan[]
}

/** Properties on which the optimizer and the backend rely. A missing property means false. */
export interface SeriesProperties {
  readonly name: string
  /** True if the result depends on the evaluation time, even if the arguments stay the same. */
  readonly dependsOnTime?: boolean
  /** True if each result series comes from one argument series and keeps its labels. The metric name may be dropped. */
  readonly keepsLabels?: boolean
  /**
   * True if invalid parameter values are an error only if there are series. Reading fewer series may then hide the
   * error.
   */
  readonly checksParameters?: boolean
  /** True if the result depends only on which samples exist and when, not on their values. */
  readonly readsPresenceOnly?: boolean
  /** True if the labels of the result are derived from the matchers in the query text. */
  readonly readsMatchers?: boolean
  /** Parts of native histograms that the function reads: `totals` for counts and sums, `buckets` for buckets too. */
  readonly readsHistograms?: 'totals' | 'buckets'
  /** True if the arguments after the first are selectors whose matchers are read, but which are not evaluated. */
  readonly takesMatchers?: boolean
}

/** A function of the samples that a selector matches. The backend that reads the samples computes it. */
export interface SelectorFunction extends SeriesProperties {
  readonly kernel: 'sample-time' | 'start-time' | 'info'
}

/** A call over a range vector that computes each result series independently of the others. */
export interface SeriesBySeries {
  /** Computes the row of one series in the block. `annotate` replaces that of the call's context. */
  readonly fill: (index: number, block: ColumnBlock, annotate?: SeriesContext['annotate']) => SeriesColumn
  /** Returns a row of the block that another thread has computed. */
  readonly columnOf: (index: number, block: ColumnBlock) => SeriesColumn
  /** Combines the columns of all series, which must be in order. Throws `series/same-labels`. */
  readonly together: (columns: readonly SeriesColumn[]) => VectorValue
}

/** A function over series. `plan/series` has its signature under the same name. */
export interface SeriesFunction extends SeriesProperties {
  /**
   * Evaluates a call. The arguments must have the types of the signature. Throws a `SluiceError` for invalid values.
   */
  readonly evaluate: (args: readonly SeriesValue[], call: SeriesCallContext) => SeriesValue
  /** Prepares an evaluation series by series. Throws the same errors as `evaluate`. */
  readonly bySeries?: (args: readonly SeriesValue[], call: SeriesCallContext) => SeriesBySeries
}

/** The input series of one output group of an aggregation. */
export interface SeriesGroup {
  readonly labels: Labels
  readonly isNameDropped: boolean
  readonly members: readonly SeriesColumn[]
}

export interface AggregationCall extends SeriesContext {
  readonly origin: Origin
  readonly inputOrigin: Origin
  readonly paramOrigin: Origin
  /** Value of the parameter at each step, or a string; `undefined` without a parameter. */
  readonly param: Float64Array | string | undefined
}

/** An operator that combines the series of each group. `plan/series` has its signature. */
export interface SeriesAggregation extends Pick<SeriesProperties, 'name' | 'readsPresenceOnly'> {
  readonly evaluate: (groups: readonly SeriesGroup[], call: AggregationCall) => VectorValue
}
