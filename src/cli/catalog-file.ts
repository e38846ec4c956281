import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError, SluiceError, nearestNames, renderDiagnostic } from '../base/index.ts'
import type { CatalogFile, ConnectOptions, OpenCatalog } from '../catalog/index.ts'
import type { Clock, Engine } from '../engine/index.ts'
import type { Terminal } from './terminal.ts'

export function readCatalogFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(
      `The catalog ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Runs `work`. Prints an error of the catalog with its position in the file, and ends the command with exit code 1. */
export async function withPlaces<T>(
  text: string,
  path: string,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    for (const each of error.diagnostics) terminal.writeError(`${renderDiagnostic(each, text, path)}\n`)
    throw new CommandError('', 1)
  }
}

export interface CatalogSession {
  readonly engine: Engine
  readonly catalog: OpenCatalog
  /** Table for queries that name none. */
  readonly table: string
  readonly close: () => Promise<void>
}

type CatalogTime = CatalogFile['tables'][string]['time']

interface CatalogSessionOptions {
  readonly table?: string | undefined
  readonly requirePushdown?: number | undefined
  /** True to suppress notes about fallbacks. */
  readonly isQuiet?: boolean | undefined
  /** Number of threads that run queries. By default, the calling thread runs them. */
  readonly workers?: number | undefined
  /** Opens the databases. By default, connects to the addresses in the catalog. */
  readonly open?: ConnectOptions['open']
  /** Maximum time for reading rows to give advice on names, ms. */
  readonly adviceMs?: number | undefined
}

/** Opens an engine over the databases of a catalog. */
export async function openCatalogSession(
  path: string,
  options: CatalogSessionOptions,
  terminal: Terminal,
): Promise<CatalogSession> {
  const text = readCatalogFile(path)
  return sessionOf(text, path, dirname(path), options, terminal)
}

/** Opens an engine over files that DuckDB reads, as one table. */
export async function openDuckdbFiles(
  paths: readonly string[],
  options: CatalogSessionOptions & { readonly table: string; readonly timeField?: string | undefined },
  terminal: Terminal,
): Promise<CatalogSession> {
  const { table, timeField } = options
  const catalogOf = (time: CatalogTime | undefined): CatalogFile => {
    const files = { files: [...paths], format: 'parquet' as const, ...(time === undefined ? {} : { time }) }
    return { connections: { files: { engine: 'duckdb' } }, tables: { [table]: files } }
  }
  try {
    return await sessionOf(catalogOf(timeField), '', '.', options, terminal)
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'catalog/no-time') throw error
    const session = await sessionOf(catalogOf({ arrival: true }), '', '.', options, terminal)
    if (options.isQuiet !== true)
      terminal.writeError('No column is a time, so all rows have the present one; --time-field names one that is.\n')
    return session
  }
}

/** Returns an engine over a catalog, for commands. */
export function engineOf(
  catalog: OpenCatalog,
  { requirePushdown, adviceMs }: Pick<CatalogSessionOptions, 'requirePushdown' | 'adviceMs'>,
  clock: Clock,
): Engine {
  return catalog.engine({
    lint: 'warn',
    limits: {
      ...(requirePushdown === undefined ? {} : { bridgeRows: requirePushdown }),
      ...(adviceMs === undefined ? {} : { adviceMs }),
    },
    clock,
  })
}

async function sessionOf(
  given: string | CatalogFile,
  path: string,
  folder: string,
  options: CatalogSessionOptions,
  terminal: Terminal,
): Promise<CatalogSession> {
  const { openCatalog, openMadeCatalog } = await import('../catalog/index.ts')
  const { table, workers, open } = options
  const how = { folder, env: terminal.env, nowNs: terminal.nowNs(), workers, open }
  const catalog =
    typeof given === 'string'
      ? await withPlaces(given, path, terminal, () => openCatalog(given, how))
      : await openMadeCatalog(given, how)
  const { tables, defaultTable } = catalog.definitions
  const clock = { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() }
  const engine = engineOf(catalog, options, clock)
  // Every command asks for `logs` by default, so a catalog without this table answers from its own default table.
  const known = table === undefined || tables.has(table) ? table : table === 'logs' ? defaultTable : undefined
  if (table !== undefined && known === undefined) {
    await catalog.close()
    const [near] = nearestNames(table, tables.keys())
    throw new CommandError(
      `The catalog has no table \`${table}\`${near === undefined ? '' : `; \`${near}\` is near`}: ${[...tables.keys()].join(', ')}.`,
    )
  }
  return { engine, catalog, table: known ?? defaultTable, close: () => catalog.close() }
}
