import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { SluiceError, nowhere, type Budget } from '../../../base/index.ts'
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
import { batchOf, bytesOf, parameterTexts, rowsOf, type RawRows } from './postgres-rows.ts'
import { Session } from './postgres-session.ts'
import { columnsOf, wordIndexesOf, type PostgresLook, type PostgresWordIndex } from './postgres-catalog.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; what it leaves out comes from the `PG…` variables. */
  readonly url: string
  /** Connections that run statements; 4 unless given. A cancel takes one more for its moment. */
  readonly connections?: number
  /** Milliseconds to wait for the server, or for a connection that is free; 10,000 unless given. */
  readonly connectMs?: number
}

export interface PostgresEngine extends ForeignEngine {
  /** Columns whose indexes speed up a look for parts of texts. Throws as `describe` does. */
  wordIndexes(source: ForeignSource): Promise<readonly PostgresWordIndex[]>
}

export const CONNECTIONS = 4
const CONNECT_MS = 10_000

/** Rows of the first fetch, and bytes of text that a fetch aims at: a batch of long rows has few of them. */
const FIRST_ROWS = 64
const FETCH_BYTES = 2 ** 20

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
  readonly #sessions = new WeakMap<Budget, Promise<Session>>()
  readonly #newClient: () => Client

  constructor(pool: Pool, newClient: () => Client) {
    this.#pool = pool
    this.#newClient = newClient
    // A connection that breaks while nobody uses it is replaced when one is needed.
    pool.on('error', () => undefined)
  }

  async #connection(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw connectError(error)
    }
  }

  /** Asks on a connection of its own that the statement of another one ends; one that has ended stays as it is. */
  async #cancelBackend(pid: number): Promise<void> {
    const client = this.#newClient()
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT pg_catalog.pg_cancel_backend($1)', [pid])
    } catch {
      // The server's limit of time ends it all the same.
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async #newSession(budget: Budget): Promise<Session> {
    const client = await this.#connection()
    return new Session(client, budget, (pid) => this.#cancelBackend(pid))
  }

  /** One more cursor in the session of a query, which the first of its statements begins and the last one ends. */
  async #enter(budget: Budget): Promise<{ readonly session: Session; readonly cursor: string }> {
    for (;;) {
      const begun = this.#sessions.get(budget) ?? this.#newSession(budget)
      this.#sessions.set(budget, begun)
      try {
        const session = await begun
        if (!session.isOver) return { session, cursor: session.enter() }
      } catch (error) {
        this.#sessions.delete(budget)
        throw error
      }
      budget.checkpoint()
      if (this.#sessions.get(budget) === begun) this.#sessions.delete(budget)
    }
  }

  /** Looks something up, outside any query. */
  readonly #look: PostgresLook = async (text, values, source) => {
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

  async *run(statement: ForeignStatement, { budget, batchRows }: ForeignRun): AsyncIterable<ForeignBatch> {
    budget.checkpoint()
    const { session, cursor } = await this.#enter(budget)
    try {
      let size = Math.min(FIRST_ROWS, batchRows)
      const declared = session.ask(
        `DECLARE ${cursor} NO SCROLL CURSOR FOR\n${statement.sql}`,
        parameterTexts(statement.parameters),
      )
      let next: Promise<RawRows['rows']> | undefined = session.ask(`FETCH ${size} FROM ${cursor}`)
      // Both are on their way; what went wrong first is what is told.
      next.catch(() => undefined)
      await declared
      while (next !== undefined) {
        const rows: RawRows['rows'] = await next
        budget.checkpoint()
        const bytes = bytesOf(rows)
        const isLast = rows.length < size
        // Grown slowly, so that one fetch of long rows after short ones stays small.
        const fitting = Math.floor((rows.length * FETCH_BYTES) / Math.max(1, bytes))
        size = Math.max(1, Math.min(batchRows, fitting, size * 4))
        next = isLast ? undefined : session.ask(`FETCH ${size} FROM ${cursor}`)
        // Whoever stops listening ends the statement; what it then says is of no interest.
        next?.catch(() => undefined)
        budget.charge(bytes)
        try {
          if (rows.length > 0) yield batchOf(rows, statement.forms)
        } finally {
          budget.charge(-bytes)
        }
      }
    } finally {
      await session.leave(cursor)
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
 * A PostgreSQL database as a place where tables live. Statements run in read-only transactions, on a bounded number of
 * connections, each with the time and memory of its query. Throws SluiceError `foreign/no-package` and `foreign/connect`.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const { Client, Pool } = await loadPackage()
  const connectionTimeoutMillis = options.connectMs ?? CONNECT_MS
  // Looked at here, so that a damaged address is told without the password that it may hold.
  if (!URL.canParse(options.url)) {
    const reason = 'the address does not read `postgres://user:password@host:port/database`'
    throw new SluiceError([foreignDiagnostic('connect', { engine: ENGINE, reason }, nowhere)])
  }
  const config: ClientConfig = {
    connectionString: options.url,
    application_name: 'sluice',
    connectionTimeoutMillis,
    // What opens a transaction, a statement and its first rows goes out in one message.
    pipeline: true,
  }
  const pool = new Pool({ ...config, max: options.connections ?? CONNECTIONS, idleTimeoutMillis: 30_000 })
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
