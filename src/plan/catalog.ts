import type { Schema } from '../data/index.ts'

/** Kinds of data to which policies apply. */
export type PolicyDomain = 'logs' | 'events' | 'traces' | 'metrics' | 'workloads' | 'clusters'

/** Scales of numeric levels, named after the program or standard that defines them. */
export type LevelScale = 'pino' | 'python' | 'syslog' | 'monolog' | 'otel' | 'logback' | 'azure' | 'windows'

/**
 * The names that one logger or shipper uses for the fields of a table; plain data. Dots separate nested member names.
 * If a record has several of the names of one field, the first one is used.
 */
export interface RecordShape {
  /** Name of the logger. */
  readonly name: string
  /**
   * Members that identify the logger: all its records have them. Without `has`, the shape's names for text, level,
   * time, trace and span are aliases in every record and query (`TableDefinition.aliases`). With `has`, these names
   * apply only to records that have all the members, and such records also keep the logger's own names.
   */
  readonly has?: readonly string[]
  readonly text?: readonly string[]
  readonly level?: readonly string[]
  /** Scale of the numeric levels in the logger's records. */
  readonly levels?: LevelScale
  /** Level of the logger's records that state none. */
  readonly defaultLevel?: string
  readonly time?: readonly string[]
  /**
   * Members that hold the time of a record without another time. The names are in lower case and match in any case; the
   * members also keep their own names. If a member is an object, its members `$date` and `date` are read, and its
   * seconds and nanoseconds.
   */
  readonly otherTimes?: readonly string[]
  /** Two members that together form the time: seconds and nanoseconds. */
  readonly timeParts?: readonly [string, string]
  /** Members that contain the service name; they also keep their own names. */
  readonly service?: readonly string[]
  readonly trace?: readonly string[]
  readonly span?: readonly string[]
  /** Members for other fields of the table, by field name; they also keep their own names. */
  readonly fields?: Readonly<Record<string, readonly string[]>>
  /** True if the text of each record ends with a line break, which is removed. */
  readonly hasLineEnd?: boolean
}

/** The declaration of one table in the catalog. */
export interface TableDefinition {
  readonly name: string
  /** One sentence, for explanations and editors. */
  readonly summary?: string
  /** Declared fields in answer order. The schema is open if rows may have other fields. */
  readonly schema: Schema
  /** The time field. Without one, rows stay in their given order, and time ranges do not apply. */
  readonly timeField?: string
  /** The field that bare words search; without this field, bare words search every field. */
  readonly textField?: string
  /**
   * Other names of fields, resolved in queries and at ingest; output uses the schema's name. If a record has several
   * names of one field, the schema's own name wins, else the first name in this order. Values under the other names are
   * stored as `<field>.<name>`.
   */
  readonly aliases: ReadonlyMap<string, string>
  /** The field whose values are levels. Levels are normalized to one spelling. */
  readonly levelField?: string
  /** Name mappings of well-known loggers, tried in this order. */
  readonly shapes?: readonly RecordShape[]
  /** Fields whose values form a record's `_stream`. */
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
  /** The table that a query reads if it names none. */
  readonly defaultTable: string
}

export interface RecordCatalog extends Catalog {
  readonly tables: ReadonlyMap<string, RecordTableDefinition>
}
