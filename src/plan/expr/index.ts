import type { Bucket, Value, ValueTest } from '../../data/index.ts'
import type { Origin } from '../../base/index.ts'
import type { FieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'

/** The value of a field; `null` when the row lacks it. */
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

/** n-ary; true without arguments. */
export interface And {
  readonly kind: 'and'
  readonly args: readonly Expr[]
  readonly origin: Origin
}

/** n-ary; false without arguments. */
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
 * True if any field with a matching name passes the test, except those in `except`: a record's time and stream name are
 * not content. A field that the row lacks does not count.
 */
export interface AnyField {
  readonly kind: 'any-field'
  readonly fields: FieldPattern
  readonly except: readonly string[]
  readonly test: ValueTest
  readonly origin: Origin
}

/** A scalar function of the registry. As a predicate it is true if the result is `true`. */
export interface Call {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expr[]
  readonly origin: Origin
}

/** The value of the first branch whose condition is true; else `otherwise`. */
export interface Case {
  readonly kind: 'case'
  readonly branches: readonly { readonly when: Expr; readonly value: Expr }[]
  readonly otherwise: Expr
  readonly origin: Origin
}

/** A value rounded down to its bucket. */
export interface BucketExpr {
  readonly kind: 'bucket'
  readonly arg: Expr
  readonly bucket: Bucket
  readonly origin: Origin
}

/**
 * Tests the value against the single column of a subquery. The engine runs subqueries first and replaces them by a
 * `test`, so backends never see this node. If `arg` is an `any-field`, the list becomes its test.
 */
export interface InSubquery {
  readonly kind: 'in-subquery'
  readonly arg: Expr
  readonly plan: LogicalPlan
  readonly mode: 'in' | 'contains-all' | 'contains-any'
  readonly isFolded: boolean
  /** True if a missing value in the list matches rows without the field. */
  readonly listsMissing: boolean
  readonly origin: Origin
}

/** All fields that match, as arguments of an aggregate or row function (`sum(bytes*)`). */
export interface Columns {
  readonly kind: 'columns'
  readonly fields: FieldPattern
  readonly origin: Origin
}

/**
 * Meaning of `field:value` before binding knows the text field and the aliases; see rules L3 to L8 of the
 * specification.
 */
export type MatchRequest =
  /** A word, phrase or value as written. */
  | { readonly kind: 'value'; readonly dialect: Dialect; readonly text: string; readonly isQuoted: boolean }
  /** Literal parts with unquoted stars between: `val*`, `*x`, `a*b`. */
  | { readonly kind: 'pattern'; readonly dialect: Dialect; readonly parts: readonly string[] }
  /** Closed already; only the field is to be resolved. `isAlternative` lets it join an OR of the same field (L9). */
  | { readonly kind: 'test'; readonly test: ValueTest; readonly isAlternative: boolean }

/** `logsql` reads a text as VictoriaLogs does and answers with texts; `native` keeps types. */
export type Dialect = 'native' | 'logsql'

/** Unbound: a filter on a field by name or pattern; without `field`, on the text field. Binding replaces it. */
export interface FieldFilter {
  readonly kind: 'field-filter'
  readonly field: FieldPattern | undefined
  readonly request: MatchRequest
  readonly origin: Origin
}

/** Unbound: operands of one level without operators, which L9 groups by bound field. Binding replaces it. */
export interface ImplicitAnd {
  readonly kind: 'implicit-and'
  readonly dialect: Dialect
  /** A parenthesised group is one operand and never an alternative. */
  readonly args: readonly Expr[]
  readonly origin: Origin
}

/** Unbound: `{app="x"}`, a predicate on the table's stream fields; binding turns it into tests on them. */
export interface StreamFilter {
  readonly kind: 'stream-filter'
  /** OR of ANDs of label tests. */
  readonly alternatives: readonly (readonly StreamMatcher[])[]
  readonly origin: Origin
}

export interface StreamMatcher {
  readonly label: string
  readonly test: ValueTest
  readonly isNegated: boolean
}

/** An expression of a plan, told apart by `kind`. */
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
