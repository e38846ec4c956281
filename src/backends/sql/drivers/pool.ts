import { BUDGET_WATCH_MS, SluiceError, memoryError, nowhere, type Budget } from '../../../base/index.ts'
import type { RawBatch } from '../decode-rows.ts'
import { sqlDiagnostic } from '../diagnostics.ts'
import { toPlain } from '../statement/programs.ts'
import { StaleStatement, type RunRequest, type SqlDriver } from './driver.ts'
import type { FromChild } from './messages.ts'
import { unpackBatch } from './packed-batch.ts'
import { ProcessGone, WorkerProcess } from './worker-process.ts'
import { PROCESS_SLACK_BYTES } from '../tuning.ts'

export interface ProcessPoolOptions {
  readonly path: string
  /** Number of child processes. Each runs one statement at a time; further statements wait. */
  readonly size: number
}

interface Waiting {
  readonly deliver: (worker: WorkerProcess) => void
  readonly refuse: (error: unknown) => void
}

/**
 * Runs statements in a pool of child processes. If a statement must stop or exceeds its memory, its process is killed
 * and replaced at once.
 */
export class ProcessPool implements SqlDriver {
  readonly needsCheckpoints = false
  readonly #options: ProcessPoolOptions
  readonly #idle: WorkerProcess[] = []
  readonly #all = new Set<WorkerProcess>()
  readonly #waiting: Waiting[] = []
  readonly #killAll = (): void => {
    for (const worker of this.#all) worker.kill()
  }
  #isClosed = false

  constructor(options: ProcessPoolOptions) {
    this.#options = options
    process.once('exit', this.#killAll)
  }

  /** Starts the processes before they are needed. */
  warmUp(): void {
    while (!this.#isClosed && this.#all.size < this.#options.size) this.#start()
  }

  async *run(request: RunRequest, budget: Budget): AsyncIterable<RawBatch> {
    const worker = await this.#take(budget)
    let isBetweenBatches = false
    let isDone = false
    try {
      const { parameters, ...rest } = request
      worker.send({ kind: 'run', request: rest, parameters: toPlain(parameters) })
      while (true) {
        const message = await watched(worker, budget)
        if (message.kind !== 'batch') {
          isDone = true
          finish(message)
          return
        }
        isDone = message.isLast
        isBetweenBatches = true
        yield unpackBatch(message.batch) as RawBatch
        if (isDone) return
        budget.checkpoint()
        isBetweenBatches = false
        worker.send({ kind: 'next' })
      }
    } catch (error) {
      throw error instanceof ProcessGone
        ? new SluiceError([sqlDiagnostic('process-died', { signal: error.signal }, nowhere)])
        : error
    } finally {
      if (!isDone && isBetweenBatches) isDone = await stop(worker)
      if (!isDone) worker.kill()
      this.#giveBack(worker, isDone)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    process.off('exit', this.#killAll)
    this.#killAll()
    this.#all.clear()
  }

  #start(): void {
    const worker = new WorkerProcess(this.#options.path)
    this.#all.add(worker)
    worker.hold(false)
    worker.answer().then(
      (message) => {
        if (message.kind === 'ready') {
          worker.idleBytes = worker.memoryBytes() ?? 0
          this.#offer(worker)
          return
        }
        // The file cannot be opened: waiting callers get the error, and the next statement starts another process.
        worker.kill()
        this.#all.delete(worker)
        try {
          finish(message)
        } catch (error) {
          for (const { refuse } of this.#waiting.splice(0)) refuse(error)
        }
      },
      () => this.#all.delete(worker),
    )
  }

  #offer(worker: WorkerProcess): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(worker)
    else next.deliver(worker)
  }

  #giveBack(worker: WorkerProcess, isReusable: boolean): void {
    worker.hold(false)
    if (isReusable && worker.isAlive) {
      this.#offer(worker)
      return
    }
    this.#all.delete(worker)
    this.warmUp()
  }

  async #take(budget: Budget): Promise<WorkerProcess> {
    this.warmUp()
    const idle = this.#idle.pop()
    const worker = idle ?? (await this.#wait(budget))
    worker.hold(true)
    return worker
  }

  #wait(budget: Budget): Promise<WorkerProcess> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearInterval(timer)
        forget()
      }
      const deliver = (worker: WorkerProcess): void => {
        end()
        resolve(worker)
      }
      const refuse = (error: unknown): void => {
        end()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
      const check = (): void => {
        try {
          budget.checkpoint()
        } catch (error) {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
          refuse(error)
        }
      }
      const waiting: Waiting = { deliver, refuse }
      this.#waiting.push(waiting)
      const timer = setInterval(check, BUDGET_WATCH_MS)
      let forget = (): void => undefined
      forget = budget.onCancel(check)
    })
  }
}

/**
 * Resolves to the next answer of a process. Kills the process if the budget runs out first. Throws SluiceError
 * `budget/…` and ProcessGone.
 */
async function watched(worker: WorkerProcess, budget: Budget): Promise<FromChild> {
  const { promise: limit, reject } = Promise.withResolvers<never>()
  const check = (): void => {
    try {
      budget.checkpoint()
      checkMemory(worker, budget)
    } catch (error) {
      worker.kill()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const timer = setInterval(check, BUDGET_WATCH_MS)
  const forget = budget.onCancel(check)
  try {
    return await Promise.race([worker.answer(), limit])
  } finally {
    clearInterval(timer)
    forget()
  }
}

function checkMemory(worker: WorkerProcess, budget: Budget): void {
  const { memoryBytes } = budget.limits
  const used = (worker.memoryBytes() ?? 0) - worker.idleBytes
  if (used > memoryBytes + PROCESS_SLACK_BYTES) throw memoryError(memoryBytes)
}

/** Ends the running statement between two batches. Returns false if its process has ended. */
async function stop(worker: WorkerProcess): Promise<boolean> {
  worker.send({ kind: 'stop' })
  return worker.answer().then(
    () => true,
    () => false,
  )
}

function finish(message: FromChild): void {
  if (message.kind === 'stale') throw new StaleStatement()
  if (message.kind === 'failed' && message.diagnostics !== undefined) throw new SluiceError(message.diagnostics)
  if (message.kind === 'failed')
    throw new SluiceError([sqlDiagnostic('statement-failed', { code: message.code }, nowhere)])
}
