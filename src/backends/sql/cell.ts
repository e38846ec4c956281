import { encodeBool, type ColumnLayout, type FieldKnowledge } from '../../store/sqlite/index.ts'
import type { Interval } from '../../base/index.ts'
import type { Value } from '../../data/index.ts'
import { bound, sqlCall, sqlNull, type SqlExpr } from './statement/ast.ts'
import type { Base } from './base.ts'
import type { Form } from './statement/programs.ts'

/** `integer` has 64 bits, `wide` more; `float` has 64 bits and includes NaN and the infinities. */
export type NumberKind = 'integer' | 'wide' | 'float'

/**
 * Properties that hold for every value of a cell. They come from what is known of the stored data, or assume the worst
 * case.
 */
export interface Facts {
  readonly hasMissing: boolean
  readonly hasEmpty: boolean
  readonly hasUnfolded: boolean
  readonly hasOddFold: boolean
  readonly ranked: readonly string[] | 'many'
  /** How the numbers can be added exactly in SQL. It holds only for rows of the table itself. */
  readonly sums?: FieldKnowledge['sums']
  /** Whether the texts are of an enumerated type, which SQL orders by position. */
  readonly isEnum?: boolean
  /** Whether the texts are dictionary-encoded, so that DISTINCT finds them faster than groups do. */
  readonly isCoded?: boolean
  /** Whether the texts are the JSON of lists and objects, which the answer shows as such. */
  readonly isJsonText?: boolean
  /** Whether the values have the database's JSON type, so that each has a type of its own. */
  readonly isJson?: boolean
  /** Whether a trigram index finds substrings of the texts regardless of case. */
  readonly hasTrigrams?: boolean
  /** Whether the texts contain only ASCII and no zero character. */
  readonly isAscii?: boolean
  /** The kind of numbers, when another database stores them. */
  readonly number?: NumberKind
  /** Whether the database counted these whole numbers, whose type may be unsigned. */
  readonly isCount?: boolean
  /** Whether the values are whole numbers of at most 33 bits. */
  readonly isNarrow?: boolean
  /** Whether times lie within 2^62 nanoseconds of 1970, so that arithmetic on them stays within 64 bits. */
  readonly isNear?: boolean
  /** The range of the times, except missing ones. */
  readonly within?: Interval
  /** All possible values, except missing. */
  readonly values: readonly Value[] | undefined
}

/** A column about whose stored values something is known, in the block that reads its table. */
export interface StoredColumn {
  readonly base: Base
  readonly column: ColumnLayout
}

/** How a column stores times, for comparisons that an index of the database supports. */
export interface NativeTime {
  readonly sql: SqlExpr
  /** One unit of the column in nanoseconds. */
  readonly unitNs: bigint
  /** The function that makes a time from a number of units; `undefined` when the column stores this number. */
  readonly make: string | undefined
  /** Writes the text that `make` takes instead of a number of units. */
  readonly spell?: ((ns: bigint) => string) | undefined
}

/**
 * A value that the reader of the rows computes from several result columns, such as a mean from a sum and a count.
 * Other parts of the statement cannot use it.
 */
export interface Assembled {
  readonly kind: 'sum' | 'mean' | 'least' | 'greatest' | 'rate'
  /**
   * `whole`: an exact sum of whole numbers; `floats`: a sum of floats in the database's arithmetic; `texts`: of the
   * numbers among texts; `extreme`: the minimum or maximum of texts; `rate`: a row count.
   */
  readonly how: 'whole' | 'floats' | 'texts' | 'extreme' | 'rate'
  /** For `rate`: the seconds by which the count is divided. */
  readonly seconds?: number
  readonly parts: readonly SqlExpr[]
}

/** A value of each row as SQL, with what is known of it. */
export interface Cell {
  readonly sql: SqlExpr
  readonly form: Form
  readonly facts: Facts
  readonly stored: StoredColumn | undefined
  readonly native?: NativeTime | undefined
  readonly assembled?: Assembled | undefined
  /** Whether the table has a word index, which the dialect's `has-words` searches. */
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

/** Converts a cell to the representation `any`, which can hold every value. */
export function asAny(c: Cell): SqlExpr {
  if (c.form === 'time') return sqlCall('host-time', c.sql)
  // Large integers have a representation of their own in `any`.
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
 * Returns what is known of a cell whose value comes from one of the given cells, which must have one representation.
 */
export function mergedCell(cells: readonly Cell[]): Cell {
  return cell(sqlNull, cells[0]?.form ?? 'any', mergedFacts(cells))
}

/** Marks missing and `''` as equal, since a map may give either for a name that it lacks. */
export function emptyIsMissing(c: Cell): Cell {
  const { sql } = c
  if (sql.kind !== 'column' || sql.holds !== 'maybe-map') return c
  return { ...c, sql: { ...sql, holds: 'map' }, facts: { ...c.facts, hasMissing: false, hasEmpty: true } }
}

/** Returns the value with `''` as missing. */
export function withoutEmpty(c: Cell): SqlExpr {
  return c.facts.hasEmpty ? sqlCall('null-if-empty', emptyIsMissing(c).sql) : c.sql
}

export function mayBeNull(c: Cell): boolean {
  return c.facts.hasMissing || c.facts.hasEmpty
}
