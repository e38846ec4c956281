import type { BlockReads, Origin } from '../../base/index.ts'
import type { Histogram, Labels } from '../../data/index.ts'
import type { SeriesPlan } from '../../plan/series/index.ts'
import type { Annotation } from './annotation.ts'
import type { ColumnBlock, SeriesColumn } from './columns.ts'

/** Evaluation times of a query or subquery, ascending, in Unix ms. */
export interface Steps {
  readonly timesMs: Float64Array
  readonly count: number
}

/** Start, end and step of the whole query. The step of an instant query is 0. */
export interface QueryTimes {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

/** Feature flags of PromQL. `src/lang/promql/README.md` lists the defaults. */
export interface SeriesFlags {
  /** True if metric names are dropped at the end instead of at each operation. */
  readonly isNameRemovalDelayed: boolean
  /** True if rates use start timestamps of samples. */
  readonly usesStartTimes: boolean
  /** True if `__type__` is checked for resets, and when a rate is computed of a series that may not be a counter. */
  readonly hasTypeAndUnitLabels: boolean
}

/** Limits of a query; implemented by the engine's budget. */
export interface SeriesBudget {
  /** Reserves memory; negative to release it. */
  charge(bytes: number): void
  /** Counts samples read or computed. */
  samples(count: number): void
  /** Call every few ms of work; throws if the query must stop. */
  checkpoint(): void
  /** Counts block reads from files. */
  readonly reads?: BlockReads
}

/** Context of a function within its query. */
export interface SeriesContext {
  readonly query: QueryTimes
  readonly steps: Steps
  readonly flags: SeriesFlags
  readonly budget: SeriesBudget
  readonly annotate: (annotation: Annotation) => void
}

export interface ScalarValue {
  readonly kind: 'scalar'
  /** Value at each step. */
  readonly values: Float64Array
}

export interface VectorValue {
  readonly kind: 'vector'
  readonly series: readonly SeriesColumn[]
  /** True if the order of series is part of the answer of an instant query. */
  readonly isOrdered: boolean
}

export interface TextValue {
  readonly kind: 'string'
  readonly value: string
}

/** The samples of one series, without staleness markers, and for each step the window of samples. */
export interface WindowSeries {
  readonly labels: Labels
  readonly isNameDropped: boolean
  readonly timesMs: Float64Array
  readonly values: Float64Array
  /** The histogram of each sample; `undefined` if the series has none. */
  readonly histograms: readonly (Histogram | undefined)[] | undefined
  /** Start time of each sample in Unix ms, 0 if unknown; `undefined` if the source has none. */
  readonly startTimesMs: Float64Array | undefined
  /** The window of step `i` has the samples `from[i]…to[i])`. */
  readonly from: Int32Array
  readonly to: Int32Array
}

export interface MatrixValue {
  readonly kind: 'matrix'
  readonly series: readonly WindowSeries[]
  readonly rangeMs: number
  /**
   * End of each step's window in Unix ms, with offset and `@` applied. The window excludes its start, one range
   * earlier.
   */
  readonly endsMs: Float64Array
  readonly extension: 'none' | 'anchored' | 'smoothed'
  readonly lookbackMs: number
}

export type SeriesValue = ScalarValue | VectorValue | TextValue | MatrixValue

/** Context of one call in a plan. */
export interface SeriesCallContext extends SeriesContext {
  readonly origin: Origin
  /** Plans of the arguments, for positions and for functions that read a selector's matchers. */
  readonly argPlans: readonly SeriesPlan[]
}

/** Properties on which optimizer and backend rely. A missing property does not hold. */
export interface SeriesProperties {
  readonly name: string
  /** True if the result depends on the evaluation time, so that it changes even if the arguments do not. */
  readonly dependsOnTime?: boolean
  /** True if each result series comes from one argument series and has its labels; the metric name may be dropped. */
  readonly keepsLabels?: boolean
  /**
   * True if invalid parameter values are an error only if there are series. Reading fewer series may then avoid the
   * error.
   */
  readonly checksParameters?: boolean
  /** True if only presence and time of samples matter, not their values. */
  readonly readsPresenceOnly?: boolean
  /** True if the result's labels are derived from the matchers in the query text. */
  readonly readsMatchers?: boolean
  /** Parts of native histograms that it reads: counts and sums, or buckets too. */
  readonly readsHistograms?: 'totals' | 'buckets'
  /** True if arguments after the first are matchers in the form of a selector, which are not evaluated. */
  readonly takesMatchers?: boolean
}

/** A function of the samples of a selector, computed by the backend that reads them. */
export interface SelectorFunction extends SeriesProperties {
  readonly kernel: 'sample-time' | 'start-time' | 'info'
}

/** A call over a range vector whose result series are independent of each other. */
export interface SeriesBySeries {
  /** Fills the row of one series in the block. `annotate` replaces that of the call. */
  readonly fill: (index: number, block: ColumnBlock, annotate?: SeriesContext['annotate']) => SeriesColumn
  /** Returns a row of the block that another thread has filled. */
  readonly columnOf: (index: number, block: ColumnBlock) => SeriesColumn
  /** Combines the columns of all series in order. Throws `series/same-labels`. */
  readonly together: (columns: readonly SeriesColumn[]) => VectorValue
}

/** A function over series. Its signature is in `plan/series` under the same name. */
export interface SeriesFunction extends SeriesProperties {
  /** Evaluates arguments that have the types of the signature. Throws a `SluiceError` for invalid values. */
  readonly evaluate: (args: readonly SeriesValue[], call: SeriesCallContext) => SeriesValue
  /** Evaluates series by series. Throws as `evaluate` does. */
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
  /** Parameter at each step, or a string. */
  readonly param: Float64Array | string | undefined
}

/** An operator that combines the series of each group. Its signature is in `plan/series`. */
export interface SeriesAggregation extends Pick<SeriesProperties, 'name' | 'readsPresenceOnly'> {
  readonly evaluate: (groups: readonly SeriesGroup[], call: AggregationCall) => VectorValue
}
