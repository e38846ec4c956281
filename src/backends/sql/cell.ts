import { encodeBool, type ColumnLayout, type FieldKnowledge } from '../../store/sqlite/index.ts'
import type { Interval } from '../../base/index.ts'
import type { Value } from '../../data/index.ts'
import { bound, sqlCall, sqlNull, type SqlExpr } from './statement/ast.ts'
import type { Base } from './base.ts'
import type { Form } from './statement/programs.ts'

/** Integers of 64 bits, of more, or floats of 64 bits, NaN and infinities included. */
export type NumberKind = 'integer' | 'wide' | 'float'

/** What is known of all the values of a cell. Made from stored knowledge, or worst case. */
export interface Facts {
  readonly hasMissing: boolean
  readonly hasEmpty: boolean
  readonly hasUnfolded: boolean
  readonly hasOddFold: boolean
  readonly ranked: readonly string[] | 'many'
  /** How the numbers add up exactly in SQL; only true of the rows of the table itself. */
  readonly sums?: FieldKnowledge['sums']
  /** Texts of an enumerated type, which SQL orders by their places in it. */
  readonly isEnum?: boolean
  /** Kept as places in a list of the different texts, so that these are found quickest without groups. */
  readonly isCoded?: boolean
  /** Texts that are the JSON of lists and objects, which they become in the answer. */
  readonly isJsonText?: boolean
  /** Values of a database's own type for JSON, each of its own kind. */
  readonly isJson?: boolean
  /** Whether an index of trigrams finds parts of the texts, regardless of case. */
  readonly hasTrigrams?: boolean
  /** Whether the texts are of ASCII alone, none with a zero character. */
  readonly isAscii?: boolean
  /** What kind of numbers, where another database keeps them. */
  readonly number?: NumberKind
  /** Whole numbers that the database counted, whose type may have no sign. */
  readonly isCount?: boolean
  /** Whole numbers of at most 33 bits. */
  readonly isNarrow?: boolean
  /** Times within 2^62 nanoseconds of the epoch, so that arithmetic on them stays in 64 bits. */
  readonly isNear?: boolean
  /** Times in this range, missing ones aside. */
  readonly within?: Interval
  /** All values there can be, missing aside. */
  readonly values: readonly Value[] | undefined
}

/** A column that stored knowledge speaks about, inside the block that reads its table. */
export interface StoredColumn {
  readonly base: Base
  readonly column: ColumnLayout
}

/** How a time is kept in its own column, for comparisons that the database has an index for. */
export interface NativeTime {
  readonly sql: SqlExpr
  /** What one step of the column is, in nanoseconds. */
  readonly unitNs: bigint
  /** The function that makes one of a number of steps; `undefined` when it is that number. */
  readonly make: string | undefined
  /** What `make` takes instead of a number of steps. */
  readonly spell?: ((ns: bigint) => string) | undefined
}

/** A value that is put together of several columns when the rows are read: no part of a statement can look at it. */
export interface Assembled {
  readonly kind: 'sum' | 'mean' | 'least' | 'greatest' | 'rate'
  /**
   * `whole`: an exact sum of whole numbers; `floats`: a sum of floats as the database adds them; `texts`: of the numbers among
   * texts; `extreme`: of texts; `rate`: a count of rows.
   */
  readonly how: 'whole' | 'floats' | 'texts' | 'extreme' | 'rate'
  /** Of a `rate`: what the count is divided by. */
  readonly seconds?: number
  readonly parts: readonly SqlExpr[]
}

/** A value of each row, as SQL. */
export interface Cell {
  readonly sql: SqlExpr
  readonly form: Form
  readonly facts: Facts
  readonly stored: StoredColumn | undefined
  readonly native?: NativeTime | undefined
  readonly assembled?: Assembled | undefined
  /** Whether the table has an index of its words, which `has-words` of the dialect asks. */
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

/** Facts of numbers, times and bools, which have neither case nor rank of their own. */
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

/** The cell's value in the form that holds any value. */
export function asAny(c: Cell): SqlExpr {
  if (c.form === 'time') return sqlCall('host-time', c.sql)
  // Large ones have a form of their own beside other values.
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

/** What is known of a cell that has the value of one of these, which have one form. */
export function mergedCell(cells: readonly Cell[]): Cell {
  return cell(sqlNull, cells[0]?.form ?? 'any', mergedFacts(cells))
}

/** The same where missing and `''` mean the same: what a map lacks may be either. */
export function emptyIsMissing(c: Cell): Cell {
  const { sql } = c
  if (sql.kind !== 'column' || sql.holds !== 'maybe-map') return c
  return { ...c, sql: { ...sql, holds: 'map' }, facts: { ...c.facts, hasMissing: false, hasEmpty: true } }
}

/** The value with `''` taken as missing. */
export function withoutEmpty(c: Cell): SqlExpr {
  return c.facts.hasEmpty ? sqlCall('null-if-empty', emptyIsMissing(c).sql) : c.sql
}

export function mayBeNull(c: Cell): boolean {
  return c.facts.hasMissing || c.facts.hasEmpty
}
