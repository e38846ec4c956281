import type { Functions } from '../../../functions/index.ts'
import { namedValues, type SqlValue, type SqliteConnection, type SqliteStatement } from '../../../store/sqlite/index.ts'
import type { RawBatch } from '../decode-rows.ts'
import { hostFunctionsOf, type HostFunctions } from '../host/host-functions.ts'
import { StaleStatement, type Proof, type RunRequest } from './driver.ts'
import { MAX_PREPARED_STATEMENTS } from '../tuning.ts'

/** Runs statements on one connection, one at a time, each in its own snapshot. */
export class StatementRunner {
  readonly #connection: SqliteConnection
  readonly #functions: Functions
  readonly #prepared = new Map<string, SqliteStatement>()
  #epoch: SqliteStatement | undefined
  readonly #proved = new Map<string, string>()
  #provedVersion: number | undefined
  #version: SqliteStatement | undefined
  readonly host: HostFunctions

  constructor(connection: SqliteConnection, functions: Functions) {
    this.#connection = connection
    this.#functions = functions
    this.host = hostFunctionsOf(connection)
  }

  /** Runs a statement and yields its result batches. Each batch is computed when the reader requests it. */
  *run(request: RunRequest): Generator<RawBatch> {
    const programs: number[] = []
    const values = request.parameters.map((parameter): SqlValue => {
      if (parameter.kind === 'value') return parameter.value
      const id = this.host.add(parameter.program, this.#functions)
      programs.push(id)
      return id
    })
    const names = request.parameters.map(({ name }) => name)
    const ownsSnapshot = !this.#connection.inTransaction
    if (ownsSnapshot) this.#connection.exec('BEGIN')
    try {
      if (request.epoch !== undefined) this.#checkEpoch(request.epoch)
      if (request.proofs !== undefined) this.#checkProofs(request.proofs)
      const statement = this.#take(request.sql).safeIntegers(request.epoch === undefined)
      yield* batches(statement.iterate(namedValues(names, values)) as Iterable<readonly SqlValue[]>, request)
      this.#prepared.set(request.sql, statement)
    } finally {
      if (ownsSnapshot && this.#connection.inTransaction) this.#connection.exec('COMMIT')
      for (const id of programs) this.host.remove(id)
    }
  }

  #checkEpoch(epoch: number): void {
    this.#epoch ??= this.#connection.prepare('SELECT epoch FROM sluice_state').pluck()
    if (this.#epoch.get() !== epoch) throw new StaleStatement()
  }

  /**
   * Runs the proofs: statements which show that the facts about stored values, on which a statement relies, still hold.
   * Proofs that passed are not repeated until the file changes.
   */
  #checkProofs(proofs: readonly Proof[]): void {
    this.#version ??= this.#connection.prepare('PRAGMA data_version').pluck()
    const version = Number(this.#version.get())
    if (version !== this.#provedVersion) this.#proved.clear()
    this.#provedVersion = version
    for (const { sql, expected } of proofs) {
      if (this.#proved.get(sql) === expected) continue
      if (this.#connection.prepare(sql).pluck().get() !== expected) throw new StaleStatement()
      this.#proved.set(sql, expected)
    }
  }

  /**
   * Takes a prepared statement out of the cache or prepares it. A statement has only one cursor, so it is out of the
   * cache until it has ended without error.
   */
  #take(sql: string): SqliteStatement {
    const known = this.#prepared.get(sql)
    if (known !== undefined) {
      this.#prepared.delete(sql)
      return known
    }
    for (const oldest of this.#prepared.keys()) {
      if (this.#prepared.size < MAX_PREPARED_STATEMENTS) break
      this.#prepared.delete(oldest)
    }
    return this.#connection.prepare(sql).raw()
  }
}

/**
 * Returns SQLite's name of an error code; for a missing table or column, also its name. Other messages are dropped,
 * because they may quote the statement.
 */
export function failureCode(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code !== 'string') return 'error'
  const [missing] = /^no such (?:table|column)(?=:)/.exec(String(message)) ?? []
  return missing === undefined ? code : `${code}: ${missing}`
}

function emptyColumns(count: number): SqlValue[][] {
  return Array.from({ length: count }, () => [])
}

function* batches(rows: Iterable<readonly SqlValue[]>, request: RunRequest): Generator<RawBatch> {
  const { columnCount, batchRows } = request
  let columns = emptyColumns(columnCount)
  let rowCount = 0
  for (const row of rows) {
    for (const [c, column] of columns.entries()) column.push(row[c] ?? null)
    if (++rowCount < batchRows) continue
    yield { rowCount, columns }
    columns = emptyColumns(columnCount)
    rowCount = 0
  }
  if (rowCount > 0) yield { rowCount, columns }
}
