import type { DataType } from '../../../data/index.ts'
import type { PolicyDomain } from '../../../plan/index.ts'
import type { ForeignSource } from './source.ts'

/** A table of an engine as queries see it. Plain data. */
export interface TableMapping {
  /** The table's name in queries. */
  readonly name: string
  readonly source: ForeignSource
  readonly time: TimeMapping
  /** The field that bare words search: a name among `fields`. Without one they search every field. */
  readonly textField: string | undefined
  readonly streamFields: readonly string[]
  /** Fields in answer order, the time field aside. */
  readonly fields: readonly FieldMapping[]
  /** Columns that hold many fields by name, looked at in this order for names that `fields` lacks. */
  readonly attributes: readonly AttributeMapping[]
  /** Columns that order rows of one instant, latest stored first being descending; without any that order is open. */
  readonly tieBreak: readonly string[]
  /** Columns that compare by a collation, which statements must not do; none unless given. */
  readonly collated?: readonly string[]
  /**
   * Whether each column of a SQLite table holds values of its native type alone, as those of STRICT tables do, and times lie
   * within 2^62 ns of 1970. Statements without a database rely on it; backends look for themselves.
   */
  readonly keepsTypes?: boolean
  readonly domain: PolicyDomain | undefined
  /** The index of words that the text column has. */
  readonly words: WordIndex | undefined
}

/**
 * How a column holds times: whole units since the epoch, a type of the engine's own (without a zone it is UTC), or texts
 * in RFC 3339, of which others are times that are missing.
 */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns' | 'timestamp' | 'text'

/** One step of a column of whole numbers, nanoseconds. */
export const UNIT_NS: Readonly<Record<string, bigint>> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n }

export interface TimeMapping {
  /** Its name in queries. */
  readonly field: string
  readonly column: string
  /** As `ForeignColumn.type`. */
  readonly nativeType: string
  readonly isNullable: boolean
  readonly unit: TimeUnit
  /** A column that the table is sorted or divided by, with the same times rounded down to what it holds. */
  readonly floor?: { readonly column: string; readonly nativeType: string; readonly unit: TimeUnit }
}

export interface FieldMapping {
  readonly name: string
  readonly column: string
  /** Members inside the column, from the outermost; empty for the column itself. */
  readonly path: readonly string[]
  /** With a path, what kind of column it is; a struct unless given. */
  readonly holds?: AttributeMapping['kind']
  /** What queries see. */
  readonly type: DataType
  /** The engine's name of the type of the column, or of what `path` leads to. */
  readonly nativeType: string
  readonly isNullable: boolean
  /** Of a column of times. */
  readonly unit?: TimeUnit
  readonly aliases: readonly string[]
}

export interface AttributeMapping {
  readonly column: string
  readonly kind: 'map' | 'json' | 'struct'
  /** Queries write it in front of the name: `resource.` for `resource.service`; `''` for bare names. */
  readonly prefix: string
}

/** Our own words; runs of letters and digits; their stems; or every three characters. */
export type FullTextCut = 'words' | 'runs' | 'stems' | 'threes'

export type WordIndex =
  /** `cut`: how it makes words of ASCII texts; it is not asked where that is unknown. */
  | { readonly kind: 'fts5'; readonly table: string; readonly cut?: FullTextCut | undefined }
  | { readonly kind: 'text' | 'trigram' | 'tsvector' }
