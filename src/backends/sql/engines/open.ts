import type { AttachedDatabase, DuckdbExtension } from './duckdb.ts'
import type { ForeignEngine, ForeignName } from '../foreign/engine.ts'

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
   * How many threads answer queries. DuckDB stays in one and has as many of its own; of others each thread opens its own, and
   * has its part of the connections and processes.
   */
  readonly workers?: number | undefined
}

/** Twice what one thread alone would have, in equal parts for those that answer and the one to spare. */
function part(whole: number, workers: number | undefined): number {
  return workers === undefined ? whole : Math.max(1, Math.floor((2 * whole) / (workers + 1)))
}

function postgresUrl({ url = '', database, user, password }: EngineAddress): string {
  const whole = new URL(url)
  if (user !== undefined) whole.username = encodeURIComponent(user)
  if (password !== undefined) whole.password = encodeURIComponent(password)
  if (database !== undefined) whole.pathname = `/${encodeURIComponent(database)}`
  return whole.href
}

type Open = (address: EngineAddress) => Promise<ForeignEngine>

/** The engines by name; the code of each, and its package, is loaded when it is first opened. */
const engines: Readonly<Record<ForeignName, Open>> = {
  duckdb: async ({ workers, ...address }) =>
    (await import('./duckdb.ts')).duckdbEngine({ ...address, threads: workers }),
  clickhouse: async ({ url = '', database, user, password }) =>
    (await import('./clickhouse.ts')).clickHouseEngine({
      url,
      ...(database === undefined ? {} : { database }),
      ...(user === undefined ? {} : { username: user }),
      ...(password === undefined ? {} : { password }),
    }),
  postgres: async (address) => {
    const { openPostgres, CONNECTIONS } = await import('./postgres.ts')
    return openPostgres({ url: postgresUrl(address), connections: part(CONNECTIONS, address.workers) })
  },
  sqlite: async ({ path = '', workers }) => {
    const { sqliteFileEngine, PROCESSES } = await import('./sqlite-file.ts')
    return sqliteFileEngine({ path, processes: part(PROCESSES, workers) })
  },
}

/** A database, ready for statements. Throws SluiceError `foreign/no-package` and `foreign/connect`. */
export function openEngine(address: EngineAddress): Promise<ForeignEngine> {
  return engines[address.name](address)
}
