import type { DataType } from '../../../data/index.ts'
import type { PolicyDomain } from '../../../plan/index.ts'
import type { ForeignSource } from './source.ts'

/** Maps a table of a user's database to fields of queries; plain data. */
export interface TableMapping {
  /** The table's name in queries. */
  readonly name: string
  readonly source: ForeignSource
  readonly time: TimeMapping
  /** Field in which queries search words without a field name; `undefined` means in every field. */
  readonly textField: string | undefined
  readonly streamFields: readonly string[]
  /** The fields without the time field, in answer order. */
  readonly fields: readonly FieldMapping[]
  /**
   * Columns that hold many fields by name, such as maps. A name that is not in `fields` is searched in these columns,
   * in this order.
   */
  readonly attributes: readonly AttributeMapping[]
  /**
   * Columns that order rows with equal times. The row that was stored last has the highest values. If empty, the order
   * of such rows is undefined.
   */
  readonly tieBreak: readonly string[]
  /**
   * Columns whose strings the database compares by a collation (a language-specific order) instead of by bytes.
   * Statements avoid such comparisons. Empty by default.
   */
  readonly collated?: readonly string[]
  /**
   * True if each column of a SQLite table has only values of its declared type, and times lie within 2^62 ns of 1970.
   * STRICT tables ensure the types. Statements compiled without a database rely on this member; backends check the
   * table themselves.
   */
  readonly keepsTypes?: boolean
  readonly domain: PolicyDomain | undefined
  /** The word index of the column of the text field; `undefined` when there is none. */
  readonly words: WordIndex | undefined
}

/**
 * Representation of times in a column: a whole number of units since 1970, a time type of the database, or a string. A
 * time type without a zone is read as UTC. Strings must be RFC 3339; other strings count as missing.
 */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'timestamp' | 'text'

/** Length of each unit in nanoseconds, for columns with whole numbers as times. */
export const UNIT_NS: Readonly<Record<string, bigint>> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n }

export interface TimeMapping {
  /** The name of the time field in queries. */
  readonly field: string
  readonly column: string
  /** The database's name of the column's type. */
  readonly nativeType: string
  readonly isNullable: boolean
  readonly unit: TimeUnit
  /**
   * A further column by which the table is sorted or partitioned: the same times, rounded down to the column's own
   * unit. Conditions on this column skip data.
   */
  readonly floor?: { readonly column: string; readonly nativeType: string; readonly unit: TimeUnit }
}

export interface FieldMapping {
  readonly name: string
  readonly column: string
  /**
   * Names of nested members, outermost first, if the field is a member of the column. Empty if the field is the column
   * itself.
   */
  readonly path: readonly string[]
  /** Kind of the column whose member `path` names; a struct by default. */
  readonly holds?: AttributeMapping['kind']
  /** The type of the field in queries. */
  readonly type: DataType
  /** The database's name of the type of the column, or of the member at `path`. */
  readonly nativeType: string
  readonly isNullable: boolean
  /** Representation of times in the column; only for fields that are times. */
  readonly unit?: TimeUnit
  readonly aliases: readonly string[]
}

export interface AttributeMapping {
  readonly column: string
  readonly kind: 'map' | 'json' | 'struct'
  /** Prefix of these fields' names in queries, such as `resource.` in `resource.service`; may be `''`. */
  readonly prefix: string
}

/**
 * How a full-text index divides strings into tokens. `words`: Sluice's words. `runs`: runs of letters and digits.
 * `stems`: the stems of such runs. `threes`: trigrams.
 */
export type FullTextCut = 'words' | 'runs' | 'stems' | 'threes'

export type WordIndex =
  /**
   * A full-text table of SQLite. `cut` says how the table tokenizes ASCII strings. Without `cut`, the table is not
   * used.
   */
  | { readonly kind: 'fts5'; readonly table: string; readonly cut?: FullTextCut | undefined }
  | { readonly kind: 'text' | 'trigram' | 'tsvector' }
