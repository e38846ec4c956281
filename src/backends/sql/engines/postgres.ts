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
import type { Answer, Asking } from './postgres-portal.ts'
import { Session } from './postgres-session.ts'
import { columnsOf, wordIndexesOf, type PostgresLook, type PostgresWordIndex } from './postgres-catalog.ts'
import { POSTGRES_CONNECTIONS, FIRST_FETCH_ROWS } from '../tuning.ts'

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

  /** One more portal in the session of a query, which the first of its statements begins and the last one ends. */
  async #enter(budget: Budget): Promise<{ readonly session: Session; readonly portal: string }> {
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

  async *run(
    statement: ForeignStatement,
    { budget, batchRows, isAlone = false }: ForeignRun,
  ): AsyncIterable<ForeignBatch> {
    budget.checkpoint()
    const { session, portal } = await this.#enter(budget)
    const { forms, mostRows = Infinity } = statement
    try {
      // Few rows come all at once, for which the server may use workers of its own.
      let size = mostRows <= BATCH_ROWS ? 0 : Math.min(FIRST_FETCH_ROWS, batchRows)
      const asking: Asking = { text: statement.sql, values: parameterTexts(statement.parameters), portal, rows: size }
      let next: Promise<Answer> | undefined = session.ask(asking, isAlone && size === 0)
      while (next !== undefined) {
        const answer: Answer = await next
        const { rows, isLast, bytes } = answer
        budget.checkpoint()
        // Grown slowly, so that one fetch of long rows after short ones stays small.
        const fitting = Math.floor((rows.length * CHUNK_BYTES) / Math.max(1, bytes))
        size = Math.max(1, Math.min(batchRows, fitting, size * 4))
        next = isLast ? undefined : session.ask({ portal, rows: size })
        // Whoever stops listening ends the statement; what it then says is of no interest.
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
 * A PostgreSQL database as a place where tables live. Statements run in read-only transactions, on a bounded number of
 * connections, each with the time and memory of its query. Throws SluiceError `foreign/no-package` and `foreign/connect`.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const { Client, Pool } = await loadPackage()
  const connectionTimeoutMillis = options.connectMs ?? RESPONSE_TIMEOUT_MS
  // Looked at here, so that a damaged address is told without the password that it may hold.
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
