import type { ForeignName } from '../foreign/engine.ts'
import type { DuckdbOptions } from './duckdb.ts'

/**
 * The address of a database of any engine; each engine uses the members that it knows. `path` is for DuckDB and SQLite.
 * The other members besides `url` are for DuckDB.
 */
export interface EngineAddress extends Omit<DuckdbOptions, 'threads'> {
  readonly name: ForeignName
  readonly url?: string | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  /**
   * The number of threads of Sluice that answer queries. They share one DuckDB, which uses as many threads of its own.
   * Databases of other engines are opened by each thread, with its share of connections and processes.
   */
  readonly workers?: number | undefined
  /** The path of the socket of a process that has the database open; only for DuckDB. */
  readonly socket?: string | undefined
}
