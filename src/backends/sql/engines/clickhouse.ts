import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import {
  BUDGET_WATCH_MS,
  type Budget,
  PROGRESS_INTERVAL_MS,
  RESPONSE_TIMEOUT_MS,
  budgetDiagnostic,
  MAX_INT32,
  memoryError,
  nowhere,
  SluiceError,
} from '../../../base/index.ts'
import { clickhouse } from '../dialects/clickhouse.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import type {
  ForeignBatch,
  ForeignColumn,
  ForeignEngine,
  ForeignRun,
  ForeignSource,
  ForeignStatement,
  ForeignValue,
} from '../foreign/engine.ts'
import type { SqlParameter } from '../statement/params.ts'
import { BrokenAnswer, ClickhouseRowReader, failed } from './clickhouse-rows.ts'

export interface ClickHouseProgress {
  readonly readRows: number
  readonly readBytes: number
  /** Number of rows that the server expects to read; 0 while unknown. */
  readonly totalRows: number
  readonly memoryBytes: number
}

export interface ClickHouseOptions {
  /** URL of the HTTP interface, such as `https://host:8443`. */
  readonly url: string
  readonly username?: string
  readonly password?: string
  /** Database of tables that are named without a database. */
  readonly database?: string
  /** True if the server compresses its answers, which helps over networks but not on one machine. */
  readonly isCompressed?: boolean
  /** Maximum number of concurrent statements; further ones wait. 10 by default. */
  readonly connections?: number
  /** Called twice a second with the progress of each running statement. */
  readonly onProgress?: (progress: ClickHouseProgress) => void
}

/** The client package, and the version that this code was tested with. */
const PACKAGE = { name: '@clickhouse/client', version: '1.23.1' }

/**
 * Settings sent with each statement. They fix the meaning of statements, regardless of the user's profile on the
 * server.
 */
const SESSION_SETTINGS = {
  session_timezone: 'UTC',
  join_use_nulls: 1,
  transform_null_in: 0,
  group_by_use_nulls: 0,
  aggregate_functions_null_for_empty: 0,
  union_default_mode: 'ALL',
  join_default_strictness: 'ALL',
  count_distinct_implementation: 'uniqExact',
  prefer_column_name_to_alias: 0,
  enable_positional_arguments: 0,
  // Requires that all shards answer, that aggregates of shards are merged, and that a join reads both sides from all
  // shards.
  skip_unavailable_shards: 0,
  distributed_group_by_no_merge: '0',
  distributed_product_mode: 'global',
  // All other limits of a profile must end in an error, never in a partial answer.
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
  extremes: 0,
  // Stops ClickHouse from combining patterns for the library Hyperscan, which reads some patterns differently and
  // rejects groups.
  optimize_or_like_chain: 0,
  // Stops ClickHouse from moving constants out of sums, which would round floats differently.
  optimize_arithmetic_operations_in_aggregate_functions: 0,
  output_format_json_quote_denormals: 1,
  max_query_size: '16777216',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '4000000',
} as const

/**
 * Returns settings for one statement that change its speed but not its answer. With a word index, all conditions are
 * tested in one step: in several steps, ClickHouse would compile large patterns again for each small block.
 */
export function scanSettings(sql: string): Record<string, string> {
  return sql.includes('hasAllTokens(') ? { enable_multiple_prewhere_read_steps: '0' } : {}
}

/** Returns settings for the limits of a query. They can make the server's own limits only stricter. */
function limitsOf({ limits }: Budget): Record<string, string> {
  return {
    max_execution_time: String(Math.max(1, Math.ceil(limits.timeoutMs / 1000))),
    max_memory_usage: String(Math.max(1, Math.floor(limits.memoryBytes))),
    ...(Number.isFinite(limits.scanRows) ? { max_result_rows: String(Math.max(1, Math.floor(limits.scanRows))) } : {}),
    result_overflow_mode: 'throw',
    timeout_overflow_mode: 'throw',
  }
}

function parameterValue(parameter: SqlParameter): unknown {
  if (parameter.kind === 'program') throw failed('a statement cannot call host code')
  const { value } = parameter
  // The client library would write -0 without its sign.
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : value
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value
}

function parametersOf(parameters: readonly SqlParameter[]): Record<string, unknown> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterValue(parameter)]))
}

/**
 * Returns the number and name of a server error; `undefined` for other errors. The message is dropped, since it may
 * quote the statement.
 */
function serverError(error: unknown): { readonly code: number; readonly name: string } | undefined {
  const message = error instanceof Error ? error.message : String(error)
  const { code, type } = error as { readonly code?: unknown; readonly type?: unknown }
  if (typeof type === 'string' && typeof code === 'string' && /^\d+$/u.test(code))
    return { code: Number(code), name: type }
  const found = /Code: (\d+)\. DB::Exception:[\s\S]*?\(([A-Z][A-Z0-9_]{3,})\)/u.exec(message)
  return found === null ? undefined : { code: Number(found[1]), name: found[2] ?? '' }
}

/**
 * Returns why no answer came, from the operating system's error code. The message is dropped, since it may contain the
 * address.
 */
function connectionReason(error: unknown): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } }
  const known = [code, cause?.code].find((candidate) => typeof candidate === 'string')
  switch (known) {
    case 'ECONNREFUSED':
      return 'nothing listens at its address'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name is not known'
    case 'ECONNRESET':
    case 'EPIPE':
      return 'it closed the connection'
    case 'ETIMEDOUT':
      return 'it did not answer in time'
    default:
      return known === undefined ? 'the connection broke' : `the connection broke (${known})`
  }
}

/** The ClickHouse error codes that have a translation, by name. */
const errorCode = {
  memoryLimit: 241,
  tooSlow: 160,
  timeout: 159,
  cancelled: 394,
  tooManyRows: 396,
  readonly: 164,
  noAccess: 497,
} as const
const NO_SOURCE = new Set([60, 81])
const NOT_LET_IN = new Set([192, 193, 194, 516])

/** Converts an error of a statement to a SluiceError. */
function translated(error: unknown, budget: Budget | undefined): SluiceError {
  if (error instanceof SluiceError) return error
  const server = serverError(error)
  if (server === undefined) {
    return error instanceof BrokenAnswer
      ? failed(error.message)
      : new SluiceError([
          foreignDiagnostic('connect', { engine: 'ClickHouse', reason: `${connectionReason(error)}.` }, nowhere),
        ])
  }
  const { code, name } = server
  const limits = budget?.limits
  const named = `${name}, code ${code}`
  if (NOT_LET_IN.has(code)) {
    return new SluiceError([
      foreignDiagnostic(
        'connect',
        { engine: 'ClickHouse', reason: `it does not let this user in (${named}).` },
        nowhere,
      ),
    ])
  }
  // An error that does not name the query's limit means that the whole server is out of memory.
  const isOwnMemory = /[Qq]uery memory limit|memory limit \(for query\)/u.test((error as Error).message)
  if (code === errorCode.memoryLimit && limits !== undefined)
    return isOwnMemory ? memoryError(limits.memoryBytes) : failed(`the server is out of memory (${named}).`)
  if ((code === errorCode.timeout || code === errorCode.tooSlow) && limits !== undefined) {
    return new SluiceError([budgetDiagnostic('deadline', { timeoutMs: limits.timeoutMs }, nowhere)])
  }
  if (code === errorCode.tooManyRows && limits !== undefined)
    return new SluiceError([budgetDiagnostic('rows', { limitRows: limits.scanRows }, nowhere)])
  if (code === errorCode.cancelled) return failed(`someone ended it on the server (${named}).`)
  if (code === errorCode.readonly)
    return failed(`the user may not set its limits there: its profile needs readonly = 2 or 0 (${named}).`)
  if (code === errorCode.noAccess) return failed(`the user may not read one of its tables (${named}).`)
  if (NO_SOURCE.has(code)) return failed(`a table of it is not there (${named}).`)
  return failed(`the server answered ${named}.`)
}

function tableOf(source: ForeignSource): {
  readonly database: string | undefined
  readonly table: string
  readonly name: string
} {
  if (source.kind === 'files') {
    const data = { source: source.paths.join(', '), reason: 'ClickHouse reads tables; files are read by DuckDB.' }
    throw new SluiceError([foreignDiagnostic('no-source', data, nowhere)])
  }
  return { database: source.path.at(-2), table: source.path.at(-1) ?? '', name: source.path.join('.') }
}

const COLUMNS = `SELECT name, type
FROM system.columns
WHERE database = if({database:String} = '', currentDatabase(), {database:String})
  AND table = {table:String}
  AND default_kind != 'EPHEMERAL'
ORDER BY position
FORMAT JSONCompactEachRow`

const PROGRESS = `SELECT read_rows, read_bytes, total_rows_approx, memory_usage
FROM system.processes WHERE query_id = {id:String}
FORMAT JSONCompactEachRow`

class ClickHouseEngine implements ForeignEngine {
  readonly name = 'clickhouse'
  readonly dialect = clickhouse
  readonly #options: ClickHouseOptions
  #client: Promise<ClickHouseClient> | undefined

  constructor(options: ClickHouseOptions) {
    this.#options = options
  }

  async describe(source: ForeignSource): Promise<readonly ForeignColumn[]> {
    const { database, table, name } = tableOf(source)
    let rows: readonly (readonly [string, string])[]
    try {
      rows = await this.#rows(COLUMNS, { database: database ?? '', table })
    } catch (error) {
      const server = serverError(error)
      if (server !== undefined && !NOT_LET_IN.has(server.code)) {
        const data = { source: name, reason: `the server answered ${server.name}, code ${server.code}.` }
        throw new SluiceError([foreignDiagnostic('no-source', data, nowhere)])
      }
      const reason =
        server === undefined
          ? connectionReason(error)
          : `it does not let this user in (${server.name}, code ${server.code})`
      throw new SluiceError([foreignDiagnostic('connect', { engine: 'ClickHouse', reason: `${reason}.` }, nowhere)])
    }
    if (rows.length === 0) {
      const data = { source: name, reason: 'ClickHouse has no such table, or the user may not see it.' }
      throw new SluiceError([foreignDiagnostic('no-source', data, nowhere)])
    }
    return rows.map(([column, type]) => ({
      name: column,
      type,
      isNullable: /^(?:LowCardinality\()?Nullable\(/u.test(type),
    }))
  }

  async *run(
    { sql, parameters, forms }: ForeignStatement,
    { budget, batchRows }: ForeignRun,
  ): AsyncIterable<ForeignBatch> {
    budget.checkpoint()
    const client = await this.#open()
    const id = randomUUID()
    const stop = new AbortController()
    let ended: unknown
    const check = (): void => {
      try {
        budget.checkpoint()
      } catch (error) {
        ended ??= error
        stop.abort()
      }
    }
    const timer = setInterval(check, BUDGET_WATCH_MS)
    const forget = budget.onCancel(check)
    const progress = this.#watch(id)
    let isEnded = false
    let reader: ClickhouseRowReader | undefined
    try {
      const { stream, response_headers: headers } = await client.exec({
        query: `${sql}\nFORMAT RowBinaryWithNamesAndTypes`,
        query_id: id,
        query_params: parametersOf(parameters),
        use_multipart_params_auto: true,
        abort_signal: stop.signal,
        clickhouse_settings: {
          ...SESSION_SETTINGS,
          ...limitsOf(budget),
          ...scanSettings(sql),
          readonly: '2',
          wait_end_of_query: 0,
          cancel_http_readonly_queries_on_client_close: 1,
        },
      })
      const tag = headers?.['x-clickhouse-exception-tag']
      reader = new ClickhouseRowReader(forms, budget, typeof tag === 'string' ? tag : undefined)
      let columns: ForeignValue[][] = forms.map(() => [])
      let rowCount = 0
      for await (const chunk of stream) {
        reader.add(chunk as Buffer)
        for (;;) {
          const rows = reader.take(columns, batchRows - rowCount, false)
          if (rows === 0) break
          rowCount += rows
          if (rowCount < batchRows) continue
          yield { rowCount, columns }
          columns = forms.map(() => [])
          rowCount = 0
        }
      }
      for (;;) {
        const rows = reader.take(columns, batchRows - rowCount, true)
        rowCount += rows
        if (rowCount > 0) yield { rowCount, columns }
        if (rows === 0) break
        columns = forms.map(() => [])
        rowCount = 0
      }
      isEnded = true
      reader.end()
    } catch (error) {
      if (ended !== undefined) throw ended
      isEnded = isEnded || serverError(error) !== undefined
      throw translated(error, budget)
    } finally {
      clearInterval(timer)
      clearInterval(progress)
      forget()
      reader?.release()
      if (!isEnded) await this.#kill(id)
    }
  }

  async explain({ sql, parameters }: ForeignStatement): Promise<readonly string[]> {
    const rows = await this.#rows<readonly [string]>(
      `EXPLAIN indexes = 1\n${sql}\nFORMAT JSONCompactEachRow`,
      parametersOf(parameters),
    ).catch((error: unknown) => {
      throw translated(error, undefined)
    })
    return rows.map(([line]) => line)
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await (await client)?.close()
  }

  /** Runs a small query on the server's system tables and returns its rows. */
  async #rows<R extends readonly unknown[]>(query: string, parameters: Record<string, unknown>): Promise<readonly R[]> {
    const client = await this.#open()
    const { stream } = await client.exec({
      query,
      query_params: parameters,
      use_multipart_params_auto: true,
      abort_signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      clickhouse_settings: { ...SESSION_SETTINGS, readonly: '2', output_format_json_quote_64bit_integers: 0 },
    })
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk as string
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as R)
  }

  #watch(id: string): NodeJS.Timeout | undefined {
    const { onProgress } = this.#options
    if (onProgress === undefined) return undefined
    const check = async (): Promise<void> => {
      const [row] = await this.#rows<readonly [number, number, number, number]>(PROGRESS, { id })
      if (row === undefined) return
      const [readRows, readBytes, totalRows, memoryBytes] = row
      onProgress({ readRows, readBytes, totalRows, memoryBytes })
    }
    // If the user may not read the list of running queries, no progress is reported.
    return setInterval(() => void check().catch(() => undefined), PROGRESS_INTERVAL_MS)
  }

  /** Stops a statement on the server. Ignores errors, because a server that does not answer runs nothing. */
  async #kill(id: string): Promise<void> {
    const client = await this.#open()
    await client
      .command({
        query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
        query_params: { id },
        abort_signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      })
      .catch(() => undefined)
  }

  #open(): Promise<ClickHouseClient> {
    return (this.#client ??= connect(this.#options))
  }
}

async function connect(options: ClickHouseOptions): Promise<ClickHouseClient> {
  let loaded: typeof import('@clickhouse/client')
  try {
    loaded = await import('@clickhouse/client')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const data = { engine: 'ClickHouse', name: `${PACKAGE.name}@${PACKAGE.version}` }
    throw new SluiceError([foreignDiagnostic('no-package', data, nowhere)])
  }
  const { url, username, password, database, isCompressed = false, connections = 10 } = options
  try {
    return loaded.createClient({
      url,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(database === undefined ? {} : { database }),
      application: 'sluice',
      request_timeout: MAX_INT32,
      max_open_connections: connections,
      compression: { response: isCompressed },
      log: { level: loaded.ClickHouseLogLevel.OFF },
    })
  } catch {
    // The client's error message quotes the address, which may contain a password, so the message is replaced.
    const data = {
      engine: 'ClickHouse',
      reason: 'its address is not one of `http://host:8123` or `https://host:8443`.',
    }
    throw new SluiceError([foreignDiagnostic('connect', data, nowhere)])
  }
}

/**
 * Makes an engine for a ClickHouse server, or for a cluster through one of its servers. The engine connects at its
 * first statement.
 */
export function clickHouseEngine(options: ClickHouseOptions): ForeignEngine {
  return new ClickHouseEngine(options)
}
