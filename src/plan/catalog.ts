import type { Schema } from '../data/index.ts'

/** The kinds of data a policy speaks about. */
export type PolicyDomain = 'logs' | 'events' | 'traces' | 'metrics' | 'workloads' | 'clusters'

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
