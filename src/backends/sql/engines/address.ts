import type { ForeignName } from '../foreign/engine.ts'
import type { DuckdbOptions } from './duckdb.ts'

/**
 * The address of a database; each engine takes the members that it knows. `path` is for DuckDB and SQLite, the others
 * besides `url` are for DuckDB.
 */
export interface EngineAddress extends Omit<DuckdbOptions, 'threads'> {
  readonly name: ForeignName
  readonly url?: string | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  /**
   * The number of threads that answer queries. DuckDB, which all share, uses as many threads of its own. Each thread
   * opens other databases for itself, with its share of connections and processes.
   */
  readonly workers?: number | undefined
  /** The socket of a process that has the database open; only for DuckDB. */
  readonly socket?: string | undefined
}
