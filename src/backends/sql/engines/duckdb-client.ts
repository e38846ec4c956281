import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BUDGET_WATCH_MS,
  Budget,
  CALL_TIMEOUT_MS,
  FIRST_RETRY_MS,
  InvariantError,
  RESPONSE_TIMEOUT_MS,
  SluiceError,
  nowhere,
  present,
} from '../../../base/index.ts'
import { sqlDiagnostic } from '../diagnostics.ts'
import { duckdb } from '../dialects/duckdb.ts'
import type { FromEngine, ToEngine } from '../drivers/engine-messages.ts'
import { FrameSocket } from '../drivers/frames.ts'
import { unpackBatch } from '../drivers/packed-batch.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import type {
  ForeignBatch,
  ForeignColumn,
  ForeignEngine,
  ForeignRun,
  ForeignSource,
  ForeignStatement,
} from '../foreign/engine.ts'
import { MAX_IDLE_CONNECTIONS, CALL_MEMORY_BYTES } from '../tuning.ts'

/** Thrown when the process that had the database open has ended or does not exist. */
class ProcessGone extends Error {}

interface EngineReply {
  readonly message: FromEngine
  readonly bytes: number
}

/** A socket connection to the process that has the database open, for one call at a time. */
class Line {
  readonly #frames: FrameSocket
  readonly #answers: EngineReply[] = []
  #waiter: PromiseWithResolvers<EngineReply> | undefined
  /** The budget of the running call. An arriving message is charged before memory is allocated for it. */
  #budget: Budget | undefined
  #heldBytes = 0
  #comingBytes = 0
  #error: unknown

  constructor(path: string) {
    this.#frames = new FrameSocket(connect(path), {
      onMessage: (message) => this.#take(message as FromEngine),
      onLength: (bytes) => {
        this.#heldBytes += bytes
        this.#comingBytes = bytes
        this.#budget?.charge(bytes)
      },
      onClose: (error) => {
        this.#error ??= error ?? new ProcessGone()
        this.#waiter?.reject(this.#error)
      },
    })
  }

  /**
   * Resolves when the process has sent its greeting. Rejects with the reason if the connection was ended, and with
   * ProcessGone if no process listens.
   */
  async greeted(): Promise<void> {
    const { message } = await this.answer()
    if (message.kind !== 'hello') throw new InvariantError('a process of a database that does not greet')
    this.#heldBytes = 0
  }

  get isOpen(): boolean {
    return !this.#frames.isEnded
  }

  begin(call: ToEngine, budget: Budget): void {
    this.#budget = budget
    this.#frames.hold(true)
    this.send(call)
  }

  send(message: ToEngine): void {
    this.#frames.send(message)
  }

  /**
   * Resolves to the next message. Rejects with the reason if the connection was ended, and with ProcessGone if the
   * process ends.
   */
  answer(): Promise<EngineReply> {
    const found = this.#answers.shift()
    if (found !== undefined) return Promise.resolve(found)
    this.#waiter = Promise.withResolvers()
    if (this.#error !== undefined) this.#waiter.reject(this.#error)
    return this.#waiter.promise
  }

  /** Releases memory of messages that have been read: `bytes`, or all that is charged. */
  release(bytes = this.#heldBytes): void {
    this.#budget?.charge(-bytes)
    this.#heldBytes -= bytes
  }

  rest(): void {
    this.release()
    this.#budget = undefined
    this.#frames.hold(false)
  }

  end(error?: unknown): void {
    this.#error ??= error
    this.#frames.end(error)
    this.#waiter?.reject(this.#error)
  }

  #take(message: FromEngine): void {
    const waiter = this.#waiter
    this.#waiter = undefined
    const answer: EngineReply = { message, bytes: this.#comingBytes }
    if (waiter === undefined) this.#answers.push(answer)
    else waiter.resolve(answer)
  }
}

function failedError({ reason, diagnostics }: Extract<FromEngine, { kind: 'failed' }>): SluiceError {
  return new SluiceError(diagnostics ?? [foreignDiagnostic('statement-failed', { engine: 'DuckDB', reason }, nowhere)])
}

function diedError(): SluiceError {
  return new SluiceError([sqlDiagnostic('process-died', { signal: 'SIGKILL' }, nowhere)])
}

/**
 * An engine for a DuckDB that another process has open, reached through a socket. This process is not harmed if the
 * other one ends.
 */
class DuckdbClient implements ForeignEngine {
  readonly name = 'duckdb'
  readonly dialect = duckdb
  readonly #path: string
  readonly #awayMs: number
  readonly #idle: Line[] = []
  #isClosed = false

  constructor(path: string, awayMs: number) {
    this.#path = path
    this.#awayMs = awayMs
  }

  describe(source: ForeignSource): Promise<readonly ForeignColumn[]> {
    return this.#value({ kind: 'describe', source })
  }

  settle(source: ForeignSource): Promise<ForeignSource> {
    return this.#value({ kind: 'settle', source })
  }

  explain(statement: ForeignStatement): Promise<readonly string[]> {
    return this.#value({ kind: 'explain', statement })
  }

  async *run(statement: ForeignStatement, options: ForeignRun): AsyncIterable<ForeignBatch> {
    const { budget, batchRows } = options
    const call = (): ToEngine => {
      const { limits, remainingMs } = budget
      return { kind: 'run', statement, batchRows, limits, remainingMs }
    }
    for await (const answer of this.#answers(call, budget)) {
      if (answer.kind !== 'batch') return
      yield unpackBatch(answer.batch) as ForeignBatch
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#endIdle()
  }

  #endIdle(): void {
    for (const line of this.#idle.splice(0)) line.end()
  }

  async #value<T>(call: ToEngine): Promise<T> {
    const limits = { memoryBytes: CALL_MEMORY_BYTES, timeoutMs: CALL_TIMEOUT_MS, scanRows: Infinity }
    const budget = new Budget(limits, () => performance.now())
    for await (const answer of this.#answers(() => call, budget)) if (answer.kind === 'value') return answer.value as T
    throw diedError()
  }

  /**
   * Makes a call and yields its answers. If the process ends before the first answer, the call is repeated once. Throws
   * `sql/process-died` and `budget/…`.
   */
  async *#answers(call: () => ToEngine, budget: Budget): AsyncIterable<FromEngine> {
    for (let isAgain = false; ; isAgain = true) {
      let hasGiven = false
      budget.checkpoint()
      try {
        for await (const answer of this.#call(call(), budget)) {
          hasGiven = true
          yield answer
        }
        return
      } catch (error) {
        if (!(error instanceof ProcessGone)) throw error
        // All idle connections lead to the ended process, although some of them may not have closed yet.
        this.#endIdle()
        // Another call may have ended the process, so this call is repeated once.
        if (hasGiven || isAgain || this.#isClosed) throw diedError()
      }
    }
  }

  /**
   * Makes a call and yields its answers. If the caller stops early, the call ends in the other process too. Throws
   * ProcessGone and `budget/…`.
   */
  async *#call(call: ToEngine, budget: Budget): AsyncIterable<FromEngine> {
    let line: Line | undefined
    const check = (): void => {
      try {
        budget.checkpoint()
      } catch (error) {
        line?.end(error)
      }
    }
    const forget = budget.onCancel(check)
    const watch = setInterval(check, BUDGET_WATCH_MS)
    let isDone = false
    try {
      await this.#connect(budget, (next) => (line = next))
      const open = present(line)
      open.begin(call, budget)
      while (!isDone) {
        const { message, bytes } = await open.answer()
        isDone = message.kind !== 'batch'
        if (message.kind === 'failed') throw failedError(message)
        yield message
        open.release(bytes)
        if (!isDone) open.send({ kind: 'next' })
      }
    } finally {
      clearInterval(watch)
      forget()
      line?.rest()
      if (isDone && line?.isOpen === true && !this.#isClosed && this.#idle.length < MAX_IDLE_CONNECTIONS)
        this.#idle.push(line)
      else line?.end()
    }
  }

  /** Opens a connection. `use` receives each attempted connection, so that the caller can end it during the attempt. */
  async #connect(budget: Budget, use: (line: Line) => void): Promise<void> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) if (idle.isOpen) return use(idle)
    const sinceMs = performance.now()
    for (;;) {
      budget.checkpoint()
      const line = new Line(this.#path)
      use(line)
      try {
        await line.greeted()
        return
      } catch (error) {
        const isOver = this.#isClosed || performance.now() - sinceMs > this.#awayMs
        if (isOver || !(error instanceof ProcessGone)) throw error
        await sleep(FIRST_RETRY_MS)
      }
    }
  }
}

/**
 * Makes an engine for a DuckDB in another process that listens at the socket `path`. If that process has ended, the
 * client waits up to `awayMs` for its replacement.
 */
export function duckdbClient(path: string, awayMs = RESPONSE_TIMEOUT_MS): ForeignEngine {
  return new DuckdbClient(path, awayMs)
}
