import { encodeBool, type ColumnLayout, type FieldKnowledge } from '../../store/sqlite/index.ts'
import type { Interval } from '../../base/index.ts'
import type { Value } from '../../data/index.ts'
import { bound, sqlCall, sqlNull, type SqlExpr } from './statement/ast.ts'
import type { Base } from './base.ts'
import type { Form } from './statement/programs.ts'

/**
 * SQL types of numbers. `integer`: at most 64 bits. `wide`: integers that may exceed 64 bits. `float`: 64 bits, with
 * NaN and infinities.
 */
export type NumberKind = 'integer' | 'wide' | 'float'

/**
 * Properties that all values of a cell have, derived from facts about the stored data. Unknown facts count as the worst
 * case.
 */
export interface Facts {
  readonly hasMissing: boolean
  readonly hasEmpty: boolean
  readonly hasUnfolded: boolean
  readonly hasOddFold: boolean
  readonly ranked: readonly string[] | 'many'
  /** How SQL can add the numbers exactly. Valid only for rows read directly from the table. */
  readonly sums?: FieldKnowledge['sums']
  /** True if the strings are values of an enumerated type, which SQL sorts by position in the type. */
  readonly isEnum?: boolean
  /** True if the strings are dictionary-encoded, so that DISTINCT finds the distinct strings faster than GROUP BY. */
  readonly isCoded?: boolean
  /** True if the strings are JSON lists and objects, which the answer returns as lists and objects. */
  readonly isJsonText?: boolean
  /** True if the column has the database's JSON type, so that each value has its own type. */
  readonly isJson?: boolean
  /** True if a trigram index finds substrings of the strings, regardless of case. */
  readonly hasTrigrams?: boolean
  /** True if the strings contain only ASCII and no NUL character. */
  readonly isAscii?: boolean
  /** The SQL type of the numbers; set for databases other than Sluice's own SQLite tables. */
  readonly number?: NumberKind
  /** True if the numbers are counts computed by the database, whose type may be unsigned. */
  readonly isCount?: boolean
  /** True if the values are whole numbers of at most 33 bits. */
  readonly isNarrow?: boolean
  /** True if times lie within 2^62 nanoseconds of 1970, so that arithmetic on them stays within 64 bits. */
  readonly isNear?: boolean
  /** Time range that contains all times of the cell. */
  readonly within?: Interval
  /** All values that can occur, apart from missing; `undefined` if unknown. */
  readonly values: readonly Value[] | undefined
}

/** A column of a stored table, in the block that reads the table. Facts about the column's values may be known. */
export interface BaseColumn {
  readonly base: Base
  readonly column: ColumnLayout
}

/** Representation of times in a column. Comparisons in this representation can use an index of the database. */
export interface NativeTime {
  readonly sql: SqlExpr
  /** Length of one unit of the column, nanoseconds. */
  readonly unitNs: bigint
  /**
   * The dialect's function that makes a time of the column's type from a number of units, or from a string if `spell`
   * is set. `undefined` if the column stores the number itself.
   */
  readonly make: string | undefined
  /** Writes a time as the string that `make` takes; present if `make` takes strings instead of numbers. */
  readonly spell?: ((ns: bigint) => string) | undefined
}

/**
 * A value that the reader of the rows computes from several result columns, such as a mean from a sum and a count. No
 * other part of the statement can use the value.
 */
export interface Assembled {
  readonly kind: 'sum' | 'mean' | 'least' | 'greatest' | 'rate'
  /**
   * How the reader computes the value. `whole`: exact sum of whole numbers. `floats`: sum of floats in the database's
   * arithmetic. `texts`: sum of the numbers among strings. `extreme`: minimum or maximum of strings. `rate`: row count
   * divided by `seconds`.
   */
  readonly how: 'whole' | 'floats' | 'texts' | 'extreme' | 'rate'
  /** For `rate`: the divisor of the row count, seconds. */
  readonly seconds?: number
  readonly parts: readonly SqlExpr[]
}

/** A value of each row as an SQL expression, with its representation and the facts known about it. */
export interface Cell {
  readonly sql: SqlExpr
  readonly form: Form
  readonly facts: Facts
  readonly stored: BaseColumn | undefined
  readonly native?: NativeTime | undefined
  readonly assembled?: Assembled | undefined
  /** True if the column has a word index, which the dialect's function `has-words` searches. */
  readonly hasWords?: boolean
}

export const anything: Facts = {
  hasMissing: true,
  hasEmpty: true,
  hasUnfolded: true,
  hasOddFold: true,
  ranked: 'many',
  values: undefined,
}

/** The facts of numbers, times and bools. They have no letter case, and all values sort by their type. */
export const present: Facts = {
  hasMissing: false,
  hasEmpty: false,
  hasUnfolded: false,
  hasOddFold: false,
  ranked: [],
  values: undefined,
}

export const presentOrMissing: Facts = { ...present, hasMissing: true }

export function cell(sql: SqlExpr, form: Form, facts: Facts = anything): Cell {
  return { sql, form, facts, stored: undefined }
}

export const missingCell: Cell = cell(sqlNull, 'any', { ...presentOrMissing, values: [] })

export function storedForm(column: ColumnLayout, known: FieldKnowledge): Form {
  if (known.hasForeign) return 'any'
  if (column.field.type === 'string') return 'text'
  return column.field.type === 'number' || column.field.type === 'integer' ? 'number' : 'any'
}

/** Converts a cell to the representation `any`, an encoding that can hold a value of any type. */
export function asAny(c: Cell): SqlExpr {
  if (c.form === 'time') return sqlCall('host-time', c.sql)
  // `any` has a special encoding for large integers, so a host function converts them.
  if (c.form === 'number' && c.facts.number === 'integer') return sqlCall('host-native', c.sql)
  if (c.form !== 'bool') return c.sql
  return {
    kind: 'case',
    branches: [{ when: c.sql, value: bound(encodeBool(true)) }],
    otherwise: bound(encodeBool(false)),
  }
}

function mergedNumber(cells: readonly Cell[]): Pick<Facts, 'number'> {
  const [first] = cells
  const number = first?.facts.number
  return number !== undefined && cells.every((c) => c.facts.number === number) ? { number } : {}
}

function mergedFacts(cells: readonly Cell[]): Facts {
  const values = cells.flatMap((c) => c.facts.values ?? [])
  const ranked = cells.flatMap((c) => (c.facts.ranked === 'many' ? [] : c.facts.ranked))
  return {
    hasMissing: cells.some((c) => c.facts.hasMissing),
    hasEmpty: cells.some((c) => c.facts.hasEmpty),
    hasUnfolded: cells.some((c) => c.facts.hasUnfolded),
    hasOddFold: cells.some((c) => c.facts.hasOddFold),
    ranked: cells.some((c) => c.facts.ranked === 'many') ? 'many' : [...new Set(ranked)],
    ...mergedNumber(cells),
    ...(cells.some((c) => c.facts.isEnum === true) ? { isEnum: true } : {}),
    ...(cells.every((c) => c.facts.isJsonText === true) ? { isJsonText: true } : {}),
    values: cells.every((c) => c.facts.values !== undefined) ? [...new Set(values)] : undefined,
  }
}

/**
 * Makes a cell whose value comes from one of the given cells; merges their facts. The cells must share one
 * representation.
 */
export function mergedCell(cells: readonly Cell[]): Cell {
  return cell(sqlNull, cells[0]?.form ?? 'any', mergedFacts(cells))
}

/** Adjusts the facts of a cell that reads a map: the map may give NULL or `''` for a name that it lacks. */
export function emptyIsMissing(c: Cell): Cell {
  const { sql } = c
  if (sql.kind !== 'column' || sql.holds !== 'maybe-map') return c
  return { ...c, sql: { ...sql, holds: 'map' }, facts: { ...c.facts, hasMissing: false, hasEmpty: true } }
}

/** Returns the value of a cell with `''` converted to NULL. */
export function withoutEmpty(c: Cell): SqlExpr {
  return c.facts.hasEmpty ? sqlCall('null-if-empty', emptyIsMissing(c).sql) : c.sql
}

export function mayBeNull(c: Cell): boolean {
  return c.facts.hasMissing || c.facts.hasEmpty
}
