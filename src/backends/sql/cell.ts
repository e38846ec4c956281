import { encodeBool, type ColumnLayout, type FieldKnowledge } from '../../store/sqlite/index.ts'
import type { Interval } from '../../base/index.ts'
import type { Value } from '../../data/index.ts'
import { bound, sqlCall, sqlNull, type SqlExpr } from './statement/ast.ts'
import type { Base } from './base.ts'
import type { Form } from './statement/programs.ts'

/**
 * The SQL types of numbers: `integer` has at most 64 bits, `wide` may have more. `float` has 64 bits and includes NaN
 * and the infinities.
 */
export type NumberKind = 'integer' | 'wide' | 'float'

/**
 * Properties that all values of a cell have. They are derived from facts about the stored data; where those are
 * unknown, the worst case is assumed.
 */
export interface Facts {
  readonly hasMissing: boolean
  readonly hasEmpty: boolean
  readonly hasUnfolded: boolean
  readonly hasOddFold: boolean
  readonly ranked: readonly string[] | 'many'
  /** Exact addition of the numbers in SQL. Valid only for rows read directly from the table. */
  readonly sums?: FieldKnowledge['sums']
  /** True if the strings are values of an enumerated type, which SQL orders by their position in the type. */
  readonly isEnum?: boolean
  /**
   * True if the strings are dictionary-encoded, so that DISTINCT finds the different ones faster than GROUP BY does.
   */
  readonly isCoded?: boolean
  /** True if the strings are the JSON of lists and objects, which the answer shows as lists and objects. */
  readonly isJsonText?: boolean
  /** True if the column has the database's JSON type, so that each value has its own type. */
  readonly isJson?: boolean
  /** True if a trigram index finds substrings of the strings regardless of case. */
  readonly hasTrigrams?: boolean
  /** True if the strings contain only ASCII and no NUL character. */
  readonly isAscii?: boolean
  /** The SQL type of the numbers; set when a database other than Sluice's own SQLite tables stores them. */
  readonly number?: NumberKind
  /** True if the numbers are counts made by the database, whose type may be unsigned. */
  readonly isCount?: boolean
  /** True if the values are whole numbers of at most 33 bits. */
  readonly isNarrow?: boolean
  /** True if times lie within 2^62 nanoseconds of 1970, so that arithmetic on them stays within 64 bits. */
  readonly isNear?: boolean
  /** The time range in which all times lie, except missing ones. */
  readonly within?: Interval
  /** All values that can occur, except missing. `undefined` when they are not known. */
  readonly values: readonly Value[] | undefined
}

/** A column of a stored table, in the block that reads the table. Facts about its values may be known. */
export interface BaseColumn {
  readonly base: Base
  readonly column: ColumnLayout
}

/** Representation of times in a column. Comparisons written in this representation can use an index of the database. */
export interface NativeTime {
  readonly sql: SqlExpr
  /** One unit of the column in nanoseconds. */
  readonly unitNs: bigint
  /**
   * The dialect's function that makes a time of the column's type from a number of units. `undefined` when the column
   * stores the number itself.
   */
  readonly make: string | undefined
  /** Writes a time as the string that `make` takes; present when `make` does not take a number of units. */
  readonly spell?: ((ns: bigint) => string) | undefined
}

/**
 * A value that the reader of the rows computes from several result columns, such as a mean from a sum and a count.
 * Other parts of the statement cannot use it.
 */
export interface Assembled {
  readonly kind: 'sum' | 'mean' | 'least' | 'greatest' | 'rate'
  /**
   * The sum, extreme or rate that the reader computes. `whole`: an exact sum of whole numbers. `floats`: a sum of floats in the database's
   * arithmetic. `texts`: a sum of the numbers among strings. `extreme`: the minimum or maximum of strings. `rate`: a
   * row count divided by `seconds`.
   */
  readonly how: 'whole' | 'floats' | 'texts' | 'extreme' | 'rate'
  /** For `rate`: the seconds by which the count is divided. */
  readonly seconds?: number
  readonly parts: readonly SqlExpr[]
}

/** A value of each row as an SQL expression, with its representation and what is known of it. */
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

/** The facts of numbers, times and bools, which have no letter case and always sort by their own type. */
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
  // `any` encodes large integers in a special way, so a host function converts them.
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
 * Makes a cell whose value comes from one of the given cells, and merges what is known of them. The cells must have one
 * representation.
 */
export function mergedCell(cells: readonly Cell[]): Cell {
  return cell(sqlNull, cells[0]?.form ?? 'any', mergedFacts(cells))
}

/** Adjusts the facts of a cell that reads a map, since the map may give NULL or `''` for a name that it lacks. */
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
