import type { Span } from '../../base/index.ts'

/** What an expression yields: one float, an instant vector, a range vector, or a text. */
export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'

/** One PromQL expression. Plain readonly objects; every node knows its type and its place in the text. */
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
  /** UTF-16 offsets in the source text, half-open. */
  readonly span: Span
}

export interface NumberLiteral extends NodeBase {
  readonly kind: 'number'
  readonly valueType: 'scalar'
  /** The value; a duration such as `5m` counts in seconds. */
  readonly value: number
  /** Written as a duration, and printed as one. */
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

/** `@ 12.5` (Unix milliseconds, whole) or `@ start()`, `@ end()`. */
export type AtModifier =
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

export type RangeExtension = 'anchored' | 'smoothed'

export interface VectorSelector extends NodeBase {
  readonly kind: 'vector-selector'
  readonly valueType: 'vector'
  /** The name as written before the braces; `''` when it stands only in the braces or nowhere. */
  readonly name: string
  /** All matchers in source order; a name before the braces is the last one, `__name__ = name`. */
  readonly matchers: readonly Matcher[]
  /** Whole milliseconds, negative looks forward; counts only while `offsetExpr` is undefined. */
  readonly offsetMs: number
  readonly offsetExpr: DurationExpr | undefined
  readonly at: AtModifier | undefined
  readonly extension: RangeExtension | undefined
}

export interface MatrixSelector extends NodeBase {
  readonly kind: 'matrix-selector'
  readonly valueType: 'matrix'
  /** Carries offset, `@` and the extension of the whole. */
  readonly selector: VectorSelector
  /** Whole milliseconds; counts only while `rangeExpr` is undefined. */
  readonly rangeMs: number
  readonly rangeExpr: DurationExpr | undefined
}

export interface Subquery extends NodeBase {
  readonly kind: 'subquery'
  readonly valueType: 'matrix'
  readonly expr: PromqlExpr
  readonly rangeMs: number
  readonly rangeExpr: DurationExpr | undefined
  /** Whole milliseconds; 0 without `stepExpr` means the default evaluation interval. */
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
/** Cut a native histogram at a bound: `</` keeps what is below, `>/` what is above. */
export const TRIM_OPS = ['</', '>/'] as const
export const SET_OPS = ['and', 'or', 'unless'] as const

export type ArithmeticOp = (typeof ARITHMETIC_OPS)[number]
export type ComparisonOp = (typeof COMPARISON_OPS)[number]
export type TrimOp = (typeof TRIM_OPS)[number]
export type SetOp = (typeof SET_OPS)[number]
export type BinaryOp = ArithmeticOp | ComparisonOp | TrimOp | SetOp

export type Cardinality = 'one-to-one' | 'many-to-one' | 'one-to-many' | 'many-to-many'

export interface VectorMatching {
  /** `group_left` is many-to-one, `group_right` one-to-many, set operators are many-to-many. */
  readonly cardinality: Cardinality
  /** True for `on (labels)`, false for `ignoring (labels)` and for none. */
  readonly isOn: boolean
  readonly labels: readonly string[]
  /** The labels in the parentheses of `group_left` or `group_right`. */
  readonly include: readonly string[]
  /** Values that stand in for a missing partner on that side. */
  readonly fillLeft: number | undefined
  readonly fillRight: number | undefined
}

export interface Binary extends NodeBase {
  readonly kind: 'binary'
  readonly valueType: 'scalar' | 'vector'
  readonly op: BinaryOp
  readonly lhs: PromqlExpr
  readonly rhs: PromqlExpr
  /** The modifier `bool`: 0 and 1 instead of filtering. */
  readonly isBool: boolean
  /** Present exactly when both sides are vectors. */
  readonly matching: VectorMatching | undefined
}

export interface Call extends NodeBase {
  readonly kind: 'call'
  readonly valueType: ValueType
  /** A key of the signature table. */
  readonly name: string
  readonly args: readonly PromqlExpr[]
}

export interface Aggregation extends NodeBase {
  readonly kind: 'aggregation'
  readonly valueType: 'vector'
  /** A key of the table of aggregations, lower case. */
  readonly op: string
  readonly expr: PromqlExpr
  /** The first argument of those that take one, such as the k of `topk`. */
  readonly param: PromqlExpr | undefined
  readonly grouping: readonly string[]
  readonly isWithout: boolean
}

/** A duration that is worked out when the query runs; every value is in seconds. */
export type DurationExpr = DurationNumber | DurationUnary | DurationBinary | DurationCall

interface DurationBase extends NodeBase {
  /** Written in parentheses. */
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

/** `step()` and `range()` of the query take nothing, `min_of` and `max_of` two durations. */
export interface DurationCall extends DurationBase {
  readonly kind: 'duration-call'
  readonly name: 'step' | 'range' | 'min_of' | 'max_of'
  readonly args: readonly DurationExpr[]
}

/** The nodes directly below, in source order. */
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
