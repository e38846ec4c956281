import type { Bucket, Value, ValueTest } from '../../data/index.ts'
import type { Origin } from '../../base/index.ts'
import type { FieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'

/** The value of a field; `null` if the row does not have the field. */
export interface Column {
  readonly kind: 'column'
  readonly name: string
  readonly origin: Origin
}

export interface Literal {
  readonly kind: 'literal'
  readonly value: Value
  readonly origin: Origin
}

/** True if all arguments are true; true without arguments. */
export interface And {
  readonly kind: 'and'
  readonly args: readonly Expr[]
  readonly origin: Origin
}

/** True if any argument is true; false without arguments. */
export interface Or {
  readonly kind: 'or'
  readonly args: readonly Expr[]
  readonly origin: Origin
}

export interface Not {
  readonly kind: 'not'
  readonly arg: Expr
  readonly origin: Origin
}

/** A predicate on one value: the leaf of nearly every filter. */
export interface Test {
  readonly kind: 'test'
  readonly arg: Expr
  readonly test: ValueTest
  readonly origin: Origin
}

/**
 * True if some field with a matching name passes the test. Fields in `except` are ignored: a record's time and stream
 * name are not content. A field that the row does not have does not pass.
 */
export interface AnyField {
  readonly kind: 'any-field'
  readonly fields: FieldPattern
  readonly except: readonly string[]
  readonly test: ValueTest
  readonly origin: Origin
}

/** A call of a scalar function of the registry. As a predicate it is true if the result is `true`. */
export interface Call {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expr[]
  readonly origin: Origin
}

/** The value of the first branch whose condition is true, else the value of `otherwise`. */
export interface Case {
  readonly kind: 'case'
  readonly branches: readonly { readonly when: Expr; readonly value: Expr }[]
  readonly otherwise: Expr
  readonly origin: Origin
}

/** A value, rounded down to the start of its bucket. */
export interface BucketExpr {
  readonly kind: 'bucket'
  readonly arg: Expr
  readonly bucket: Bucket
  readonly origin: Origin
}

/**
 * Tests whether the value is in the single column of a subquery. Backends never see this node: the engine runs
 * subqueries first and replaces it by a `test`. If `arg` is an `any-field`, the list becomes the test of that
 * `any-field`.
 */
export interface InSubquery {
  readonly kind: 'in-subquery'
  readonly arg: Expr
  readonly plan: LogicalPlan
  readonly mode: 'in' | 'contains-all' | 'contains-any'
  readonly isFolded: boolean
  /** True if a missing value in the list matches rows that do not have the field. */
  readonly listsMissing: boolean
  readonly origin: Origin
}

/** All fields that match, as arguments of an aggregate or row function, such as `sum(bytes*)`. */
export interface Columns {
  readonly kind: 'columns'
  readonly fields: FieldPattern
  readonly origin: Origin
}

/**
 * The meaning of `field:value` before binding has resolved the text field and aliases. See L3 to L8 in
 * `grammar/semantics.md`.
 */
export type MatchRequest =
  /** A word, phrase or other value, as written. */
  | { readonly kind: 'value'; readonly dialect: Dialect; readonly text: string; readonly isQuoted: boolean }
  /** Literal parts separated by unquoted stars: `val*`, `*x`, `a*b`. */
  | { readonly kind: 'pattern'; readonly dialect: Dialect; readonly parts: readonly string[] }
  /**
   * A complete test, in which only the field remains to be resolved. `isAlternative` means that the test can join an OR
   * of tests on the same field (L9).
   */
  | { readonly kind: 'test'; readonly test: ValueTest; readonly isAlternative: boolean }

/** `logsql` interprets a query as VictoriaLogs does and returns all values as strings; `native` keeps types. */
export type Dialect = 'native' | 'logsql'

/** A filter on a field by name or pattern, or on the text field if `field` is missing. Binding replaces this node. */
export interface FieldFilter {
  readonly kind: 'field-filter'
  readonly field: FieldPattern | undefined
  readonly request: MatchRequest
  readonly origin: Origin
}

/** Adjacent operands without an operator. Binding groups them by field (L9) and replaces this node. */
export interface ImplicitAnd {
  readonly kind: 'implicit-and'
  readonly dialect: Dialect
  /** Operands. A group in parentheses is one operand and never joins an OR. */
  readonly args: readonly Expr[]
  readonly origin: Origin
}

/** A predicate on the table's stream fields, such as `{app="x"}`. Binding replaces this node by tests. */
export interface StreamFilter {
  readonly kind: 'stream-filter'
  /** Alternatives (OR), each of which requires all of its label tests (AND). */
  readonly alternatives: readonly (readonly StreamMatcher[])[]
  readonly origin: Origin
}

export interface StreamMatcher {
  readonly label: string
  readonly test: ValueTest
  readonly isNegated: boolean
}

/** An expression of a plan. Its `kind` is the discriminant. */
export type Expr =
  | Column
  | Literal
  | And
  | Or
  | Not
  | Test
  | AnyField
  | Call
  | Case
  | BucketExpr
  | InSubquery
  | Columns
  | FieldFilter
  | ImplicitAnd
  | StreamFilter

export type ExprKind = Expr['kind']
export type ExprOf<K extends ExprKind> = Extract<Expr, { kind: K }>
