import type { Origin } from '../../base/index.ts'
import type { Expr } from '../expr/index.ts'
import type { LogicalPlan } from '../kinds.ts'
import type { AggregateCall } from '../nodes/aggregate.ts'
import type { SeriesDuration } from './duration.ts'
import type { LabelMatcher, LabelPredicate } from './matcher.ts'

/**
 * Algebra of metric queries, to which every metric front end lowers and which backends run. A closed union of plain
 * readonly objects. Each node yields a scalar, a vector, a range vector or a string at every step of a query.
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

/** A fixed evaluation time in Unix ms, or an end of the whole query. */
export type SeriesAt =
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

/** Moves the evaluation time: first to `at`, then back by `offset`. */
export interface TimeShift {
  readonly at: SeriesAt | undefined
  readonly offset: SeriesDuration
}

/** How the ends of a window get values: from samples inside only, from the nearest earlier one, or interpolated. */
export type WindowExtension = 'none' | 'anchored' | 'smoothed'

/** The newest sample of each series that matches all matchers, at most the look-back period old. */
export interface SeriesSelect extends SeriesBase {
  readonly kind: 'series-select'
  readonly table: string
  readonly matchers: readonly LabelMatcher[]
  /** The caller's guard: set before any rule, visible to none, applied first. */
  readonly guard: LabelPredicate | undefined
  readonly shift: TimeShift
  readonly extension: WindowExtension
  /** Set by the optimizer if only the presence and time of samples matter, not their values. */
  readonly isPresenceOnly?: true | undefined
}

/** All samples of a select's series in `(t − range, t]`. */
export interface SeriesRange extends SeriesBase {
  readonly kind: 'series-range'
  /** Its shift and extension apply to the window. */
  readonly select: SeriesSelect
  readonly range: SeriesDuration
}

/** The input evaluated at every multiple of `step` in `(t − range, t]`. */
export interface SeriesSubquery extends SeriesBase {
  readonly kind: 'series-subquery'
  readonly input: SeriesPlan
  readonly range: SeriesDuration
  /** Default: the engine's interval. */
  readonly step: SeriesDuration | undefined
  readonly shift: TimeShift
}

export interface SeriesAggregate extends SeriesBase {
  readonly kind: 'series-aggregate'
  /** Name in the table of aggregations. */
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
  /** Division and remainder that give NaN where the divisor is 0. */
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
  /** Labels copied from the "one" side. */
  readonly include: readonly string[]
  readonly fillLeft: number | undefined
  readonly fillRight: number | undefined
}

export interface SeriesBinary extends SeriesBase {
  readonly kind: 'series-binary'
  readonly op: SeriesBinaryOp
  readonly lhs: SeriesPlan
  readonly rhs: SeriesPlan
  /** True if comparisons give 0 and 1 instead of filtering. */
  readonly isBool: boolean
  /** Present if and only if both sides are vectors. */
  readonly matching: SeriesMatching | undefined
}

export interface SeriesUnary extends SeriesBase {
  readonly kind: 'series-unary'
  readonly op: '+' | '-'
  readonly input: SeriesPlan
}

export interface SeriesCall extends SeriesBase {
  readonly kind: 'series-call'
  /** Name in the table of signatures. */
  readonly name: string
  readonly args: readonly SeriesPlan[]
}

/** A label of the series of rows. */
export interface SeriesLabel {
  readonly name: string
  /** The text of the label in a row; empty for a row without it. */
  readonly value: Expr
}

/**
 * Rows of logs in each window `(t − range, t]`: how many there are, how many bytes their lines have, or the samples that
 * they hold. A series has the rows with equal labels.
 */
export interface SeriesLogs extends SeriesBase {
  readonly kind: 'series-logs'
  /** Tests of streams that the rows have passed: they name what is absent. */
  readonly matchers: readonly LabelMatcher[]
  readonly rows: LogicalPlan
  /** Column of the time. */
  readonly time: string
  /** Labels of a series; `undefined` if one column has all of them as JSON. */
  readonly labels: readonly SeriesLabel[] | undefined
  readonly gives: 'count' | 'bytes' | 'samples'
  /** The stats call that adds up the bytes of lines. */
  readonly bytes: AggregateCall | undefined
  readonly range: SeriesDuration
  /** Moves the windows back, ms. */
  readonly offsetMs: number
}
