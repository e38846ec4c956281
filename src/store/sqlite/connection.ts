import { closeSync, openSync, rmSync } from 'node:fs'
import { Options, SluiceError, checkArgument, errorCode, nowhere } from '../../base/index.ts'
import { sqliteDiagnostic } from './diagnostics.ts'

/** Values of parameters: `:level` has the key `level`, `?1` the key `1`. */
export type NamedValues = Readonly<Record<string, SqlValue>>

/** The value of a parameter or of a result column. `bigint` is bound as INTEGER, `number` always as REAL. */
export type SqlValue = null | number | bigint | string | Uint8Array

export interface SqliteRun {
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

export interface SqliteStatement {
  run(...values: readonly (SqlValue | NamedValues)[]): SqliteRun
  get(...values: readonly (SqlValue | NamedValues)[]): unknown
  all(...values: readonly (SqlValue | NamedValues)[]): unknown[]
  iterate(...values: readonly (SqlValue | NamedValues)[]): IterableIterator<unknown>
  /** Makes the statement return arrays instead of objects. */
  raw(isRaw?: boolean): SqliteStatement
  /** Makes the statement return the values of the first column only. */
  pluck(isPlucked?: boolean): SqliteStatement
  /** Makes the statement return INTEGER values as `bigint`. */
  safeIntegers(isSafe?: boolean): SqliteStatement
}

export interface SqliteFunctionOptions {
  readonly deterministic?: boolean
  /** True if the function accepts any number of arguments. */
  readonly varargs?: boolean
  /** True if INTEGER arguments are passed as `bigint`. */
  readonly safeIntegers?: boolean
  readonly directOnly?: boolean
}

export interface SqliteAggregate<S> extends SqliteFunctionOptions {
  readonly start: () => S
  readonly step: (state: S, ...values: SqlValue[]) => S | void
  readonly inverse?: (state: S, ...values: SqlValue[]) => S
  readonly result?: (state: S) => SqlValue
}

/** A synchronous connection to a database. Only one caller may use it at a time. */
export interface SqliteConnection {
  readonly name: string
  readonly memory: boolean
  readonly open: boolean
  readonly inTransaction: boolean
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  pragma(text: string, options?: { readonly simple?: boolean }): unknown
  function(name: string, options: SqliteFunctionOptions, body: (...values: SqlValue[]) => SqlValue): unknown
  aggregate<S>(name: string, options: SqliteAggregate<S>): unknown
  close(): unknown
}

/** Options for opening a database file. */
export interface OpenOptions {
  readonly isReadonly?: boolean
  /**
   * `full`: a commit survives power loss. `normal`: a commit survives the end of the process, but a power loss may lose
   * the last commits.
   */
  readonly durability?: 'full' | 'normal'
  readonly cacheBytes?: number
  /**
   * Maximum number of bytes of the file that are memory-mapped, which avoids copies; 0, the default, disables mapping.
   */
  readonly mappedBytes?: number
}

const openOptions = new Options<OpenOptions>({
  isReadonly: 'boolean',
  durability: { words: { full: true, normal: true } },
  cacheBytes: 'number',
  mappedBytes: 'number',
})

const MIN_NAPI = 10

/** The tested release of `better-sqlite3`. */
const VERSION = '13.2.0'

type Constructor = new (path: string, options: object) => SqliteConnection

async function loadPackage(): Promise<Constructor> {
  const napi = process.versions.napi ?? 'none'
  if (!(Number(napi) >= MIN_NAPI)) {
    throw new SluiceError([sqliteDiagnostic('runtime-too-old', { version: process.versions.node, napi }, nowhere)])
  }
  try {
    const loaded = await import('better-sqlite3')
    return loaded.default as unknown as Constructor
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') {
      throw new SluiceError([sqliteDiagnostic('package-missing', { version: VERSION }, nowhere)])
    }
    throw error
  }
}

/**
 * Opens a database file, or `:memory:`. Sets all relevant options explicitly, since defaults depend on the build of
 * SQLite. Throws SluiceError `sqlite/package-missing`, `sqlite/runtime-too-old`, `sqlite/cannot-open`.
 */
export async function openSqlite(path: string, options: OpenOptions = {}): Promise<SqliteConnection> {
  checkArgument(typeof path === 'string', path, 'the path of a database file', "openSqlite('logs.db')")
  openOptions.check(options, '`openSqlite`')
  const Database = await loadPackage()
  let connection: SqliteConnection | undefined
  try {
    connection = new Database(path, {
      readonly: options.isReadonly ?? false,
      timeout: 5_000,
    })
    if (options.isReadonly !== true) connection.pragma('journal_mode = WAL')
    connection.pragma(`synchronous = ${options.durability === 'normal' ? 'NORMAL' : 'FULL'}`)
    connection.pragma('foreign_keys = ON')
    connection.pragma('trusted_schema = OFF')
    connection.pragma(`cache_size = ${-Math.ceil((options.cacheBytes ?? 64 * 1024 * 1024) / 1024)}`)
    connection.pragma(`mmap_size = ${Math.floor(options.mappedBytes ?? 0)}`)
  } catch (error) {
    connection?.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new SluiceError([sqliteDiagnostic('cannot-open', { reason }, nowhere)])
  }
  return connection
}

/**
 * Creates an empty file that only its owner can access; SQLite gives its companion files the same permissions. Returns
 * false if the file exists. Does not open an existing file, since closing it would release a lock that this process may
 * hold.
 */
function makeOwnersFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return false
  }
}

/**
 * Locks a file, which is created if missing and stays empty. The lock lasts until the returned function is called or
 * the process ends. Returns `undefined` if another process holds the lock. Throws the same errors as `openSqlite`.
 */
export async function lockFile(path: string, waitMs: number): Promise<(() => void) | undefined> {
  const Database = await loadPackage()
  let connection: SqliteConnection | undefined
  let isMade = false
  try {
    isMade = makeOwnersFile(path)
    connection = new Database(path, { timeout: waitMs })
    // Nothing is ever written to the file, so no data can be damaged.
    connection.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    connection?.close()
    const code = errorCode(error) ?? ''
    if (code.startsWith('SQLITE_BUSY')) return undefined
    if (isMade) rmSync(path, { force: true })
    const why = code === 'SQLITE_FULL' ? 'no space is left on its disk' : code
    throw new SluiceError([sqliteDiagnostic('cannot-open', { reason: `${path}: ${why}` }, nowhere)])
  }
  const held = connection
  return () => held.close()
}

/** Returns values by the names of the parameters, and also by position from 1. */
export function namedValues(names: readonly string[], values: readonly SqlValue[]): NamedValues {
  const named: Record<string, SqlValue> = {}
  for (const [i, value] of values.entries()) {
    named[i + 1] = value
    const name = names[i]
    if (name !== undefined) named[name] = value
  }
  return named
}

/** Runs `work` in a transaction: either all of its changes are stored, or none. */
export function inTransaction<T>(connection: SqliteConnection, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    connection.exec('COMMIT')
    return result
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw error
  }
}
