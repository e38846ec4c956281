import { setTimeout } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { FIRST_RETRY_MS, MAX_RETRY_MS, RESPONSE_TIMEOUT_MS, SluiceError, type Budget } from '../../../base/index.ts'
import { budgetError, codeOf, statementFailed } from './postgres-errors.ts'
import { ask, type Answer, type PortalRequest } from './postgres-portal.ts'
import { OPERATOR_MEMORY_ONE_IN } from '../tuning.ts'

/** Bounds of PostgreSQL's `work_mem` in KiB. */
const workMemKb = {
  min: 64,
  max: 2 ** 21 - 1,
} as const

/** The process ids of the server's backends by connection. */
const pids = new WeakMap<PoolClient, number>()

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const ROLLBACK = 'ROLLBACK'

/** Sets the limits of a query's statements; they end with its transaction. */
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
 * The one connection of a query, and its transaction. All statements of a query run there, each in a portal, and see
 * the same rows. A query never waits for a second connection, so that queries cannot wait for each other.
 */
export class Session {
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
  /** Bytes of answers that nobody has read. */
  #heldBytes = 0
  #pid: number | undefined
  #stopped: Stop | undefined
  #cancelling: Promise<void> | undefined

  constructor(client: PoolClient, budget: Budget, cancelBackend: (pid: number) => Promise<void>) {
    this.#client = client
    this.#budget = budget
    this.#cancelBackend = cancelBackend
    // A statement can take long before its first row, and nothing else checks the deadline meanwhile.
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

  /** Repeats the cancel until the statement has ended: between two parts of a message the server ignores it. */
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

  #learnPid({ rows: [row] }: Answer): void {
    this.#pid = Number(row?.[0])
    pids.set(this.#client, this.#pid)
    if (this.#stopped !== undefined) this.#cancel()
  }

  /** Returns the name of a new portal. */
  enter(): string {
    this.#users++
    this.#portals++
    return `rows${this.#portals}`
  }

  /** Returns what precedes the first statement in the same message. */
  #beginning(): readonly PortalRequest[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return [
      { text: BEGIN, portal: '', rows: 0 },
      // The process id must be known while the statement runs, so that it can be cancelled.
      { text: SETTINGS, values: settingsOf(this.#budget), portal: '', rows: 0, isUrgent: this.#pid === undefined },
    ]
  }

  /**
   * Returns the rows of a statement, or throws why it was stopped. Their bytes stay charged until they are `taken`. A
   * request waits while another one is being answered. With `isAll` the transaction ends with it. Throws SluiceError.
   */
  async ask(asking: PortalRequest, isAll = false): Promise<Answer> {
    this.#throwIfStopped()
    // A connection handles one message at a time.
    const asked = this.#tail.then(() => this.#send(asking, isAll))
    this.#tail = asked.catch(() => undefined)
    this.#asked.add(asked)
    try {
      return await asked
    } catch (error) {
      if (error instanceof SluiceError) throw error
      this.#throwIfStopped()
      // The server's time limit is the query's deadline.
      if (codeOf(error) === '57014') throw budgetError('deadline', this.#budget)
      throw statementFailed(error)
    } finally {
      this.#asked.delete(asked)
    }
  }

  async #send(asking: PortalRequest, isAll: boolean): Promise<Answer> {
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

  /** Releases the memory of an answer. */
  taken({ bytes }: Answer): void {
    this.#heldBytes -= bytes
    this.#budget.charge(-bytes)
  }

  /** Closes a statement. With the last one, whatever still runs and the transaction end too. */
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
