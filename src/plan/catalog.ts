import type { Schema } from '../data/index.ts'

/** The kinds of data a policy speaks about. */
export type PolicyDomain = 'logs' | 'events' | 'traces' | 'metrics' | 'workloads' | 'clusters'

/** What numbers a logger writes for levels. */
export type LevelScale = 'pino' | 'python' | 'syslog' | 'monolog' | 'otel' | 'logback' | 'azure' | 'windows'

/**
 * Where the records of one logger or shipper have what a table keeps in fields of its own: names of members, nested ones
 * with dots, the first that a record has. Plain data.
 */
export interface RecordShape {
  /** The logger. */
  readonly name: string
  /**
   * Members that its records all have. Without any, the names of text, level, time, trace and span are other names of
   * these fields in every record and every query (`TableDefinition.aliases`). With some, names that are not such are
   * taken only in records that have all members, and stay where they are as well.
   */
  readonly has?: readonly string[]
  readonly text?: readonly string[]
  readonly level?: readonly string[]
  /** How its numeric levels are read. */
  readonly levels?: LevelScale
  /** The level of its records that bring none. */
  readonly defaultLevel?: string
  readonly time?: readonly string[]
  /**
   * Members that are the time of a record without any other: in small letters, compared without case. They stay where they
   * are as well. Of a name also the members `$date` and `date` of an object, and its seconds and nanoseconds.
   */
  readonly otherTimes?: readonly string[]
  /** Two members that are the time together: seconds and nanoseconds. */
  readonly timeParts?: readonly [string, string]
  /** Names of what wrote the record; they stay where they are as well. */
  readonly service?: readonly string[]
  readonly trace?: readonly string[]
  readonly span?: readonly string[]
  /** Other fields of the table, by their names; the members stay where they are as well. */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** Its text is a line with its end: that end is left out. */
  readonly hasLineEnd?: boolean
}

/** What the catalog declares of one table. */
export interface TableDefinition {
  readonly name: string
  /** One sentence, for explanations and editors. */
  readonly summary?: string
  /** Declared fields in answer order; open when rows may carry others. */
  readonly schema: Schema
  /** Without one, rows come in the order in which they were given, and no range of times applies to them. */
  readonly timeField?: string
  /** The field that bare words search; without one they search every field. */
  readonly textField?: string
  /**
   * Other names of fields, resolved in queries and at ingest; output uses the schema's name. When a record brings
   * several names of one field, the schema's own name wins, then the first in this order; the others stay beside it
   * as `<field>.<their name>`.
   */
  readonly aliases: ReadonlyMap<string, string>
  /** The field whose values are levels, kept in one spelling. */
  readonly levelField?: string
  /** How well-known loggers write such records; asked in this order. */
  readonly shapes?: readonly RecordShape[]
  /** Fields that make up `_stream`. */
  readonly streamFields: readonly string[]
  readonly domain: PolicyDomain
}

/** A table of records, which all have a time and a text. */
export interface RecordTableDefinition extends TableDefinition {
  readonly timeField: string
  readonly textField: string
}

export interface Catalog {
  readonly tables: ReadonlyMap<string, TableDefinition>
  /** The table a text query reads. */
  readonly defaultTable: string
}

export interface RecordCatalog extends Catalog {
  readonly tables: ReadonlyMap<string, RecordTableDefinition>
}
