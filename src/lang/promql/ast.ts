import type { Span } from '../../base/index.ts'

/** Type of an expression: a number, an instant vector, a range vector, or a string. */
export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'

/** A PromQL expression, as plain readonly objects. Every node has its type and its span in the source text. */
export type PromqlExpr =
  | NumberLiteral
  | StringLiteral
  | VectorSelector
  | MatrixSelector
  | Subquery
  | Paren
  | Unary
  | Binary
  | Call
  | Aggregation

interface NodeBase {
  /** Position in the source text, UTF-16 offsets, end excluded. */
  readonly span: Span
}

export interface NumberLiteral extends NodeBase {
  readonly kind: 'number'
  readonly valueType: 'scalar'
  /** Value of the literal; in seconds for a duration such as `5m`. */
  readonly value: number
  /** True if the number was written as a duration, and is to be printed as one. */
  readonly isDuration: boolean
}

export interface StringLiteral extends NodeBase {
  readonly kind: 'string'
  readonly valueType: 'string'
  readonly value: string
}

export type MatchOp = '=' | '!=' | '=~' | '!~'

export interface Matcher {
  readonly label: string
  readonly op: MatchOp
  readonly value: string
}

/** Modifier that fixes the evaluation time: `@ 12.5` (as whole Unix ms), `@ start()` or `@ end()`. */
export type AtModifier =
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

export type RangeExtension = 'anchored' | 'smoothed'

export interface VectorSelector extends NodeBase {
  readonly kind: 'vector-selector'
  readonly valueType: 'vector'
  /** Metric name before the braces; `''` if the name is inside the braces or missing. */
  readonly name: string
  /**
   * All label matchers, in source order. For a metric name before the braces, the last matcher is `__name__ = name`.
   */
  readonly matchers: readonly Matcher[]
  /** Offset into the past in whole ms; negative values mean the future. Unused if `offsetExpr` is set. */
  readonly offsetMs: number
  readonly offsetExpr: DurationExpr | undefined
  readonly at: AtModifier | undefined
  readonly extension: RangeExtension | undefined
}

export interface MatrixSelector extends NodeBase {
  readonly kind: 'matrix-selector'
  readonly valueType: 'matrix'
  /** The selector. Its offset, `@` and other modifiers apply to the whole expression. */
  readonly selector: VectorSelector
  /** Length of the range in whole ms. Unused if `rangeExpr` is set. */
  readonly rangeMs: number
  readonly rangeExpr: DurationExpr | undefined
}

export interface Subquery extends NodeBase {
  readonly kind: 'subquery'
  readonly valueType: 'matrix'
  readonly expr: PromqlExpr
  readonly rangeMs: number
  readonly rangeExpr: DurationExpr | undefined
  /** Step in whole ms. If it is 0 and `stepExpr` is not set, the step is the default evaluation interval. */
  readonly stepMs: number
  readonly stepExpr: DurationExpr | undefined
  readonly offsetMs: number
  readonly offsetExpr: DurationExpr | undefined
  readonly at: AtModifier | undefined
}

export interface Paren extends NodeBase {
  readonly kind: 'paren'
  readonly valueType: ValueType
  readonly expr: PromqlExpr
}

export interface Unary extends NodeBase {
  readonly kind: 'unary'
  readonly valueType: ValueType
  readonly op: '+' | '-'
  readonly expr: PromqlExpr
}

export const ARITHMETIC_OPS = ['+', '-', '*', '/', '%', '^', 'atan2'] as const
export const COMPARISON_OPS = ['==', '!=', '>', '<', '>=', '<='] as const
/** Operators that cut a native histogram at a bound: `</` keeps observations below the bound, `>/` those above it. */
export const TRIM_OPS = ['</', '>/'] as const
export const SET_OPS = ['and', 'or', 'unless'] as const

export type ArithmeticOp = (typeof ARITHMETIC_OPS)[number]
export type ComparisonOp = (typeof COMPARISON_OPS)[number]
export type TrimOp = (typeof TRIM_OPS)[number]
export type SetOp = (typeof SET_OPS)[number]
export type BinaryOp = ArithmeticOp | ComparisonOp | TrimOp | SetOp

export type Cardinality = 'one-to-one' | 'many-to-one' | 'one-to-many' | 'many-to-many'

export interface VectorMatching {
  /**
   * How the series of both sides match: many-to-one for `group_left`, one-to-many for `group_right`, many-to-many for
   * set operators.
   */
  readonly cardinality: Cardinality
  /** True for `on (labels)`; false for `ignoring (labels)`, and if neither is written. */
  readonly isOn: boolean
  readonly labels: readonly string[]
  /** Labels of `group_left (…)` or `group_right (…)`. */
  readonly include: readonly string[]
  /** Value for the left side where a series of the right side has no match; `undefined` for none. */
  readonly fillLeft: number | undefined
  readonly fillRight: number | undefined
}

export interface Binary extends NodeBase {
  readonly kind: 'binary'
  readonly valueType: 'scalar' | 'vector'
  readonly op: BinaryOp
  readonly lhs: PromqlExpr
  readonly rhs: PromqlExpr
  /** True with the modifier `bool`: the comparison returns 0 or 1 instead of filtering. */
  readonly isBool: boolean
  /** How series of both sides match; set if and only if both sides are vectors. */
  readonly matching: VectorMatching | undefined
}

export interface Call extends NodeBase {
  readonly kind: 'call'
  readonly valueType: ValueType
  /** Name of the function, a key of the signature table. */
  readonly name: string
  readonly args: readonly PromqlExpr[]
}

export interface Aggregation extends NodeBase {
  readonly kind: 'aggregation'
  readonly valueType: 'vector'
  /** Name of the aggregation in lower case, a key of the table of aggregations. */
  readonly op: string
  readonly expr: PromqlExpr
  /** First argument of aggregations that have a parameter, such as the k of `topk`. */
  readonly param: PromqlExpr | undefined
  readonly grouping: readonly string[]
  readonly isWithout: boolean
}

/** A formula for a duration in a selector. It is computed when the query runs, and gives seconds. */
export type DurationExpr = DurationNumber | DurationUnary | DurationBinary | DurationCall

interface DurationBase extends NodeBase {
  /** True if the formula was written in parentheses. */
  readonly isWrapped: boolean
}

export interface DurationNumber extends DurationBase {
  readonly kind: 'duration-number'
  readonly seconds: number
  readonly isDuration: boolean
}

export interface DurationUnary extends DurationBase {
  readonly kind: 'duration-unary'
  readonly op: '+' | '-'
  readonly expr: DurationExpr
}

export interface DurationBinary extends DurationBase {
  readonly kind: 'duration-binary'
  readonly op: '+' | '-' | '*' | '/' | '%' | '^'
  readonly lhs: DurationExpr
  readonly rhs: DurationExpr
}

/**
 * Function call in a duration formula. `step()` and `range()` have no arguments; `min_of` and `max_of` have two
 * durations as arguments.
 */
export interface DurationCall extends DurationBase {
  readonly kind: 'duration-call'
  readonly name: 'step' | 'range' | 'min_of' | 'max_of'
  readonly args: readonly DurationExpr[]
}

/** Returns the child nodes in source order. */
export function childrenOf(expr: PromqlExpr): readonly PromqlExpr[] {
  switch (expr.kind) {
    case 'number':
    case 'string':
    case 'vector-selector':
      return []
    case 'matrix-selector':
      return [expr.selector]
    case 'subquery':
    case 'paren':
    case 'unary':
      return [expr.expr]
    case 'binary':
      return [expr.lhs, expr.rhs]
    case 'call':
      return expr.args
    case 'aggregation':
      return expr.param === undefined ? [expr.expr] : [expr.param, expr.expr]
  }
}
