import type { SqlValue } from '../../../store/sqlite/index.ts'
import type { Expr, Scan } from '../../../plan/index.ts'
import type { ForeignSource } from '../foreign/source.ts'
import type { Program } from './programs.ts'

/** A column of a source of the same block, by the source's alias. Both names are made by us, never by a user. */
export interface SqlColumn {
  readonly kind: 'column'
  readonly source: string
  readonly column: string
  /** Members inside it, from the outermost, and what kind of column it is. */
  readonly path?: readonly string[]
  readonly holds?: ColumnKind
}

/**
 * What a column with members is; of a `maybe-map` a missing name gives NULL although the database gives `''`, of
 * `json-text` a text stands without its quotes.
 */
export type ColumnKind = 'map' | 'maybe-map' | 'json' | 'json-text' | 'struct'

/** A value that crosses to the database as a parameter: everything a user wrote. */
export interface SqlBound {
  readonly kind: 'bound'
  readonly value: SqlValue
  /** It is one of the values of an enumerated type, which the database knows by its text alone. */
  readonly isEnum?: boolean
}

/** Host code that a host function runs; bound as its number. */
export interface SqlProgram {
  readonly kind: 'program'
  readonly program: Program
}

/** Text that stands in every statement alike. */
export interface SqlConstant {
  readonly kind: 'constant'
  readonly text: 'NULL' | '0' | '1' | '0.' | `''` | `X''` | '*'
}

/** n-ary; rendered as a balanced tree, because SQLite limits the depth of expressions. */
export interface SqlLogic {
  readonly kind: 'and' | 'or'
  readonly args: readonly SqlExpr[]
}

export interface SqlNot {
  readonly kind: 'not'
  readonly arg: SqlExpr
}

export type SqlCompareOp = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'IS' | 'IS NOT'

export interface SqlCompare {
  readonly kind: 'compare'
  readonly op: SqlCompareOp
  readonly left: SqlExpr
  readonly right: SqlExpr
}

export interface SqlNullCheck {
  readonly kind: 'null-check'
  readonly arg: SqlExpr
  readonly isNegated: boolean
}

/** Long lists become one JSON parameter. NULL on the left gives NULL. */
export interface SqlIn {
  readonly kind: 'in'
  readonly arg: SqlExpr
  readonly values: readonly SqlValue[]
  readonly isNegated: boolean
  /** As of `SqlBound`. */
  readonly isEnum?: boolean
}

export interface SqlInSelect {
  readonly kind: 'in-select'
  readonly arg: SqlExpr
  readonly select: Select
  readonly isNegated: boolean
}

/** A scalar function or operator by the name its dialect spells. */
export interface SqlCall {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly SqlExpr[]
}

export interface SqlAggregate {
  readonly kind: 'aggregate'
  readonly name: string
  readonly args: readonly SqlExpr[]
  readonly isDistinct: boolean
  readonly orderBy: readonly OrderTerm[]
  readonly filter: SqlExpr | undefined
}

export interface SqlWindow {
  readonly kind: 'window'
  readonly call: SqlCall | SqlAggregate
  readonly partitionBy: readonly SqlExpr[]
  readonly orderBy: readonly OrderTerm[]
  readonly frame: 'partition' | 'running' | 'none'
}

export interface SqlCase {
  readonly kind: 'case'
  readonly branches: readonly { readonly when: SqlExpr; readonly value: SqlExpr }[]
  readonly otherwise: SqlExpr
}

export interface SqlScalarSelect {
  readonly kind: 'scalar-select'
  readonly select: Select
}

/** The data scope of a scan, compiled but for what is tested above; both are the scan's own, for the proof. */
export interface SqlGuard {
  readonly kind: 'guard'
  readonly guard: Expr
  readonly above: readonly Expr[] | undefined
  readonly condition: SqlExpr
}

export type SqlExpr =
  | SqlColumn
  | SqlBound
  | SqlProgram
  | SqlConstant
  | SqlLogic
  | SqlNot
  | SqlCompare
  | SqlNullCheck
  | SqlIn
  | SqlInSelect
  | SqlCall
  | SqlAggregate
  | SqlWindow
  | SqlCase
  | SqlScalarSelect
  | SqlGuard

export interface OrderTerm {
  readonly expr: SqlExpr
  readonly direction: 'asc' | 'desc'
  /**
   * SQL orders these texts by their characters, which is right but for those that are numbers or times. Whoever reads the
   * rows puts these in their places, as sort keys or as keys of groups; a `flag` brings what may be such first.
   */
  readonly ranks?: 'flag' | 'values' | 'groups'
  /** The same as a result column, for a reader that completes the order. */
  readonly read?: { readonly sql: SqlExpr; readonly form: 'text' | 'double' | 'int64' | 'bool' }
  /** Whether the expression may be NULL, which then comes last. */
  readonly mayBeNull: boolean
}

/**
 * Where rows come from. `table` holds records, `words` is its index, `position` reads only where a time lies in a table.
 * All three name the scan they serve, so that its guard can be proved.
 */
export type Source =
  | {
      readonly kind: 'table' | 'words' | 'position'
      readonly table: string
      readonly alias: string
      readonly scan: Scan
    }
  /** A table of a database that keeps its own data. */
  | { readonly kind: 'foreign'; readonly source: ForeignSource; readonly alias: string; readonly scan: Scan }
  /** Other spellings of values, by their fold. */
  | { readonly kind: 'variants'; readonly alias: string }
  | { readonly kind: 'select'; readonly query: Query; readonly alias: string }
  | {
      readonly kind: 'join'
      readonly left: Source
      readonly right: Source
      readonly type: 'cross' | 'inner' | 'left' | 'right' | 'full'
      readonly on: SqlExpr | undefined
    }

export interface SelectColumn {
  readonly expr: SqlExpr
  readonly name: string
}

export interface Select {
  readonly kind: 'select'
  readonly isDistinct?: boolean
  readonly columns: readonly SelectColumn[]
  readonly from: Source
  /** Joined by AND. */
  readonly where: readonly SqlExpr[]
  /** `undefined`: no grouping; `[]`: one group of all rows. */
  readonly groupBy: readonly SqlExpr[] | undefined
  readonly having: readonly SqlExpr[]
  readonly orderBy: readonly OrderTerm[]
  /** Before `limit`, in databases that have it. */
  readonly limitBy?: SqlLimitBy | undefined
  readonly limit: number | undefined
  readonly offset: number
}

/** The rows `[offset, offset + limit)` with the same keys. */
export interface SqlLimitBy {
  readonly keys: readonly SqlExpr[]
  readonly limit: number
  readonly offset: number
}

export interface UnionAll {
  readonly kind: 'union-all'
  readonly selects: readonly Select[]
}

export type Query = Select | UnionAll

export const sqlNull: SqlConstant = { kind: 'constant', text: 'NULL' }
export const sqlFalse: SqlConstant = { kind: 'constant', text: '0' }
export const sqlTrue: SqlConstant = { kind: 'constant', text: '1' }
export const emptyText: SqlConstant = { kind: 'constant', text: `''` }

export function bound(value: SqlValue): SqlBound {
  return { kind: 'bound', value }
}

export function sqlColumn(source: string, column: string): SqlColumn {
  return { kind: 'column', source, column }
}

export function compare(left: SqlExpr, op: SqlCompareOp, right: SqlExpr): SqlCompare {
  return { kind: 'compare', op, left, right }
}

export function sqlCall(name: string, ...args: readonly SqlExpr[]): SqlCall {
  return { kind: 'call', name, args }
}

export function hostCall(name: string, program: Program, ...args: readonly SqlExpr[]): SqlCall {
  return { kind: 'call', name, args: [{ kind: 'program', program }, ...args] }
}

export function isNull(arg: SqlExpr): SqlNullCheck {
  return { kind: 'null-check', arg, isNegated: false }
}

export function isNotNull(arg: SqlExpr): SqlNullCheck {
  return { kind: 'null-check', arg, isNegated: true }
}

export function sqlNot(arg: SqlExpr): SqlExpr {
  if (arg === sqlTrue) return sqlFalse
  return arg === sqlFalse ? sqlTrue : { kind: 'not', arg }
}

/** The opposite with each NOT at its leaf: a database that stops at the first answer still does. */
export function sqlDeny(arg: SqlExpr): SqlExpr {
  if (arg.kind === 'and') return sqlOr(arg.args.map(sqlDeny))
  return arg.kind === 'or' ? sqlAnd(arg.args.map(sqlDeny)) : sqlNot(arg)
}

/** Flattened, constants absorbed. */
export function sqlAnd(args: readonly SqlExpr[]): SqlExpr {
  const kept = args.flatMap((arg) => (arg.kind === 'and' ? arg.args : arg === sqlTrue ? [] : [arg]))
  if (kept.includes(sqlFalse)) return sqlFalse
  const [only = sqlTrue] = kept
  return kept.length <= 1 ? only : { kind: 'and', args: kept }
}

export function sqlOr(args: readonly SqlExpr[]): SqlExpr {
  const kept = args.flatMap((arg) => (arg.kind === 'or' ? arg.args : arg === sqlFalse ? [] : [arg]))
  if (kept.includes(sqlTrue)) return sqlTrue
  const [only = sqlFalse] = kept
  return kept.length <= 1 ? only : { kind: 'or', args: kept }
}

export function aggregate(
  name: string,
  args: readonly SqlExpr[],
  more: Partial<Omit<SqlAggregate, 'kind' | 'name' | 'args'>> = {},
): SqlAggregate {
  return { kind: 'aggregate', name, args, isDistinct: false, orderBy: [], filter: undefined, ...more }
}
