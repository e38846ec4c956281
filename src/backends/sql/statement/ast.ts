import type { SqlValue } from '../../../store/sqlite/index.ts'
import type { Expr, Scan } from '../../../plan/index.ts'
import type { ForeignSource } from '../foreign/source.ts'
import type { Program } from './programs.ts'

/**
 * A column of a source in the same SELECT, addressed by the source's alias. Sluice or the schema chooses both names,
 * never a query.
 */
export interface SqlColumn {
  readonly kind: 'column'
  readonly source: string
  readonly column: string
  /**
   * Names of nested members, outermost first, if the value is a member of the column. `holds` is then the kind of the
   * column.
   */
  readonly path?: readonly string[]
  readonly holds?: ColumnKind
}

/**
 * Kind of a column with members. `maybe-map`: a map for which a missing name must give NULL, although the database
 * gives `''`. `json-text`: a JSON string, read as plain text without quotes.
 */
export type ColumnKind = 'map' | 'maybe-map' | 'json' | 'json-text' | 'struct'

/** A value that is sent as a parameter. Everything that a user wrote is sent this way. */
export interface SqlBound {
  readonly kind: 'bound'
  readonly value: SqlValue
  /** True if the value belongs to an enumerated type; the database accepts such values only as strings. */
  readonly isEnum?: boolean
}

/**
 * A call of a host function (code of Sluice that SQLite calls) with a `Program`, which says what to compute. The
 * statement has the program's number as a parameter.
 */
export interface SqlProgram {
  readonly kind: 'program'
  readonly program: Program
}

/** A piece of SQL that is equal in all statements. */
export interface SqlConstant {
  readonly kind: 'constant'
  readonly text: 'NULL' | '0' | '1' | '0.' | `''` | `X''` | '*'
}

/** AND or OR of any number of conditions; written as a balanced tree, since SQLite limits the depth of expressions. */
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

/** A test whether a value is in a list; NULL for a NULL value. A long list becomes one JSON parameter. */
export interface SqlIn {
  readonly kind: 'in'
  readonly arg: SqlExpr
  readonly values: readonly SqlValue[]
  readonly isNegated: boolean
  /** True if the values belong to an enumerated type; the database accepts such values only as strings. */
  readonly isEnum?: boolean
}

export interface SqlInSelect {
  readonly kind: 'in-select'
  readonly arg: SqlExpr
  readonly select: Select
  readonly isNegated: boolean
}

/** A call of a scalar function or operator. `name` is the name of its template in the dialect. */
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

/**
 * The guard of a scan: the condition that hides rows outside the caller's data scope. Excludes conditions that Sluice
 * itself tests on the returned rows. `verifyGuards` compares the guard with the scan.
 */
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
   * Set if SQL sorts strings by characters although some may be numbers or times; the reader of the rows then corrects
   * the order. `flag` marks a term that puts such strings first. `values` and `groups` name the correct order.
   */
  readonly ranks?: 'flag' | 'values' | 'groups'
  /** The term's value as a result column, for a reader that completes the ordering. */
  readonly read?: { readonly sql: SqlExpr; readonly form: 'text' | 'double' | 'int64' | 'bool' }
  /** True if the expression may be NULL. NULL sorts last in both directions. */
  readonly mayBeNull: boolean
}

/**
 * A source of rows. `table` is a stored table, `words` is the table's word index, and `position` finds only the
 * position of a time in the table. All three name their scan, so that its guard can be checked.
 */
export type Source =
  | {
      readonly kind: 'table' | 'words' | 'position'
      readonly table: string
      readonly alias: string
      readonly scan: Scan
    }
  /** A table of a user's own database. */
  | { readonly kind: 'foreign'; readonly source: ForeignSource; readonly alias: string; readonly scan: Scan }
  /** The table of case variants: for each lower-case string, the stored strings that equal it regardless of case. */
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
  /** The conditions of WHERE, combined by AND. */
  readonly where: readonly SqlExpr[]
  /** The group keys. `undefined` is no grouping; `[]` is one group of all rows. */
  readonly groupBy: readonly SqlExpr[] | undefined
  readonly having: readonly SqlExpr[]
  readonly orderBy: readonly OrderTerm[]
  /** The clause `LIMIT n BY`, applied before `limit`; only for databases that have the clause. */
  readonly limitBy?: SqlLimitBy | undefined
  readonly limit: number | undefined
  readonly offset: number
}

/** The clause `LIMIT n BY`: returns the rows `[offset, offset + limit)` of each key. */
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

/** Negates a condition. NOT is pushed down to single tests, so that the database can still stop at the first match. */
export function sqlDeny(arg: SqlExpr): SqlExpr {
  if (arg.kind === 'and') return sqlOr(arg.args.map(sqlDeny))
  return arg.kind === 'or' ? sqlAnd(arg.args.map(sqlDeny)) : sqlNot(arg)
}

/** Combines conditions by AND. Nested ANDs are flattened, and constant conditions removed. */
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
