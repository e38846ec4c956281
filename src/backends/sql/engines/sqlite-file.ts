import { Budget, CALL_TIMEOUT_MS, SluiceError, nowhere } from '../../../base/index.ts'
import { openSqlite, type SqlValue } from '../../../store/sqlite/index.ts'
import type { RawBatch } from '../decode-rows.ts'
import { sqliteFile } from '../dialects/sqlite-file.ts'
import type { RunRequest, SqlDriver } from '../drivers/driver.ts'
import { ProcessPool } from '../drivers/pool.ts'
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
import { CALL_MEMORY_BYTES, SQLITE_PROCESSES } from '../tuning.ts'

export interface SqliteFileOptions {
  /** The path of the database file. */
  readonly path: string
  /**
   * Number of child processes that run statements, and so the maximum number of concurrent statements; 2 by default.
   */
  readonly processes?: number | undefined
}

export interface SqliteFileEngine extends ForeignEngine {
  /** Runs statements; they may call host functions (code of Sluice). */
  readonly driver: SqlDriver
  /** Runs a statement and returns its rows, every value as a string. */
  texts(sql: string, values: readonly SqlValue[], columns: number, budget?: Budget): Promise<readonly Texts[]>
}

type Texts = readonly (string | null)[]

function valueOf(value: SqlValue, form: ForeignForm): ForeignValue {
  if (value === null) return null
  switch (form) {
    case 'bool':
      return Number(value) !== 0
    case 'double':
      return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null
    case 'int64':
      return typeof value === 'bigint' ? value : null
    default:
      return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value)
  }
}

function batchOf({ rowCount, columns }: RawBatch, forms: readonly ForeignForm[]): ForeignBatch {
  return {
    rowCount,
    columns: columns.map((values, i) => values.map((value) => valueOf(value, forms[i] ?? 'text'))),
  }
}

/**
 * Returns the table name of a path. If the path has two parts, the first must be `main`, SQLite's name of the database
 * in a file; otherwise throws SluiceError `foreign/no-source`.
 */
function tableName(source: ForeignSource): string {
  if (source.kind === 'files') throw noSource(source.paths.join(', '), 'SQLite reads no files but its own')
  const [first, ...rest] = source.path
  const name = rest.length === 1 && first === 'main' ? rest[0] : first
  if (name === undefined || rest.length > 1 || (rest.length === 1 && first !== 'main'))
    throw noSource(source.path.join('.'), 'a table of SQLite has a name of one part')
  return name
}

function noSource(source: string, reason: string): SluiceError {
  return new SluiceError([foreignDiagnostic('no-source', { source, reason }, nowhere)])
}

/**
 * Opens a SQLite file of any schema for reading. Statements run in child processes; a statement that must stop or
 * exceeds its memory is ended with its process. Throws SluiceError `foreign/connect` if the file is not a readable
 * database, and `sqlite/package-missing`.
 */
export async function sqliteFileEngine({
  path,
  processes = SQLITE_PROCESSES,
}: SqliteFileOptions): Promise<SqliteFileEngine> {
  try {
    // The child processes open the file again. It is opened here too, to report errors clearly.
    const connection = await openSqlite(path, { isReadonly: true })
    try {
      connection.prepare('SELECT count(*) FROM sqlite_schema').get()
    } finally {
      connection.close()
    }
  } catch (error) {
    if (error instanceof SluiceError && error.code !== 'sqlite/cannot-open') throw error
    const reason = error instanceof SluiceError ? (error.diagnostics[0]?.notes[0] ?? '') : (error as Error).message
    throw new SluiceError([foreignDiagnostic('connect', { engine: 'SQLite', reason }, nowhere)])
  }
  const pool = new ProcessPool({ path, size: processes })

  async function* run({ sql, parameters, forms }: ForeignStatement, options: ForeignRun): AsyncIterable<ForeignBatch> {
    const { budget, batchRows } = options
    const { valueLimits } = budget
    const request: RunRequest = { sql, parameters, columnCount: forms.length, epoch: undefined, batchRows, valueLimits }
    for await (const batch of pool.run(request, budget)) yield batchOf(batch, forms)
  }

  const limits = { memoryBytes: CALL_MEMORY_BYTES, timeoutMs: CALL_TIMEOUT_MS, scanRows: Number.MAX_SAFE_INTEGER }

  async function rowsOf(
    sql: string,
    parameters: ForeignStatement['parameters'],
    columns: number,
    budget: Budget,
  ): Promise<readonly Texts[]> {
    const statement: ForeignStatement = { sql, parameters, forms: Array.from({ length: columns }, () => 'text') }
    const rows: Texts[] = []
    for await (const { rowCount, columns: read } of run(statement, { budget, batchRows: 1024 }))
      for (let i = 0; i < rowCount; i++) rows.push(read.map((column) => (column[i] ?? null) as string | null))
    return rows
  }

  const own = (): Budget => new Budget(limits, () => performance.now())
  const texts: SqliteFileEngine['texts'] = (sql, values, columns, budget = own()) =>
    rowsOf(
      sql,
      values.map((value, i) => ({ kind: 'value', name: `${i + 1}`, value })),
      columns,
      budget,
    )

  return {
    name: 'sqlite',
    dialect: sqliteFile,
    driver: pool,
    texts,
    async describe(source): Promise<readonly ForeignColumn[]> {
      const name = tableName(source)
      // Omits hidden columns of virtual tables (type 1). Generated columns (types 2 and 3) can be read.
      const rows = await texts('SELECT name, type, "notnull" FROM pragma_table_xinfo(?1) WHERE hidden <> 1', [name], 3)
      if (rows.length === 0) throw noSource(name, 'the file has no such table')
      return rows.map(([column, type, isNotNull]) => ({
        name: String(column),
        type: String(type),
        isNullable: isNotNull !== '1',
      }))
    },
    run,
    async explain({ sql, parameters }): Promise<readonly string[]> {
      // SQLite explains a statement without running host functions, so their programs are not sent.
      const given = parameters.map((each) =>
        each.kind === 'value' ? each : ({ kind: 'value', name: each.name, value: 0n } as const),
      )
      const rows = await rowsOf(`EXPLAIN QUERY PLAN ${sql}`, given, 4, own())
      return rows.map((row) => String(row[3]))
    },
    close: () => pool.close(),
  }
}
