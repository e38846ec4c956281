import type { Span } from '../../base/index.ts'

/** Type of an expression: one float, an instant vector, a range vector, or a string. */
export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'

/** A PromQL expression. Plain readonly objects; every node has its type and its span. */
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
  /** Value; a duration such as `5m` counts in seconds. */
  readonly value: number
  /** True if written, and printed, as a duration. */
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

/** `@ 12.5` (Unix ms, whole) or `@ start()`, `@ end()`. */
export type AtModifier =
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

export type RangeExtension = 'anchored' | 'smoothed'

export interface VectorSelector extends NodeBase {
  readonly kind: 'vector-selector'
  readonly valueType: 'vector'
  /** Name before the braces; `''` if it is inside them or missing. */
  readonly name: string
  /** All matchers in source order; a name before the braces is last, `__name__ = name`. */
  readonly matchers: readonly Matcher[]
  /** Whole ms, negative looks forward; only used if `offsetExpr` is undefined. */
  readonly offsetMs: number
  readonly offsetExpr: DurationExpr | undefined
  readonly at: AtModifier | undefined
  readonly extension: RangeExtension | undefined
}

export interface MatrixSelector extends NodeBase {
  readonly kind: 'matrix-selector'
  readonly valueType: 'matrix'
  /** Has offset, `@` and extension of the whole. */
  readonly selector: VectorSelector
  /** Whole ms; only used if `rangeExpr` is undefined. */
  readonly rangeMs: number
  readonly rangeExpr: DurationExpr | undefined
}

export interface Subquery extends NodeBase {
  readonly kind: 'subquery'
  readonly valueType: 'matrix'
  readonly expr: PromqlExpr
  readonly rangeMs: number
  readonly rangeExpr: DurationExpr | undefined
  /** Whole ms; 0 without `stepExpr` means the default evaluation interval. */
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
/** Cut a native histogram at a bound: `</` keeps observations below, `>/` those above. */
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
  /** Labels of `group_left (…)` or `group_right (…)`. */
  readonly include: readonly string[]
  /** Value for a missing partner on that side. */
  readonly fillLeft: number | undefined
  readonly fillRight: number | undefined
}

export interface Binary extends NodeBase {
  readonly kind: 'binary'
  readonly valueType: 'scalar' | 'vector'
  readonly op: BinaryOp
  readonly lhs: PromqlExpr
  readonly rhs: PromqlExpr
  /** Modifier `bool`: gives 0 and 1 instead of filtering. */
  readonly isBool: boolean
  /** Present if and only if both sides are vectors. */
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
  /** First argument, if the aggregation has one, such as the k of `topk`. */
  readonly param: PromqlExpr | undefined
  readonly grouping: readonly string[]
  readonly isWithout: boolean
}

/** A duration that is computed at run time, in seconds. */
export type DurationExpr = DurationNumber | DurationUnary | DurationBinary | DurationCall

interface DurationBase extends NodeBase {
  /** True if written in parentheses. */
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

/** `step()` and `range()` take no argument, `min_of` and `max_of` two durations. */
export interface DurationCall extends DurationBase {
  readonly kind: 'duration-call'
  readonly name: 'step' | 'range' | 'min_of' | 'max_of'
  readonly args: readonly DurationExpr[]
}

/** Child nodes in source order. */
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
