import type { ForeignName } from '../foreign/engine.ts'
import type { AttachedDatabase, DuckdbExtension, Scratch } from './duckdb.ts'

/** What a database is reached by; each engine takes what it knows of it. */
export interface EngineAddress {
  readonly name: ForeignName
  /** A database file. */
  readonly path?: string | undefined
  /** Files besides, for DuckDB: the only ones that its statements may read. */
  readonly files?: readonly string[] | undefined
  /** Databases that DuckDB reads beside its own. */
  readonly attach?: readonly AttachedDatabase[] | undefined
  /** What DuckDB needs for its files. */
  readonly extensions?: readonly DuckdbExtension[] | undefined
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
  /** What DuckDB may hold in memory for all its statements, bytes; 1 GiB unless given. */
  readonly memoryBytes?: number | undefined
  /** Where DuckDB writes what its memory cannot hold, and how much. */
  readonly scratch?: Scratch | undefined
}
