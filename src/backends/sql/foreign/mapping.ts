import type { DataType } from '../../../data/index.ts'
import type { PolicyDomain } from '../../../plan/index.ts'
import type { ForeignSource } from './source.ts'

/** The mapping of a table of a user's database to fields of queries, as plain data. */
export interface TableMapping {
  /** The table's name in queries. */
  readonly name: string
  readonly source: ForeignSource
  readonly time: TimeMapping
  /** The name of the field that search words without a field name apply to. `undefined`: they apply to every field. */
  readonly textField: string | undefined
  readonly streamFields: readonly string[]
  /** The fields except the time field, in the order of the answer. */
  readonly fields: readonly FieldMapping[]
  /**
   * Columns that hold many fields by name, such as maps. When `fields` has no such name, they are searched in this
   * order.
   */
  readonly attributes: readonly AttributeMapping[]
  /**
   * Columns that order rows with the same time. The row stored last has the highest values. Without any, the order of
   * such rows is undefined.
   */
  readonly tieBreak: readonly string[]
  /**
   * Columns whose strings the database compares by a collation (a language-specific order) instead of by bytes.
   * Statements avoid such comparisons. None by default.
   */
  readonly collated?: readonly string[]
  /**
   * True if each column of a SQLite table contains only values of its declared type, and times lie within 2^62 ns of
   * 1970. STRICT tables ensure the types. Statements compiled without a database rely on it; backends check for
   * themselves.
   */
  readonly keepsTypes?: boolean
  readonly domain: PolicyDomain | undefined
  /** The word index of the column of the text field; `undefined` when there is none. */
  readonly words: WordIndex | undefined
}

/**
 * Representation of times in a column: a whole number of units since 1970, a time type of the database, or strings. A
 * time type without a zone is read as UTC. Strings are in RFC 3339; others count as missing.
 */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'timestamp' | 'text'

/** The length of each unit in nanoseconds, for columns that store times as whole numbers. */
export const UNIT_NS: Readonly<Record<string, bigint>> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n }

export interface TimeMapping {
  /** The name of the time field in queries. */
  readonly field: string
  readonly column: string
  /** The database's own name of the column's type. */
  readonly nativeType: string
  readonly isNullable: boolean
  readonly unit: TimeUnit
  /**
   * A further column by which the table is sorted or partitioned. It has the same times rounded down to its own unit,
   * so conditions on it skip data.
   */
  readonly floor?: { readonly column: string; readonly nativeType: string; readonly unit: TimeUnit }
}

export interface FieldMapping {
  readonly name: string
  readonly column: string
  /**
   * The names of nested members from the outermost, when the field is a member of the column. Empty for the column
   * itself.
   */
  readonly path: readonly string[]
  /** The kind of the column whose members `path` refers to. Default: a struct. */
  readonly holds?: AttributeMapping['kind']
  /** The type of the field in queries. */
  readonly type: DataType
  /** The database's own name of the type of the column, or of the member at `path`. */
  readonly nativeType: string
  readonly isNullable: boolean
  /** Representation of times in the column; only for fields that are times. */
  readonly unit?: TimeUnit
  readonly aliases: readonly string[]
}

export interface AttributeMapping {
  readonly column: string
  readonly kind: 'map' | 'json' | 'struct'
  /**
   * The prefix that the names of these fields have in queries, such as `resource.` for `resource.service`. `''` for
   * none.
   */
  readonly prefix: string
}

/**
 * Tokenization of a full-text index. `words`: as Sluice does; `runs`: runs of letters and digits; `stems`: the stems of
 * such runs; `threes`: trigrams.
 */
export type FullTextCut = 'words' | 'runs' | 'stems' | 'threes'

export type WordIndex =
  /**
   * A full-text table of SQLite. `cut` states how it tokenizes ASCII strings. If `cut` is absent, the index is not
   * used.
   */
  | { readonly kind: 'fts5'; readonly table: string; readonly cut?: FullTextCut | undefined }
  | { readonly kind: 'text' | 'trigram' | 'tsvector' }
