import type { ForeignName } from '../foreign/engine.ts'
import type { DuckdbOptions } from './duckdb.ts'

/**
 * The address of a database of any engine; each engine uses the members that it knows. `path` is for DuckDB and SQLite.
 * All other members except `url` are for DuckDB.
 */
export interface EngineAddress extends Omit<DuckdbOptions, 'threads'> {
  readonly name: ForeignName
  readonly url?: string | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  /**
   * Number of Sluice's threads that answer queries. They share one DuckDB, which uses as many threads of its own.
   * Databases of other engines are opened by each thread, with its share of the connections and processes.
   */
  readonly workers?: number | undefined
  /** Path of the socket of a process that has the database open; for DuckDB only. */
  readonly socket?: string | undefined
}
