import type { ForeignName } from '../foreign/engine.ts'
import type { DuckdbOptions } from './duckdb.ts'

/** What a database is reached by; each engine takes what it knows of it. `path` is of DuckDB and SQLite, the other options are of DuckDB. */
export interface EngineAddress extends Omit<DuckdbOptions, 'threads'> {
  readonly name: ForeignName
  readonly url?: string | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  /**
   * How many threads answer queries. DuckDB, which all of them share, has as many of its own; of others each thread opens its
   * own, and has its part of the connections and processes.
   */
  readonly workers?: number | undefined
  /** Where a process listens that has the database open; only DuckDB has one. */
  readonly socket?: string | undefined
}
