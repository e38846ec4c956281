import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { BATCH_ROWS, CHUNK_BYTES, RESPONSE_TIMEOUT_MS, SluiceError, nowhere, type Budget } from '../../../base/index.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import type {
  ForeignBatch,
  ForeignColumn,
  ForeignEngine,
  ForeignRun,
  ForeignSource,
  ForeignStatement,
} from '../foreign/engine.ts'
import { postgres } from '../dialects/postgres.ts'
import { ENGINE, connectError, noSource, reasonOf, statementFailed } from './postgres-errors.ts'
import { batchOf, parameterTexts, rowsOf } from './postgres-rows.ts'
import type { PortalRows, PortalRequest } from './postgres-portal.ts'
import { PostgresSession } from './postgres-session.ts'
import { columnsOf, wordIndexesOf, type PostgresQuery, type PostgresWordIndex } from './postgres-catalog.ts'
import { POSTGRES_CONNECTIONS, FIRST_FETCH_ROWS } from '../tuning.ts'

export interface PostgresOptions {
  /**
   * The address: `postgres://user:password@host:port/database`. Missing parts come from the `PG…` environment
   * variables.
   */
  readonly url: string
  /** Maximum number of connections that run statements; 4 by default. A cancel request briefly opens one more. */
  readonly connections?: number
  /** Milliseconds to wait for the server or for a free connection; 10,000 by default. */
  readonly connectMs?: number
}

export interface PostgresEngine extends ForeignEngine {
  /** Returns the columns with a trigram index, which speeds up substring searches. Throws as `describe` does. */
  wordIndexes(source: ForeignSource): Promise<readonly PostgresWordIndex[]>
}

type PgModule = typeof import('pg')

async function loadPackage(): Promise<PgModule> {
  try {
    return await import('pg')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SluiceError([foreignDiagnostic('no-package', { engine: ENGINE, name: 'pg' }, nowhere)])
  }
}

class Postgres implements PostgresEngine {
  readonly name = 'postgres'
  readonly dialect = postgres
  readonly #pool: Pool
  readonly #sessions = new WeakMap<Budget, Promise<PostgresSession>>()
  readonly #newClient: () => Client

  constructor(pool: Pool, newClient: () => Client) {
    this.#pool = pool
    this.#newClient = newClient
    // Without a listener, an error of an idle connection would end the program. The pool replaces the connection when
    // needed.
    pool.on('error', () => undefined)
    // The pool listens to idle connections only. An error of a busy connection also rejects its query.
    pool.on('connect', (client) => client.on('error', () => undefined))
  }

  async #connection(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw connectError(error)
    }
  }

  /**
   * Cancels the statement that the server process `pid` runs, over a new connection. A statement that has already ended
   * is not affected.
   */
  async #cancelBackend(pid: number): Promise<void> {
    const client = this.#newClient()
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT pg_catalog.pg_cancel_backend($1)', [pid])
    } catch {
      // If the cancel fails, the server's time limit still ends the statement.
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async #newSession(budget: Budget): Promise<PostgresSession> {
    const client = await this.#connection()
    return new PostgresSession(client, budget, (pid) => this.#cancelBackend(pid))
  }

  /**
   * Opens a portal (a cursor) in the session of a query. The session lasts from the query's first statement to its
   * last.
   */
  async #enter(budget: Budget): Promise<{ readonly session: PostgresSession; readonly portal: string }> {
    for (;;) {
      const begun = this.#sessions.get(budget) ?? this.#newSession(budget)
      this.#sessions.set(budget, begun)
      try {
        const session = await begun
        if (!session.isOver) return { session, portal: session.enter() }
      } catch (error) {
        this.#sessions.delete(budget)
        throw error
      }
      budget.checkpoint()
      if (this.#sessions.get(budget) === begun) this.#sessions.delete(budget)
    }
  }

  /** Runs a query on the PostgreSQL catalog, outside the session of any query. */
  readonly #look: PostgresQuery = async (text, values, source) => {
    const client = await this.#connection()
    try {
      return await rowsOf(client, text, values)
    } catch (error) {
      throw noSource(source, reasonOf(error))
    } finally {
      client.release()
    }
  }

  async describe(source: ForeignSource): Promise<readonly ForeignColumn[]> {
    return columnsOf(source, this.#look)
  }

  async wordIndexes(source: ForeignSource): Promise<readonly PostgresWordIndex[]> {
    return wordIndexesOf(source, this.#look)
  }

  async *run(
    statement: ForeignStatement,
    { budget, batchRows, isAlone = false }: ForeignRun,
  ): AsyncIterable<ForeignBatch> {
    budget.checkpoint()
    const { session, portal } = await this.#enter(budget)
    const { forms, mostRows = Infinity } = statement
    try {
      // Fetches a small result as a whole, because the server may then use parallel workers.
      let size = mostRows <= BATCH_ROWS ? 0 : Math.min(FIRST_FETCH_ROWS, batchRows)
      const asking: PortalRequest = {
        text: statement.sql,
        values: parameterTexts(statement.parameters),
        portal,
        rows: size,
      }
      let next: Promise<PortalRows> | undefined = session.ask(asking, isAlone && size === 0)
      while (next !== undefined) {
        const answer: PortalRows = await next
        const { rows, isLast, bytes } = answer
        budget.checkpoint()
        // The fetch size grows slowly, so that memory stays small when long rows follow short rows.
        const fitting = Math.floor((rows.length * CHUNK_BYTES) / Math.max(1, bytes))
        size = Math.max(1, Math.min(batchRows, fitting, size * 4))
        next = isLast ? undefined : session.ask({ portal, rows: size })
        // If the reader stops early, the statement is ended, and an error of the fetch in flight does not matter.
        next?.catch(() => undefined)
        for (let from = 0; from < rows.length; from += batchRows)
          yield batchOf(rows.length > batchRows ? rows.slice(from, from + batchRows) : rows, forms)
        session.taken(answer)
      }
    } finally {
      await session.leave(portal)
    }
  }

  async explain(statement: ForeignStatement): Promise<readonly string[]> {
    const client = await this.#connection()
    try {
      const lines = await rowsOf(client, `EXPLAIN ${statement.sql}`, parameterTexts(statement.parameters))
      return lines.map(([line]) => line ?? '')
    } catch (error) {
      throw statementFailed(error)
    } finally {
      client.release()
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

/**
 * Opens a PostgreSQL database as a source of tables. Statements run in read-only transactions, each with the time and
 * memory limits of its query, over a limited number of connections. Throws SluiceError `foreign/no-package` and
 * `foreign/connect`.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const { Client, Pool } = await loadPackage()
  const connectionTimeoutMillis = options.connectMs ?? RESPONSE_TIMEOUT_MS
  // Checks the address here, because the package's error for an invalid address would contain the password.
  if (!URL.canParse(options.url)) {
    const reason = 'the address does not read `postgres://user:password@host:port/database`'
    throw new SluiceError([foreignDiagnostic('connect', { engine: ENGINE, reason }, nowhere)])
  }
  const config: ClientConfig = {
    connectionString: options.url,
    application_name: 'sluice',
    connectionTimeoutMillis,
  }
  const pool = new Pool({ ...config, max: options.connections ?? POSTGRES_CONNECTIONS, idleTimeoutMillis: 30_000 })
  const engine = new Postgres(pool, () => new Client(config))
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    await pool.end()
    throw connectError(error)
  }
  return engine
}
