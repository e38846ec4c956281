import type { Origin } from '../../base/index.ts'
import type { SeriesDuration } from './duration.ts'
import type { LabelMatcher, LabelPredicate } from './matcher.ts'

/**
 * The metric algebra: what every front end for metrics lowers to and what backends run. Closed union of plain
 * readonly objects; each node yields a scalar, a vector, a range vector or a text at every step of a query.
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

/** A fixed evaluation time in Unix milliseconds, or an end of the whole query. */
export type SeriesAt =
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

/** Moves the evaluation time: first to `at`, then back by `offset`. */
export interface TimeShift {
  readonly at: SeriesAt | undefined
  readonly offset: SeriesDuration
}

/** How the ends of a window get their values: samples inside only, the nearest earlier one, or interpolated. */
export type WindowExtension = 'none' | 'anchored' | 'smoothed'

/** The newest sample of each series that passes all matchers, at most the look-back old. */
export interface SeriesSelect extends SeriesBase {
  readonly kind: 'series-select'
  readonly table: string
  readonly matchers: readonly LabelMatcher[]
  /** What the caller may see at all: set before any rule, seen by none, applied first. */
  readonly guard: LabelPredicate | undefined
  readonly shift: TimeShift
  readonly extension: WindowExtension
  /** Set by the optimizer: nobody looks at the values, only at whether and when there is a sample. */
  readonly isPresenceOnly?: true | undefined
}

/** All samples of a select's series in `(t − range, t]`. */
export interface SeriesRange extends SeriesBase {
  readonly kind: 'series-range'
  /** Shift and extension of the select count for the window. */
  readonly select: SeriesSelect
  readonly range: SeriesDuration
}

/** The input evaluated at every multiple of `step` in `(t − range, t]`. */
export interface SeriesSubquery extends SeriesBase {
  readonly kind: 'series-subquery'
  readonly input: SeriesPlan
  readonly range: SeriesDuration
  /** Undefined is the engine's default interval. */
  readonly step: SeriesDuration | undefined
  readonly shift: TimeShift
}

export interface SeriesAggregate extends SeriesBase {
  readonly kind: 'series-aggregate'
  /** A name from the table of aggregations. */
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
  /** Labels copied from the one side. */
  readonly include: readonly string[]
  readonly fillLeft: number | undefined
  readonly fillRight: number | undefined
}

export interface SeriesBinary extends SeriesBase {
  readonly kind: 'series-binary'
  readonly op: SeriesBinaryOp
  readonly lhs: SeriesPlan
  readonly rhs: SeriesPlan
  /** Comparisons give 0 and 1 instead of filtering. */
  readonly isBool: boolean
  /** Present exactly when both sides are vectors. */
  readonly matching: SeriesMatching | undefined
}

export interface SeriesUnary extends SeriesBase {
  readonly kind: 'series-unary'
  readonly op: '+' | '-'
  readonly input: SeriesPlan
}

export interface SeriesCall extends SeriesBase {
  readonly kind: 'series-call'
  /** A name from the signature table. */
  readonly name: string
  readonly args: readonly SeriesPlan[]
}
