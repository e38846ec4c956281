import { SluiceError, nowhere } from '../../../base/index.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import type { ForeignEngine, ForeignName } from '../foreign/engine.ts'

/** What a database is reached by; each engine takes what it knows of it. */
export interface EngineAddress {
  readonly name: ForeignName
  /** A database file. */
  readonly path?: string | undefined
  readonly url?: string | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
}

type Open = (address: EngineAddress) => Promise<ForeignEngine>

/** The engines by name; the code of each, and its package, is loaded when it is first opened. */
const engines: Readonly<Partial<Record<ForeignName, Open>>> = {
  duckdb: async ({ path }) => (await import('./duckdb.ts')).duckdbEngine({ path }),
  postgres: async ({ url = '' }) => (await import('./postgres.ts')).openPostgres({ url }),
  sqlite: async ({ path = '' }) => (await import('./sqlite-file.ts')).sqliteFileEngine({ path }),
}

/** A database, ready for statements. Throws SluiceError `foreign/no-package` and `foreign/connect`. */
export async function openEngine(address: EngineAddress): Promise<ForeignEngine> {
  const open = engines[address.name]
  if (open !== undefined) return open(address)
  const data = { engine: address.name, reason: 'this release reads other databases' }
  throw new SluiceError([foreignDiagnostic('connect', data, nowhere)])
}
