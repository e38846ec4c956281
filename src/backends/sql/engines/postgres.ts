import { SluiceError, budgetDiagnostic, nowhere, present, type Budget } from '../../../base/index.ts'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import type { SqlValue } from '../../../store/sqlite/index.ts'
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
import { postgres } from '../dialects/postgres.ts'
import type { SqlParameter } from '../params.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; what it leaves out comes from the `PG…` variables. */
  readonly url: string
  /** Connections that run statements; 4 unless given. A cancel takes one more for its moment. */
  readonly connections?: number
  /** Milliseconds to wait for the server, or for a connection that is free; 10,000 unless given. */
  readonly connectMs?: number
}

/** A column that has an index which finds words. */
export interface PostgresWordIndex {
  readonly column: string
  readonly kind: 'trigram'
}

export interface PostgresEngine extends ForeignEngine {
  /** Columns whose indexes speed up a look for parts of texts. Throws as `describe` does. */
  wordIndexes(source: ForeignSource): Promise<readonly PostgresWordIndex[]>
}

const ENGINE = 'PostgreSQL'
const CONNECTIONS = 4
const CONNECT_MS = 10_000

/** Rows of the first fetch, and bytes of text that a fetch aims at: a batch of long rows has few of them. */
const FIRST_ROWS = 64
const FETCH_BYTES = 2 ** 20

/** An operator of a statement may take this part of the query's memory; a few of them work at one time. */
const MEMORY_SHARE = 8
const MIN_WORK_KB = 64
const MAX_WORK_KB = 2 ** 21 - 1

/** The first release that tells the microseconds of a time exactly. */
const OLDEST = 140_000

/** How long a transaction may wait for us beyond the query's own time, should this process stand still. */
const IDLE_GRACE_MS = 10_000

type PgModule = typeof import('pg')

async function loadPackage(): Promise<PgModule> {
  try {
    return await import('pg')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SluiceError([foreignDiagnostic('no-package', { engine: ENGINE, name: 'pg' }, nowhere)])
  }
}

/** What went wrong, in words that hold nothing of an address, a password or a row. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the address',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known at the moment',
  ETIMEDOUT: 'the server does not answer',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  '28000': 'the user is refused',
  '28P01': 'the user or the password is refused',
  '3D000': 'there is no such database',
  '3F000': 'there is no such schema',
  '42P01': 'there is no such table',
  '42703': 'a column is missing',
  '42501': 'the user may not read it',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left',
  '57P01': 'it is shutting down',
  '57P02': 'it is shutting down',
  '57P03': 'it is starting up',
  '57P05': 'it ended a session that had waited too long',
}

/** By the first two characters of the state. */
const classes: Readonly<Record<string, string>> = {
  '08': 'the connection is lost',
  '22': 'a stored value is not what its type says',
  '25': 'the transaction may only read',
  '40': 'the transaction was rolled back',
  '42': 'the statement does not suit its tables',
  '53': 'it lacks a resource',
  '54': 'the statement is beyond its limits',
  '57': 'an operator of the server ended it',
  '58': 'its disk failed',
}

function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Codes alone are told: the server's own words can quote a stored value, which a data scope may hide. */
function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const told = reasons[code] ?? (code.length === 5 ? classes[code.slice(0, 2)] : undefined)
  if (told === undefined) return code === '' ? 'the connection is lost' : `error ${code}`
  return code.length === 5 ? `${told} (${code})` : told
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function connectError(error: unknown): SluiceError {
  const message = error instanceof Error ? error.message : ''
  const isFull = message.startsWith('timeout exceeded when trying to connect')
  const reason = isFull ? 'no connection became free in time' : reasonOf(error)
  return new SluiceError([foreignDiagnostic('connect', { engine: ENGINE, reason }, nowhere)])
}

/** Every type as the text that the server writes: nothing is rounded on its way. */
const asText: NonNullable<ClientConfig['types']> = { getTypeParser: () => (text: string) => text }

interface RawRows {
  readonly rows: readonly (readonly (string | null)[])[]
}

async function rowsOf(client: Client, text: string, values: readonly (string | null)[] = []): Promise<RawRows['rows']> {
  const answer: RawRows | readonly RawRows[] = await client.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  })
  // Several statements in one text have an answer each, none of which has rows.
  return 'rows' in answer ? answer.rows : []
}

/** Numbers of the server's processes, which stay with their connections. */
const pids = new WeakMap<PoolClient, number>()

function parameterText(value: SqlValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return String(value)
  return `\\x${Buffer.from(value).toString('hex')}`
}

function parameterTexts(parameters: readonly SqlParameter[]): readonly (string | null)[] {
  return parameters.map((parameter) => {
    if (parameter.kind === 'program') throw new TypeError('PostgreSQL has no host functions')
    return parameterText(parameter.value)
  })
}

const readers: { readonly [F in ForeignForm]: (text: string) => ForeignValue } = {
  text: (text) => text,
  json: (text) => text,
  double: Number,
  int64: BigInt,
  bool: (text) => text === 't',
}

function batchOf(rows: RawRows['rows'], forms: readonly ForeignForm[]): ForeignBatch {
  const columns = forms.map((form, at) => {
    const read = readers[form]
    return rows.map((row) => {
      const text = present(row[at])
      return text === null ? null : read(text)
    })
  })
  return { rowCount: rows.length, columns }
}

function bytesOf(rows: RawRows['rows']): number {
  let chars = 0
  for (const row of rows) for (const text of row) chars += text === null ? 0 : text.length
  return 2 * chars
}

/** What a statement of a query is held to; all of it ends with its transaction. */
function settings({ limits, remainingMs }: Budget): string {
  const timeoutMs = Math.max(1, Math.ceil(Math.min(remainingMs, 2 ** 31 - 1 - IDLE_GRACE_MS)))
  const workKb = Math.min(MAX_WORK_KB, Math.max(MIN_WORK_KB, Math.floor(limits.memoryBytes / 1024 / MEMORY_SHARE)))
  return [
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    `SET LOCAL statement_timeout = ${timeoutMs}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs + IDLE_GRACE_MS}`,
    `SET LOCAL work_mem = ${workKb}`,
    // Most answers are read to their end, so a plan for the first rows alone is the wrong one.
    'SET LOCAL cursor_tuple_fraction = 1',
    `SET LOCAL TimeZone = 'UTC'`,
    `SET LOCAL DateStyle = 'ISO'`,
    `SET LOCAL extra_float_digits = 1`,
  ].join('; ')
}

function budgetError(code: 'cancelled' | 'deadline', { limits }: Budget): SluiceError {
  const diagnostic =
    code === 'cancelled'
      ? budgetDiagnostic('cancelled', {}, nowhere)
      : budgetDiagnostic('deadline', { timeoutMs: limits.timeoutMs }, nowhere)
  return new SluiceError([diagnostic])
}

type Stop = 'cancelled' | 'deadline' | 'returned'

/**
 * The one connection of a query, and its transaction. All statements of a query run there, each with a cursor, and see the same
 * rows: a query that holds a connection never waits for a second one, so that queries cannot wait for each other.
 */
class Session {
  readonly #client: PoolClient
  readonly #cancelBackend: (pid: number) => Promise<void>
  readonly #budget: Budget
  readonly #timer: NodeJS.Timeout
  readonly #forget: () => void
  readonly #asked = new Set<Promise<unknown>>()
  #users = 0
  #cursors = 0
  #pid: number | undefined
  #stopped: Stop | undefined
  #cancelling: Promise<void> | undefined

  constructor(client: PoolClient, budget: Budget, cancelBackend: (pid: number) => Promise<void>) {
    this.#client = client
    this.#budget = budget
    this.#cancelBackend = cancelBackend
    // A fetch can take long before its first row, and nothing else looks at the clock meanwhile.
    this.#timer = setTimeout(() => this.#stop('deadline'), Math.min(budget.remainingMs, 2 ** 31 - 1))
    this.#forget = budget.onCancel(() => this.#stop('cancelled'))
    this.#pid = pids.get(client)
    void this.ask(settings(budget)).catch(() => undefined)
    if (this.#pid === undefined) void this.#learnPid().catch(() => undefined)
  }

  get isOver(): boolean {
    return this.#stopped !== undefined
  }

  async #learnPid(): Promise<void> {
    const [row] = await this.ask('SELECT pg_catalog.pg_backend_pid()')
    this.#pid = Number(row?.[0])
    pids.set(this.#client, this.#pid)
    if (this.#stopped !== undefined) this.#cancel()
  }

  #stop(why: Stop): void {
    if (this.#stopped !== undefined) return
    this.#stopped = why
    this.#cancel()
  }

  #cancel(): void {
    if (this.#asked.size > 0 && this.#pid !== undefined) this.#cancelling ??= this.#cancelBackend(this.#pid)
  }

  #throwIfStopped(): void {
    if (this.#stopped === 'cancelled' || this.#stopped === 'deadline') throw budgetError(this.#stopped, this.#budget)
  }

  /** The name of one more cursor. */
  enter(): string {
    this.#users++
    this.#cursors++
    return `rows${this.#cursors}`
  }

  /** What the database says, or why it was stopped. What is asked goes out at once, whatever is asked still. Throws SluiceError. */
  async ask(text: string, values?: readonly (string | null)[]): Promise<RawRows['rows']> {
    this.#throwIfStopped()
    const asked = rowsOf(this.#client, text, values)
    this.#asked.add(asked)
    try {
      return await asked
    } catch (error) {
      this.#throwIfStopped()
      // The server's own limit of time is the query's.
      if (codeOf(error) === '57014') throw budgetError('deadline', this.#budget)
      const reason = reasonOf(error)
      throw new SluiceError([foreignDiagnostic('statement-failed', { engine: ENGINE, reason }, nowhere)])
    } finally {
      this.#asked.delete(asked)
    }
  }

  /** Ends a statement; with the last one what still runs, and the transaction. */
  async leave(cursor: string): Promise<void> {
    this.#users--
    if (this.#users > 0) {
      void this.ask(`CLOSE ${cursor}`).catch(() => undefined)
      return
    }
    clearTimeout(this.#timer)
    this.#forget()
    this.#stop('returned')
    await this.#cancelling
    const ended = this.#client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    await Promise.allSettled(this.#asked)
    this.#client.release(await ended)
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
  async #look(text: string, values: readonly (string | null)[], source: string): Promise<RawRows['rows']> {
    const client = await this.#connection()
    try {
      return await rowsOf(client, text, values)
    } catch (error) {
      throw new SluiceError([foreignDiagnostic('no-source', { source, reason: reasonOf(error) }, nowhere)])
    } finally {
      client.release()
    }
  }

  async #relation(source: ForeignSource): Promise<{ readonly name: string; readonly oid: string }> {
    if (source.kind === 'files') {
      const [name = ''] = source.paths
      throw noSource(name, 'PostgreSQL reads no files')
    }
    const name = source.path.map(quoted).join('.')
    const [database] = source.path
    const rows = await this.#look(RELATION, [source.path.slice(-2).map(quoted).join('.')], name)
    const [oid, own, encoding, version] = rows[0] ?? []
    if (Number(version) < OLDEST) throw noSource(name, 'the server is older than PostgreSQL 14')
    if (source.path.length > 2 && database !== own) throw noSource(name, 'it is not in the database of the address')
    if (oid === null || oid === undefined) throw noSource(name, 'there is no such table')
    if (encoding !== 'UTF8') throw noSource(name, `its texts are ${encoding ?? 'of no known encoding'}, not UTF8`)
    return { name, oid }
  }

  async describe(source: ForeignSource): Promise<readonly ForeignColumn[]> {
    const { name, oid } = await this.#relation(source)
    const rows = await this.#look(COLUMNS, [oid], name)
    return rows.map(([column, type, isNullable]) => ({
      name: column ?? '',
      type: type ?? '',
      isNullable: isNullable === 't',
    }))
  }

  async wordIndexes(source: ForeignSource): Promise<readonly PostgresWordIndex[]> {
    const { name, oid } = await this.#relation(source)
    const rows = await this.#look(WORD_INDEXES, [oid], name)
    return rows.map(([column]) => ({ column: column ?? '', kind: 'trigram' }))
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
      throw new SluiceError([
        foreignDiagnostic('statement-failed', { engine: ENGINE, reason: reasonOf(error) }, nowhere),
      ])
    } finally {
      client.release()
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

function noSource(source: string, reason: string): SluiceError {
  return new SluiceError([foreignDiagnostic('no-source', { source, reason }, nowhere)])
}

const RELATION = `SELECT to_regclass($1)::oid, current_database(), getdatabaseencoding(), current_setting('server_version_num')`

/**
 * A domain is what it is made of; an enumerated type is its labels; a text column says when it is not compared by bytes,
 * and `loosely` when different texts are equal in it.
 */
const COLUMNS = `
WITH RECURSIVE columns AS (
  SELECT a.attnum, a.attname, a.atttypid AS type, a.atttypmod AS modifier, NOT a.attnotnull AS is_nullable, a.attcollation
  FROM pg_catalog.pg_attribute AS a
  WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT c.attnum, c.attname, t.typbasetype, t.typtypmod, c.is_nullable AND NOT t.typnotnull, c.attcollation
  FROM columns AS c JOIN pg_catalog.pg_type AS t ON t.oid = c.type AND t.typtype = 'd'
)
SELECT c.attname,
  CASE WHEN t.typtype = 'e' THEN (
    SELECT 'ENUM(' || string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) || ')'
    FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = c.type
  ) ELSE pg_catalog.format_type(c.type, c.modifier) END ||
  CASE
    WHEN l.oid IS NULL OR t.typcategory = 'A' OR l.collname IN ('C', 'POSIX') THEN ''
    WHEN l.collprovider = 'd' AND d.datcollate IN ('C', 'POSIX') THEN ''
    ELSE ' COLLATE ' || pg_catalog.quote_ident(CASE WHEN l.collprovider = 'd' THEN d.datcollate ELSE l.collname END) || CASE WHEN l.collisdeterministic THEN '' ELSE ' loosely' END
  END,
  c.is_nullable
FROM columns AS c
JOIN pg_catalog.pg_type AS t ON t.oid = c.type AND t.typtype <> 'd'
LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = c.attcollation
CROSS JOIN (SELECT datcollate FROM pg_catalog.pg_database WHERE datname = current_database()) AS d
ORDER BY c.attnum`

/** Indexes of trigrams over whole columns, which \`LIKE\` asks. */
const WORD_INDEXES = `
SELECT DISTINCT a.attname
FROM pg_catalog.pg_index AS i
CROSS JOIN LATERAL unnest(i.indkey::int2[], i.indclass::oid[]) AS k(attnum, opclass)
JOIN pg_catalog.pg_opclass AS o ON o.oid = k.opclass AND o.opcname IN ('gin_trgm_ops', 'gist_trgm_ops')
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indrelid = $1::oid AND i.indisvalid AND i.indpred IS NULL
ORDER BY a.attname`

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
