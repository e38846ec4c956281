import type { PoolClient } from 'pg'
import type { Budget } from '../../../base/index.ts'
import { budgetError, codeOf, statementFailed } from './postgres-errors.ts'
import { rowsOf, type RawRows } from './postgres-rows.ts'

/** An operator of a statement may take this part of the query's memory; a few of them work at one time. */
const MEMORY_SHARE = 8
const MIN_WORK_KB = 64
const MAX_WORK_KB = 2 ** 21 - 1

/** How long a transaction may wait for us beyond the query's own time, should this process stand still. */
const IDLE_GRACE_MS = 10_000

/** Numbers of the server's processes, which stay with their connections. */
const pids = new WeakMap<PoolClient, number>()

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

type Stop = 'cancelled' | 'deadline' | 'returned'

/**
 * The one connection of a query, and its transaction. All statements of a query run there, each with a cursor, and see the same
 * rows: a query that holds a connection never waits for a second one, so that queries cannot wait for each other.
 */
export class Session {
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
      throw statementFailed(error)
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
