import { setTimeout } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { FIRST_RETRY_MS, MAX_RETRY_MS, RESPONSE_TIMEOUT_MS, SluiceError, type Budget } from '../../../base/index.ts'
import { budgetError, codeOf, statementFailed } from './postgres-errors.ts'
import { ask, type PortalRows, type PortalRequest } from './postgres-portal.ts'
import { OPERATOR_MEMORY_ONE_IN } from '../tuning.ts'

/** The smallest and largest value for PostgreSQL's `work_mem` (memory of one operator), in KiB. */
const workMemKb = {
  min: 64,
  max: 2 ** 21 - 1,
} as const

/** The id of each connection's server process, which a cancel request needs. */
const pids = new WeakMap<PoolClient, number>()

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const ROLLBACK = 'ROLLBACK'

/** SQL that sets the limits of a query for its transaction, and returns the server's process id. */
const SETTINGS = `SELECT pg_catalog.pg_backend_pid(), ${[
  `'statement_timeout', $1`,
  `'idle_in_transaction_session_timeout', $2`,
  `'work_mem', $3`,
  `'TimeZone', 'UTC'`,
  `'DateStyle', 'ISO'`,
  `'extra_float_digits', '1'`,
]
  .map((setting) => `pg_catalog.set_config(${setting}, true)`)
  .join(', ')}`

function settingsOf({ limits, remainingMs }: Budget): readonly string[] {
  const timeoutMs = Math.max(1, Math.ceil(Math.min(remainingMs, 2 ** 31 - 1 - RESPONSE_TIMEOUT_MS)))
  const workKb = Math.min(
    workMemKb.max,
    Math.max(workMemKb.min, Math.floor(limits.memoryBytes / 1024 / OPERATOR_MEMORY_ONE_IN)),
  )
  return [timeoutMs, timeoutMs + RESPONSE_TIMEOUT_MS, workKb].map(String)
}

type Stop = 'cancelled' | 'deadline' | 'returned'

/**
 * The connection of one query, with its transaction. All statements of the query run in this transaction, each in a
 * portal (a cursor), and see the same rows. A query never waits for a second connection, so queries cannot block each
 * other.
 */
export class PostgresSession {
  readonly #client: PoolClient
  readonly #cancelBackend: (pid: number) => Promise<void>
  readonly #budget: Budget
  readonly #timer: NodeJS.Timeout
  readonly #forget: () => void
  readonly #asked = new Set<Promise<unknown>>()
  #tail: Promise<unknown> = Promise.resolve()
  #users = 0
  #portals = 0
  #hasBegun = false
  #isEnded = false
  /** Bytes of answers that the reader has not taken yet. */
  #heldBytes = 0
  #pid: number | undefined
  #stopped: Stop | undefined
  #cancelling: Promise<void> | undefined

  constructor(client: PoolClient, budget: Budget, cancelBackend: (pid: number) => Promise<void>) {
    this.#client = client
    this.#budget = budget
    this.#cancelBackend = cancelBackend
    // The first row of a statement can take long, and nothing else checks the deadline in the meantime.
    this.#timer = globalThis.setTimeout(() => this.#stop('deadline'), Math.min(budget.remainingMs, 2 ** 31 - 1))
    this.#forget = budget.onCancel(() => this.#stop('cancelled'))
    this.#pid = pids.get(client)
  }

  get isOver(): boolean {
    return this.#isEnded || this.#stopped !== undefined
  }

  #stop(why: Stop): void {
    if (this.#stopped !== undefined) return
    this.#stopped = why
    this.#cancel()
  }

  #cancel(): void {
    if (this.#asked.size > 0 && this.#pid !== undefined) this.#cancelling ??= this.#cancelAll(this.#pid)
  }

  /**
   * Repeats a cancel request until the statement has ended, since the server ignores a cancel that arrives between two
   * parts of a message.
   */
  async #cancelAll(pid: number): Promise<void> {
    for (let pauseMs = FIRST_RETRY_MS; this.#asked.size > 0; pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)) {
      await this.#cancelBackend(pid)
      const controller = new AbortController()
      const pause = setTimeout(pauseMs, undefined, { signal: controller.signal }).catch(() => undefined)
      await Promise.race([Promise.allSettled(this.#asked), pause])
      controller.abort()
    }
  }

  #throwIfStopped(): void {
    if (this.#stopped === 'cancelled' || this.#stopped === 'deadline') throw budgetError(this.#stopped, this.#budget)
  }

  #learnPid({ rows: [row] }: PortalRows): void {
    this.#pid = Number(row?.[0])
    pids.set(this.#client, this.#pid)
    if (this.#stopped !== undefined) this.#cancel()
  }

  /** Adds a statement to the session and returns the name of its portal. */
  enter(): string {
    this.#users++
    this.#portals++
    return `rows${this.#portals}`
  }

  /**
   * Returns the requests that start the transaction, for the message with the first statement; empty for all later
   * messages.
   */
  #beginning(): readonly PortalRequest[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return [
      { text: BEGIN, portal: '', rows: 0 },
      // The process id must arrive before the statement starts, so that the statement can be cancelled.
      { text: SETTINGS, values: settingsOf(this.#budget), portal: '', rows: 0, isUrgent: this.#pid === undefined },
    ]
  }

  /**
   * Runs a statement, or fetches more rows of it, and returns the rows. Waits while another request is being answered.
   * The bytes of the rows stay charged until `taken` is called. With `isAll`, the transaction ends with the statement.
   * Throws SluiceError with the reason for a stop.
   */
  async ask(asking: PortalRequest, isAll = false): Promise<PortalRows> {
    this.#throwIfStopped()
    // A connection handles one message at a time, so each request waits for the previous one.
    const asked = this.#tail.then(() => this.#send(asking, isAll))
    this.#tail = asked.catch(() => undefined)
    this.#asked.add(asked)
    try {
      return await asked
    } catch (error) {
      if (error instanceof SluiceError) throw error
      this.#throwIfStopped()
      // Code 57014 means a cancelled statement. Without a stop from this side, the server's time limit has cancelled
      // it, and that is the query's deadline.
      if (codeOf(error) === '57014') throw budgetError('deadline', this.#budget)
      throw statementFailed(error)
    } finally {
      this.#asked.delete(asked)
    }
  }

  async #send(asking: PortalRequest, isAll: boolean): Promise<PortalRows> {
    this.#throwIfStopped()
    if (this.#stopped === 'returned') throw new Error('nobody waits for it')
    const beginning = this.#beginning()
    const ending = isAll ? [{ text: ROLLBACK, portal: '', rows: 0 }] : []
    const answers = await ask(this.#client, [...beginning, asking, ...ending], {
      charge: (bytes) => {
        this.#heldBytes += bytes
        try {
          this.#budget.charge(bytes)
        } catch (error) {
          this.#stop('returned')
          throw error
        }
      },
      answered: (answer, at) => {
        if (beginning.length > 0 && at === beginning.length - 1) {
          this.taken(answer)
          this.#learnPid(answer)
        }
      },
    })
    this.#isEnded = isAll
    const answer = answers[beginning.length]
    if (answer === undefined) throw new Error('a message without an answer')
    return answer
  }

  /** Releases the memory of an answer that the reader has taken. */
  taken({ bytes }: PortalRows): void {
    this.#heldBytes -= bytes
    this.#budget.charge(-bytes)
  }

  /**
   * Closes the portal of a statement. Closing the last portal of the query ends the transaction and everything that
   * still runs in it.
   */
  async leave(portal: string): Promise<void> {
    this.#users--
    if (this.#users > 0) {
      void this.ask({ text: `CLOSE ${portal}`, portal: '', rows: 0 }).catch(() => undefined)
      return
    }
    clearTimeout(this.#timer)
    this.#forget()
    this.#stop('returned')
    await this.#cancelling
    await Promise.allSettled(this.#asked)
    this.#budget.charge(-this.#heldBytes)
    this.#client.release(!(await this.#rollBack()))
  }

  async #rollBack(): Promise<boolean> {
    if (this.#isEnded) return true
    return this.#client.query(ROLLBACK).then(
      () => true,
      () => false,
    )
  }
}
