import type { Schema } from '../data/index.ts'

/** Kinds of data in policies. */
export type PolicyDomain = 'logs' | 'events' | 'traces' | 'metrics' | 'workloads' | 'clusters'

/** Scale of numeric levels, by who writes them. */
export type LevelScale = 'pino' | 'python' | 'syslog' | 'monolog' | 'otel' | 'logback' | 'azure' | 'windows'

/**
 * Names that one logger or shipper uses for fields of a table: members, with dots for nested ones; the first that a
 * record has counts. Plain data.
 */
export interface RecordShape {
  /** Name of the logger. */
  readonly name: string
  /**
   * Members that all its records have. Without any, its names of text, level, time, trace and span are aliases in every
   * record and every query (`TableDefinition.aliases`). With some, other names apply only to records that have all
   * these members, and the members also keep their own names.
   */
  readonly has?: readonly string[]
  readonly text?: readonly string[]
  readonly level?: readonly string[]
  /** Scale of its numeric levels. */
  readonly levels?: LevelScale
  /** Level of its records without one. */
  readonly defaultLevel?: string
  readonly time?: readonly string[]
  /**
   * Members that hold the time of a record without any other: lower case, compared without case. They also keep their
   * own names. For a name, the members `$date` and `date` of an object count too, and its seconds and nanoseconds.
   */
  readonly otherTimes?: readonly string[]
  /** Two members that form the time: seconds and nanoseconds. */
  readonly timeParts?: readonly [string, string]
  /** Members that name the service; they also keep their own names. */
  readonly service?: readonly string[]
  readonly trace?: readonly string[]
  readonly span?: readonly string[]
  /** Other fields of the table by name; the members also keep their own names. */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** True if its text ends with a line break, which is removed. */
  readonly hasLineEnd?: boolean
}

/** Declaration of one table in the catalog. */
export interface TableDefinition {
  readonly name: string
  /** One sentence, for explanations and editors. */
  readonly summary?: string
  /** Declared fields in answer order; open when rows may carry others. */
  readonly schema: Schema
  /** Field of the time. Without one, rows keep their given order, and time ranges do not apply. */
  readonly timeField?: string
  /** Field that bare words search; without one they search every field. */
  readonly textField?: string
  /**
   * Other names of fields, resolved in queries and at ingest; output uses the schema's name. If a record has several
   * names of one field, the schema's own wins, then the first in this order; the others are stored as `<field>.<their
   * name>`.
   */
  readonly aliases: ReadonlyMap<string, string>
  /** Field whose values are levels, in one spelling. */
  readonly levelField?: string
  /** Shapes of well-known loggers, tried in this order. */
  readonly shapes?: readonly RecordShape[]
  /** Fields that form `_stream`. */
  readonly streamFields: readonly string[]
  readonly domain: PolicyDomain
}

/** A table of records, all of which have a time and a text. */
export interface RecordTableDefinition extends TableDefinition {
  readonly timeField: string
  readonly textField: string
}

/** The tables that queries may name, and the one that a query without a name reads. */
export interface Catalog {
  readonly tables: ReadonlyMap<string, TableDefinition>
  /** Table of a query text that names none. */
  readonly defaultTable: string
}

export interface RecordCatalog extends Catalog {
  readonly tables: ReadonlyMap<string, RecordTableDefinition>
}
