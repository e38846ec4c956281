import type { Origin } from '../../base/index.ts'
import type { Expr } from '../expr/index.ts'
import type { LogicalPlan } from '../kinds.ts'
import type { AggregateCall } from '../nodes/aggregate.ts'
import type { SeriesDuration } from './duration.ts'
import type { LabelMatcher, LabelPredicate } from './matcher.ts'

/**
 * The algebra of metric queries. All metric languages are translated to it, and backends run it. A closed union of
 * plain readonly objects. Each node yields a scalar, a vector, a range vector or a string at every step of a query.
 */
export type SeriesPlan =
  | SeriesNumber
  | SeriesText
  | SeriesSelect
  | SeriesRange
  | SeriesSubquery
  | SeriesAggregate
  | SeriesBinary
  | SeriesUnary
  | SeriesCall
  | SeriesLogs

interface SeriesBase {
  readonly origin: Origin
}

export interface SeriesNumber extends SeriesBase {
  readonly kind: 'series-number'
  readonly value: number
}

export interface SeriesText extends SeriesBase {
  readonly kind: 'series-text'
  readonly value: string
}

/** A fixed evaluation time in Unix ms, or the start or end of the query. */
export type SeriesAt =
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

/** Moves the evaluation time: first to `at` if given, then back by `offset`. */
export interface TimeShift {
  readonly at: SeriesAt | undefined
  readonly offset: SeriesDuration
}

/**
 * Source of the values at the ends of a window. `none`: only samples inside count. `anchored`: the nearest earlier
 * sample is used. `smoothed`: values are interpolated.
 */
export type WindowExtension = 'none' | 'anchored' | 'smoothed'

/** The newest sample of each series that matches all matchers. Samples older than the look-back period are ignored. */
export interface SeriesSelect extends SeriesBase {
  readonly kind: 'series-select'
  readonly table: string
  readonly matchers: readonly LabelMatcher[]
  /** The caller's guard. It is set before any rule runs, never shown, and applied before all matchers. */
  readonly guard: LabelPredicate | undefined
  readonly shift: TimeShift
  readonly extension: WindowExtension
  /** Set by the optimizer if only the presence and times of samples matter, not their values. */
  readonly isPresenceOnly?: true | undefined
}

/** All samples of a select's series in `(t − range, t]`. */
export interface SeriesRange extends SeriesBase {
  readonly kind: 'series-range'
  /** The selector. Its shift and extension apply to the window. */
  readonly select: SeriesSelect
  readonly range: SeriesDuration
}

/** The values of the input at every multiple of `step` in `(t − range, t]`. */
export interface SeriesSubquery extends SeriesBase {
  readonly kind: 'series-subquery'
  readonly input: SeriesPlan
  readonly range: SeriesDuration
  /** Distance between evaluation times. Default: the engine's interval. */
  readonly step: SeriesDuration | undefined
  readonly shift: TimeShift
}

export interface SeriesAggregate extends SeriesBase {
  readonly kind: 'series-aggregate'
  /** The aggregation's name in the table of signatures. */
  readonly op: string
  readonly input: SeriesPlan
  readonly param: SeriesPlan | undefined
  readonly grouping: readonly string[]
  readonly isWithout: boolean
}

export type SeriesBinaryOp =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  /** Division and remainder whose result is NaN if the divisor is 0. */
  | 'div'
  | 'mod'
  | '^'
  | 'atan2'
  | '=='
  | '!='
  | '>'
  | '<'
  | '>='
  | '<='
  | '</'
  | '>/'
  | 'and'
  | 'or'
  | 'unless'

export interface SeriesMatching {
  readonly cardinality: 'one-to-one' | 'many-to-one' | 'one-to-many' | 'many-to-many'
  readonly isOn: boolean
  readonly labels: readonly string[]
  /** Labels that are copied from the "one" side of the match. */
  readonly include: readonly string[]
  readonly fillLeft: number | undefined
  readonly fillRight: number | undefined
}

export interface SeriesBinary extends SeriesBase {
  readonly kind: 'series-binary'
  readonly op: SeriesBinaryOp
  readonly lhs: SeriesPlan
  readonly rhs: SeriesPlan
  /** True if comparisons return 0 or 1 instead of filtering. */
  readonly isBool: boolean
  /** Set if and only if both sides are vectors. */
  readonly matching: SeriesMatching | undefined
}

export interface SeriesUnary extends SeriesBase {
  readonly kind: 'series-unary'
  readonly op: '+' | '-'
  readonly input: SeriesPlan
}

export interface SeriesCall extends SeriesBase {
  readonly kind: 'series-call'
  /** The function's name in the table of signatures. */
  readonly name: string
  readonly args: readonly SeriesPlan[]
}

/** A label of the series that log rows form. */
export interface SeriesLabel {
  readonly name: string
  /** The value of the label in a row, as a string; empty for a row without it. */
  readonly value: Expr
}

/**
 * Aggregates log rows in each window `(t − range, t]`: their number, the bytes of their lines, or the sample values in
 * them. Rows with equal labels form a series.
 */
export interface SeriesLogs extends SeriesBase {
  readonly kind: 'series-logs'
  /** The stream matchers of the query, which the rows have already passed. */
  readonly matchers: readonly LabelMatcher[]
  readonly rows: LogicalPlan
  /** Column that contains the time of a row. */
  readonly time: string
  /** The labels of a series; `undefined` if one column contains all labels as JSON. */
  readonly labels: readonly SeriesLabel[] | undefined
  readonly gives: 'count' | 'bytes' | 'samples'
  /** The stats call that sums the bytes of lines. */
  readonly bytes: AggregateCall | undefined
  readonly range: SeriesDuration
  /** Milliseconds by which the windows are moved back. */
  readonly offsetMs: number
}
