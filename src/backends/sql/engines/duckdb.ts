import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import { BUDGET_WATCH_MS, SluiceError, memoryError, nowhere } from '../../../base/index.ts'
import { duckdb } from '../dialects/duckdb.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import type {
  ForeignBatch,
  ForeignColumn,
  ForeignEngine,
  ForeignForm,
  ForeignRun,
  ForeignSource,
  ForeignStatement,
  ForeignValue,
} from '../foreign/engine.ts'
import type { SqlParameter } from '../statement/params.ts'
import { sampleStatement, missingReason, typesOfFiles, WILDCARD } from './duckdb-files.ts'
import { MAX_IDLE_CONNECTIONS, MEMORY_RETRY_SHARE, MIN_DUCKDB_BYTES } from '../tuning.ts'

export interface DuckdbOptions {
  /** A database file, opened for reading. Without it, statements can read only the files of sources. */
  readonly path?: string | undefined
  /** The only files outside the database that statements may read. A pattern allows all files in its folder. */
  readonly files?: readonly string[] | undefined
  /** Other databases to attach, with the names that qualify the names of their tables. */
  readonly attach?: readonly AttachedDatabase[] | undefined
  /** DuckDB extensions that the files need; they must already be installed. */
  readonly extensions?: readonly DuckdbExtension[] | undefined
  /** DuckDB's memory limit for all statements together, bytes; 1 GiB by default. */
  readonly memoryBytes?: number | undefined
  /** Number of DuckDB's threads; 2 by default. */
  readonly threads?: number | undefined
  /** Directory for data that do not fit into memory. Default: next to the database, or `.tmp`. */
  readonly scratch?: Scratch | undefined
}

/** A folder for data that do not fit into memory, and the maximum number of bytes in it; 0 forbids writing. */
export interface Scratch {
  readonly folder: string
  readonly bytes: number
}

export interface AttachedDatabase {
  readonly name: string
  readonly kind: 'duckdb' | 'sqlite' | 'postgres'
  /** The path of a database file, or the address of a PostgreSQL server. */
  readonly where: string
}

const installs = {
  sqlite: 'INSTALL sqlite',
  postgres: 'INSTALL postgres',
  nanoarrow: 'INSTALL nanoarrow FROM community',
}
/**
 * Extensions of DuckDB that can be loaded. They must be installed in advance, because DuckDB would otherwise download
 * an extension when a statement needs it.
 */
export type DuckdbExtension = keyof typeof installs

const PACKAGE = '@duckdb/node-api'
const ENGINE = 'DuckDB'

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n', 1)[0] ?? '').slice(0, 300)
}

export async function loadDuckdb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api')
  } catch {
    throw new SluiceError([foreignDiagnostic('no-package', { engine: ENGINE, name: PACKAGE }, nowhere)])
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)}MiB`
}

export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function bind(statement: DuckDBPreparedStatement, parameters: readonly SqlParameter[]): void {
  for (const parameter of parameters) {
    const at = statement.parameterIndex(parameter.name)
    const value = parameter.kind === 'value' ? parameter.value : null
    if (typeof value === 'string') statement.bindVarchar(at, value)
    else if (typeof value === 'number') statement.bindDouble(at, value)
    else if (typeof value === 'bigint') {
      if (BigInt.asIntN(64, value) === value) statement.bindBigInt(at, value)
      else statement.bindHugeInt(at, value)
    } else statement.bindNull(at)
  }
}

function valueOf(value: unknown, form: ForeignForm): ForeignValue {
  if (value === null || value === undefined) return null
  switch (form) {
    case 'int64':
      return typeof value === 'bigint' ? value : BigInt(value as number)
    case 'double':
      return Number(value)
    case 'bool':
      return value === true
    default:
      return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

/** Converts an error of a statement to a SluiceError: an exceeded limit, or DuckDB's message without stored values. */
function translated(error: unknown, memoryBytes: number, files: readonly string[]): SluiceError {
  if (error instanceof SluiceError) return error
  const message = reasonOf(error)
  // DuckDB tries a file that no longer exists as a folder, which no query may read, and therefore reports a missing
  // permission.
  const [, refused = ''] = /^Permission Error: Cannot access file "(.+?)"/.exec(message) ?? []
  const gone = files.find((path) => refused === path || refused.startsWith(`${path}/`))
  if (gone !== undefined)
    return new SluiceError([foreignDiagnostic('no-file', { path: gone, reason: 'there is no such file' }, nowhere)])
  if (/^Out of Memory Error/i.test(message)) return memoryError(memoryBytes)
  // Messages of these kinds of errors quote stored values, so only the kind is shown.
  const reason = /^(Conversion|Invalid Input|Out of Range) Error/i.test(message)
    ? `${/^[\w ]+Error/.exec(message)?.[0] ?? 'an error'} in a value`
    : message
  return new SluiceError([foreignDiagnostic('statement-failed', { engine: ENGINE, reason }, nowhere)])
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function noSource(source: ForeignSource, error: unknown, allowed: readonly string[]): SluiceError {
  const named = source.kind === 'table' ? source.path.join('.') : source.paths.join(', ')
  const mayRead = source.kind === 'files' && source.paths.every((path) => allowed.includes(path))
  const missing = mayRead ? missingReason(source, reasonOf(error)) : undefined
  const diagnostic =
    missing === undefined
      ? foreignDiagnostic('no-source', { source: named, reason: reasonOf(error) }, nowhere)
      : foreignDiagnostic('no-file', { path: named, reason: missing }, nowhere)
  return new SluiceError([diagnostic])
}

/**
 * Returns an SQL expression for a string of the column, for a test of its collation. `undefined` if statements compare
 * no strings of the column.
 */
function comparedText({ name, type }: ForeignColumn): string | undefined {
  const column = duckdb.identifier(name)
  if (type === 'VARCHAR') return column
  return type === 'MAP(VARCHAR, VARCHAR)' ? `map_values(${column})[1]` : undefined
}

/**
 * True if none of these expressions has a collation. `DESCRIBE` does not show collations, but comparing strings of
 * different collations is an error, so a comparison is prepared.
 */
async function areUncollated(connection: DuckDBConnection, from: string, texts: readonly string[]): Promise<boolean> {
  try {
    const comparisons = texts.map((text) => `${text} = ('' COLLATE "C")`)
    const prepared = await connection.prepare(`SELECT ${comparisons.join(', ')} FROM ${from}`)
    prepared.destroySync()
    return true
  } catch (error) {
    if (/different collation/i.test(reasonOf(error))) return false
    throw error
  }
}

/**
 * Marks the columns whose strings compare by a collation instead of by bytes. Tests all columns together first, since
 * collations are rare.
 */
async function withCollations(
  connection: DuckDBConnection,
  from: string,
  columns: readonly ForeignColumn[],
): Promise<readonly ForeignColumn[]> {
  const texts = columns.map(comparedText)
  const asked = texts.filter((text) => text !== undefined)
  if (asked.length === 0 || (await areUncollated(connection, from, asked))) return columns
  const marked: ForeignColumn[] = []
  for (const [i, column] of columns.entries()) {
    const text = texts[i]
    const isCollated = text !== undefined && !(await areUncollated(connection, from, [text]))
    marked.push(isCollated ? { ...column, isCollated } : column)
  }
  return marked
}

class Duckdb implements ForeignEngine {
  readonly name = 'duckdb'
  readonly dialect = duckdb
  readonly #instance: DuckDBInstance
  /** Connections that can be reused, because their last statement was read to its end. */
  readonly #idle: DuckDBConnection[] = []

  /** Paths and patterns of the files that statements may read. */
  readonly #files: readonly string[]
  /** Memory limit of all statements together, bytes. */
  readonly #memoryBytes: number
  #running = 0
  /** Statements that ran out of memory, in the order in which they will be retried. */
  readonly #again: object[] = []

  constructor(instance: DuckDBInstance, files: readonly string[], memoryBytes: number) {
    this.#instance = instance
    this.#files = files
    this.#memoryBytes = memoryBytes
  }

  async settle(source: ForeignSource): Promise<ForeignSource> {
    const hasTypes = source.kind === 'files' && (source.format === 'csv' || source.format === 'json')
    if (!hasTypes || source.types !== undefined) return source
    const columns = await this.describe(source)
    const connection = await this.#instance.connect()
    try {
      const sql = sampleStatement(source, this.dialect.foreign?.source(source) ?? '', columns)
      const rows = (await connection.runAndReadAll(sql)).getRows()
      return { ...source, types: typesOfFiles(source, columns, rows) }
    } catch (error) {
      throw noSource(source, error, this.#files)
    } finally {
      connection.closeSync()
    }
  }

  async describe(source: ForeignSource): Promise<readonly ForeignColumn[]> {
    const from = this.dialect.foreign?.source(source) ?? ''
    const connection = await this.#instance.connect()
    try {
      const sql = source.kind === 'table' ? `DESCRIBE ${from}` : `DESCRIBE SELECT * FROM ${from}`
      const rows = (await connection.runAndReadAll(sql)).getRows()
      const columns = rows.map(([name, type, isNull]) => ({
        name: String(name),
        type: String(type),
        isNullable: isNull !== 'NO',
      }))
      return source.kind === 'table' ? await withCollations(connection, from, columns) : columns
    } catch (error) {
      throw noSource(source, error, this.#files)
    } finally {
      connection.closeSync()
    }
  }

  /**
   * Runs a statement. All statements of DuckDB share one memory limit. A statement that runs out of memory while others
   * run is retried once, if it has returned no rows yet. It waits until the others have ended, but at most
   * `MEMORY_RETRY_SHARE` of its remaining time. Such statements are retried one after the other.
   */
  async *run(statement: ForeignStatement, options: ForeignRun): AsyncIterable<ForeignBatch> {
    const { budget } = options
    let hasGiven = false
    try {
      for await (const batch of this.#run(statement, options)) {
        hasGiven = true
        yield batch
      }
      return
    } catch (error) {
      const isMemory = error instanceof SluiceError && error.code === 'budget/memory'
      if (!isMemory || hasGiven || this.#running === 0) throw error
    }
    const turn = {}
    this.#again.push(turn)
    try {
      const leftMs = budget.remainingMs * (1 - MEMORY_RETRY_SHARE)
      while (this.#again[0] !== turn || (this.#running > 0 && budget.remainingMs > leftMs)) {
        budget.checkpoint()
        await sleep(BUDGET_WATCH_MS)
      }
      yield* this.#run(statement, options)
    } finally {
      this.#again.splice(this.#again.indexOf(turn), 1)
    }
  }

  async *#run(statement: ForeignStatement, { budget, batchRows }: ForeignRun): AsyncIterable<ForeignBatch> {
    budget.checkpoint()
    const connection = this.#idle.pop() ?? (await this.#instance.connect())
    this.#running++
    let isDone = false
    let stopped: unknown
    const check = (): void => {
      try {
        budget.checkpoint()
      } catch (error) {
        stopped ??= error
        connection.interrupt()
      }
    }
    const forget = budget.onCancel(check)
    const watch = setInterval(check, BUDGET_WATCH_MS)
    try {
      const prepared = await connection.prepare(statement.sql)
      // A stop may have been requested while DuckDB read Parquet footers, which cannot be interrupted.
      if (stopped !== undefined) throw stopped
      bind(prepared, statement.parameters)
      const result = await prepared.stream()
      for (
        let chunk = await result.fetchChunk();
        chunk !== null && chunk.rowCount > 0;
        chunk = await result.fetchChunk()
      ) {
        const columns = statement.forms.map((form, i) =>
          chunk === null ? [] : chunk.getColumnValues(i).map((value) => valueOf(value, form)),
        )
        for (let from = 0; from < chunk.rowCount; from += batchRows) {
          budget.checkpoint()
          const to = Math.min(from + batchRows, chunk.rowCount)
          const isAll = from === 0 && to === chunk.rowCount
          yield { rowCount: to - from, columns: isAll ? columns : columns.map((values) => values.slice(from, to)) }
        }
      }
      isDone = true
    } catch (error) {
      throw translated(stopped ?? error, this.#memoryBytes, this.#files)
    } finally {
      this.#running--
      clearInterval(watch)
      forget()
      if (isDone && this.#idle.length < MAX_IDLE_CONNECTIONS) this.#idle.push(connection)
      else {
        connection.interrupt()
        connection.closeSync()
      }
    }
  }

  async explain({ sql, parameters }: ForeignStatement): Promise<readonly string[]> {
    const connection = await this.#instance.connect()
    try {
      const prepared = await connection.prepare(`EXPLAIN ${sql}`)
      bind(prepared, parameters)
      const rows = (await prepared.runAndReadAll()).getRows()
      return rows.flatMap(([, plan]) => lines(String(plan)))
    } finally {
      connection.closeSync()
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#idle.splice(0)) connection.closeSync()
    this.#instance.closeSync()
  }
}

/** Returns the folders of a path pattern that precede its first wildcard. */
function folderOf(pattern: string): string {
  const parts = pattern.split('/')
  return `${
    parts
      .slice(
        0,
        parts.findIndex((part) => WILDCARD.test(part)),
      )
      .join('/') || '.'
  }/`
}

/** Replaces the addresses of attached databases in an error message, because they may contain passwords. */
function withoutSecrets(reason: string, attached: readonly AttachedDatabase[]): string {
  return attached.some(({ kind }) => kind === 'postgres') ? reason.replaceAll(/\/\/[^@/\s]*@/g, '//…@') : reason
}

/** Locks DuckDB's configuration: statements cannot download or install anything, and can read only the named files. */
async function lockUp(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  const paths = files.filter((path) => !WILDCARD.test(path))
  const folders = files.filter((path) => WILDCARD.test(path)).map(folderOf)
  if (paths.length > 0) await connection.run(`SET allowed_paths = [${paths.map(quotedText).join(', ')}]`)
  if (folders.length > 0) await connection.run(`SET allowed_directories = [${folders.map(quotedText).join(', ')}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run("SET GLOBAL TimeZone = 'UTC'")
  await connection.run('SET lock_configuration = true')
}

/**
 * Turns on DuckDB's cache for the footers of unchanged Parquet files. Without the cache, every statement reads the
 * footers again.
 */
async function keepFooters(connection: DuckDBConnection): Promise<void> {
  try {
    await connection.run('LOAD parquet')
    await connection.run('SET GLOBAL parquet_metadata_cache = true')
  } catch {
    // A DuckDB build without Parquet rejects this setting, but can still read other files.
  }
}

async function loadExtension(connection: DuckDBConnection, name: DuckdbExtension, what: string): Promise<void> {
  try {
    await connection.run(`LOAD ${name}`)
  } catch {
    throw new SluiceError([foreignDiagnostic('no-extension', { name, what, install: installs[name] }, nowhere)])
  }
}

async function attach(connection: DuckDBConnection, { name, kind, where }: AttachedDatabase): Promise<void> {
  if (kind !== 'duckdb')
    await loadExtension(connection, kind, `tables of ${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`)
  const type = kind === 'duckdb' ? '' : `TYPE ${kind}, `
  await connection.run(`ATTACH ${quotedText(where)} AS ${duckdb.identifier(name)} (${type}READ_ONLY)`)
}

function scratchSettings(scratch: Scratch | undefined): Record<string, string> {
  if (scratch === undefined) return {}
  if (scratch.bytes === 0) return { temp_directory: '' }
  return { temp_directory: scratch.folder, max_temp_directory_size: mebibytes(scratch.bytes) }
}

/**
 * Opens a DuckDB inside this process. Throws SluiceError `foreign/no-package`, `foreign/no-extension` and
 * `foreign/connect`.
 */
export async function duckdbEngine(options: DuckdbOptions = {}): Promise<ForeignEngine> {
  const { DuckDBInstance: Instance } = await loadDuckdb()
  const { path, files = [], attach: attached = [], extensions = [], memoryBytes = 2 ** 30, threads = 2 } = options
  const { scratch } = options
  try {
    const instance = await Instance.create(path ?? ':memory:', {
      ...(path === undefined ? {} : { access_mode: 'READ_ONLY' }),
      threads: String(threads),
      memory_limit: mebibytes(Math.max(MIN_DUCKDB_BYTES, memoryBytes)),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // Lets DuckDB's threads switch between statements, so that a short statement does not wait for long ones.
      scheduler_process_partial: 'true',
      ...scratchSettings(scratch),
    })
    const connection = await instance.connect()
    for (const name of extensions) await loadExtension(connection, name, 'Arrow files')
    for (const each of attached) await attach(connection, each)
    if (files.length > 0) await keepFooters(connection)
    await lockUp(connection, files)
    connection.closeSync()
    return new Duckdb(instance, files, memoryBytes)
  } catch (error) {
    if (error instanceof SluiceError) throw error
    const data = { engine: ENGINE, reason: withoutSecrets(reasonOf(error), attached) }
    throw new SluiceError([foreignDiagnostic('connect', data, nowhere)])
  }
}
