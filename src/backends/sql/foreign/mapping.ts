import type { DataType } from '../../../data/index.ts'
import type { PolicyDomain } from '../../../plan/index.ts'
import type { ForeignSource } from './source.ts'

/** A table of another database as queries see it. Plain data. */
export interface TableMapping {
  /** The table's name in queries. */
  readonly name: string
  readonly source: ForeignSource
  readonly time: TimeMapping
  /** The field that bare words search: a name among `fields`. Without one they search every field. */
  readonly textField: string | undefined
  readonly streamFields: readonly string[]
  /** The fields in answer order, except the time field. */
  readonly fields: readonly FieldMapping[]
  /** Columns that hold many fields by name. They are searched in this order for names that `fields` lacks. */
  readonly attributes: readonly AttributeMapping[]
  /**
   * Columns that order rows with the same time; the row stored last has the highest values. Without any, this order is
   * undefined.
   */
  readonly tieBreak: readonly string[]
  /** Columns that are compared by a collation, which statements must avoid; none by default. */
  readonly collated?: readonly string[]
  /**
   * Whether each column of a SQLite table stores only values of its type, as those of STRICT tables do, and times lie
   * within 2^62 ns of 1970. Statements compiled without a database rely on it; backends check for themselves.
   */
  readonly keepsTypes?: boolean
  readonly domain: PolicyDomain | undefined
  /** The word index of the text column. */
  readonly words: WordIndex | undefined
}

/**
 * How a column stores times: whole units since 1970, a type of the database (UTC when it has no zone), or texts in RFC
 * 3339; other texts are missing times.
 */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'timestamp' | 'text'

/** One unit of a column of whole numbers, in nanoseconds. */
export const UNIT_NS: Readonly<Record<string, bigint>> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n }

export interface TimeMapping {
  /** The field's name in queries. */
  readonly field: string
  readonly column: string
  /** See `ForeignColumn.type`. */
  readonly nativeType: string
  readonly isNullable: boolean
  readonly unit: TimeUnit
  /**
   * An additional column by which the table is sorted or partitioned. It has the same times, rounded down to its unit.
   */
  readonly floor?: { readonly column: string; readonly nativeType: string; readonly unit: TimeUnit }
}

export interface FieldMapping {
  readonly name: string
  readonly column: string
  /** Members inside the column, from the outermost; empty for the column itself. */
  readonly path: readonly string[]
  /** With a path, the kind of the column; a struct by default. */
  readonly holds?: AttributeMapping['kind']
  /** The type in queries. */
  readonly type: DataType
  /** The engine's name of the type of the column, or of the member at `path`. */
  readonly nativeType: string
  readonly isNullable: boolean
  /** The unit of a column of times. */
  readonly unit?: TimeUnit
  readonly aliases: readonly string[]
}

export interface AttributeMapping {
  readonly column: string
  readonly kind: 'map' | 'json' | 'struct'
  /**
   * The prefix of the names in queries, such as `resource.` for `resource.service`; `''` for names without a prefix.
   */
  readonly prefix: string
}

/** How a full-text index tokenizes: words as in Sluice; runs of letters and digits; their stems; or trigrams. */
export type FullTextCut = 'words' | 'runs' | 'stems' | 'threes'

export type WordIndex =
  /** `cut` is how it tokenizes ASCII texts; the index is not used when this is unknown. */
  | { readonly kind: 'fts5'; readonly table: string; readonly cut?: FullTextCut | undefined }
  | { readonly kind: 'text' | 'trigram' | 'tsvector' }
