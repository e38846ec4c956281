import type { EngineAddress } from './address.ts'
import type { EngineProcess, EngineProcessOptions } from '../drivers/engine-process.ts'
import type { ForeignEngine, ForeignName } from '../foreign/engine.ts'
import { POSTGRES_CONNECTIONS, SQLITE_PROCESSES } from '../tuning.ts'

/**
 * Returns one worker's share of a number of connections or processes: up to twice an equal share, as a reserve for a
 * busy worker. Returns the whole number if there are no workers.
 */
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

/**
 * Functions that open a database, by engine name. The code and package of an engine are loaded when the first such
 * database is opened.
 */
const engines: Readonly<Record<ForeignName, Open>> = {
  duckdb: async ({ workers, socket, ...address }) =>
    socket === undefined
      ? (await import('./duckdb.ts')).duckdbEngine({ ...address, threads: workers })
      : (await import('./duckdb-client.ts')).duckdbClient(socket),
  clickhouse: async ({ url = '', database, user, password }) =>
    (await import('./clickhouse.ts')).clickHouseEngine({
      url,
      ...(database === undefined ? {} : { database }),
      ...(user === undefined ? {} : { username: user }),
      ...(password === undefined ? {} : { password }),
    }),
  postgres: async (address) => {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres({ url: postgresUrl(address), connections: part(POSTGRES_CONNECTIONS, address.workers) })
  },
  sqlite: async ({ path = '', workers }) => {
    const { sqliteFileEngine } = await import('./sqlite-file.ts')
    return sqliteFileEngine({ path, processes: part(SQLITE_PROCESSES, workers) })
  },
}

/** Opens the database at an address. Throws SluiceError `foreign/no-package` and `foreign/connect`. */
export function openEngine(address: EngineAddress): Promise<ForeignEngine> {
  return engines[address.name](address)
}

/**
 * Opens a database in a child process. Other threads and processes reach it through the `socket` of the result. Rejects
 * as `openEngine` does.
 */
export async function startEngineProcess(options: EngineProcessOptions): Promise<EngineProcess> {
  const { EngineProcess: Started } = await import('../drivers/engine-process.ts')
  return Started.start(options)
}
