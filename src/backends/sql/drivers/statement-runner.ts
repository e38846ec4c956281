import type { Functions } from '../../../functions/index.ts'
import { numberedValues, type SqlValue, type SqliteConnection } from '../../../store/sqlite/index.ts'
import type { RawBatch } from '../decode-rows.ts'
import { hostFunctionsOf, type HostFunctions } from '../host-functions.ts'
import { StaleStatement, type RunRequest } from './driver.ts'

/** Runs one statement at a time on one connection, in a snapshot of its own. */
export class StatementRunner {
  readonly #connection: SqliteConnection
  readonly host: HostFunctions

  constructor(connection: SqliteConnection, functions: Functions) {
    this.#connection = connection
    this.host = hostFunctionsOf(connection, functions)
  }

  /** Result batches, each computed when it is asked for. */
  *run(request: RunRequest): Generator<RawBatch> {
    const programs: number[] = []
    const values = request.parameters.map((parameter): SqlValue => {
      if (parameter.kind === 'value') return parameter.value
      const id = this.host.add(parameter.program)
      programs.push(id)
      return id
    })
    const ownsSnapshot = !this.#connection.inTransaction
    if (ownsSnapshot) this.#connection.exec('BEGIN')
    try {
      const epoch = this.#connection.prepare('SELECT epoch FROM sluice_state').pluck().get()
      if (epoch !== request.epoch) throw new StaleStatement()
      const rows = this.#connection.prepare(request.sql).raw().iterate(numberedValues(values))
      yield* batches(rows as Iterable<readonly SqlValue[]>, request)
    } finally {
      if (ownsSnapshot && this.#connection.inTransaction) this.#connection.exec('COMMIT')
      for (const id of programs) this.host.remove(id)
    }
  }
}

/** SQLite's own name for what went wrong; never its message, which may quote the statement. */
export function failureCode(error: unknown): string {
  const code = (error as { readonly code?: unknown }).code
  return typeof code === 'string' ? code : 'error'
}

function emptyColumns(count: number): SqlValue[][] {
  return Array.from({ length: count }, () => [])
}

function* batches(rows: Iterable<readonly SqlValue[]>, request: RunRequest): Generator<RawBatch> {
  const { columnCount, batchRows } = request
  let columns = emptyColumns(columnCount)
  let rowCount = 0
  for (const row of rows) {
    for (let c = 0; c < columnCount; c++) columns[c].push(row[c])
    if (++rowCount < batchRows) continue
    yield { rowCount, columns }
    columns = emptyColumns(columnCount)
    rowCount = 0
  }
  if (rowCount > 0) yield { rowCount, columns }
}
