import { MessageChannel, type MessagePort } from 'node:worker_threads'
import {
  RESTART_PAUSE_MS,
  MAX_ATTEMPTS,
  CALL_TIMEOUT_MS,
  BUDGET_WATCH_MS,
  SluiceError,
  budgetDiagnostic,
  memoryError,
  nowhere,
} from '../base/index.ts'
import { engineDiagnostic } from '../engine/index.ts'
import { dropBody } from './body.ts'
import { CallerCosts } from './caller-costs.ts'
import { FairQueue } from './fair-queue.ts'
import { Job, type JobRequest, type PooledAnswer } from './job.ts'
import { WorkerPlacement } from './placement.ts'
import type { PoolLines } from './protocol.ts'
import { cores } from './thread.ts'
import { WorkerSlot, type JobNews, type WorkerMessage, type WorkerLoss, type WorkerMemory } from './worker-slot.ts'
import { Workers } from './workers.ts'

export interface WorkerPoolOptions {
  /** The module that the worker threads run. */
  readonly entry: URL
  /** The data that each worker receives at its start. */
  readonly data: unknown
  /** The number of permanent ordinary workers. */
  readonly workers: number
  /** True if there is also a reserved worker; true by default. */
  readonly hasReserved?: boolean
  /** The maximum number of workers at one time; `workers` and the reserved one by default. */
  readonly maxWorkers?: number
  /**
   * The limit of a worker's JavaScript heap in MiB; its buffers have a separate limit of the same size. A worker that
   * needs more is ended.
   */
  readonly heapMiB: number
  /**
   * The maximum number of running jobs, including those whose reader has not taken all sent bytes; unlimited by
   * default.
   */
  readonly runningJobs?: number
  /** The maximum number of running jobs of one caller. */
  readonly runningJobsPerKey?: number
  /**
   * Milliseconds after which a waiting job is refused with the error that `refusal` returns. Time before the first
   * worker was ready does not count.
   */
  readonly waitMs?: number
  readonly refusal?: () => unknown
  /** Milliseconds after a deadline or a cancel until a worker that does not react is ended. */
  readonly graceMs?: number
  /** Returns the message that each worker receives first. `tellAll` sends it again. */
  readonly firstMessage: () => WorkerMessage
  /** Called with the number of every thread that has ended, so that its entries in shared memory can be cleaned up. */
  readonly onExit?: (threadId: number) => void
  /** Called for every worker that was lost, with the reason. */
  readonly onLost?: (why: WorkerLoss, error: unknown) => void
}

/**
 * The default grace period in milliseconds. Together with `BUDGET_WATCH_MS` it is less than the 250 ms by which an
 * answer may be late.
 */
const GRACE_MS = 200
/** A worker that waits for a core gets at most this many times the grace period. */
const STARVED_TIMES = 4
/** The worker of a long job is asked for its memory use once in this many periodic checks. */
const LOOKS_PER_MEMORY = 4
/**
 * An additional worker is started once a job has waited `GROW_WAIT_MS` milliseconds. The additional worker ends after
 * `IDLE_END_MS` milliseconds without work.
 */
const GROW_WAIT_MS = 100
const IDLE_END_MS = 10_000

const lostError = (): SluiceError => new SluiceError([engineDiagnostic('worker-lost', {}, nowhere)])
const cancelledError = (): SluiceError => new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)])

function overdueError({ given, timeoutMs }: Job): SluiceError {
  if (given.signal.aborted) return cancelledError()
  return new SluiceError([budgetDiagnostic('deadline', { timeoutMs }, nowhere)])
}

/** The key of background jobs. */
const BACKGROUND_KEY = ' background'
const never = new AbortController().signal

/** A pool of worker threads that answer jobs, each one job at a time. The README states the policy. */
export class WorkerPool implements PoolLines {
  readonly idle: Int32Array
  readonly #options: Required<Omit<WorkerPoolOptions, 'onLost' | 'onExit'>> &
    Pick<WorkerPoolOptions, 'onLost' | 'onExit'>
  readonly #workers: Workers
  readonly #queue = new FairQueue<Job>()
  readonly #costs = new CallerCosts()
  #nextJob = 1
  #watch: NodeJS.Timeout | undefined
  #lookedMs = 0
  #looks = 0
  #nextStart: NodeJS.Timeout | undefined
  #isClosed = false
  #hasStarted = false
  #failedStarts = 0
  /** The time when the first worker was ready, by `performance.now`. */
  #startedMs = Infinity

  constructor(options: WorkerPoolOptions) {
    this.#options = {
      hasReserved: true,
      maxWorkers: options.workers + (options.hasReserved === false ? 0 : 1),
      graceMs: GRACE_MS,
      runningJobs: Infinity,
      runningJobsPerKey: Infinity,
      waitMs: Infinity,
      refusal: lostError,
      ...options,
    }
    this.#workers = new Workers(this.#options)
    this.idle = new Int32Array(new SharedArrayBuffer(Math.min(options.workers, cores()) * 4))
    this.#startWorker()
  }

  get running(): number {
    return this.#workers.running
  }

  get waiting(): number {
    return this.#queue.size
  }

  runningOf(key: string): number {
    return this.#queue.runningOf(key)
  }

  /** True if all permanent workers have been ready, or one is ready and another could not be loaded. */
  get hasStarted(): boolean {
    return this.#hasStarted
  }

  get readyWorkers(): number {
    return this.#workers.ready
  }

  /** Returns the memory of all ready workers. Workers that are still loading do not answer and are not counted. */
  async memory(): Promise<WorkerMemory> {
    const all = await Promise.all(this.#workers.all.filter(({ isReady }) => isReady).map((slot) => slot.memory()))
    return {
      heapBytes: all.reduce((sum, { heapBytes }) => sum + heapBytes, 0),
      bufferBytes: all.reduce((sum, { bufferBytes }) => sum + bufferBytes, 0),
    }
  }

  /**
   * Lets a worker answer a request. Rejects with `engine/worker-lost`, `budget/memory`, `budget/deadline` or
   * `budget/cancelled` when no worker could. Errors of the request itself are part of an answer.
   */
  answer(request: JobRequest): Promise<PooledAnswer> {
    const job = new Job(request)
    if (this.#isClosed) job.fail(lostError())
    else {
      request.signal.addEventListener('abort', () => this.#cancel(job), { once: true })
      this.#queue.push(job)
      if (request.signal.aborted) this.#cancel(job)
      this.#dispatch()
    }
    return job.answer
  }

  /** Sends the current result of the `firstMessage` option to every worker. */
  tellAll(): void {
    for (const slot of this.#workers.all) slot.tell(this.#options.firstMessage())
  }

  /** Runs the background task whose message is in the port. Closes the port if the task fails. */
  background(port: MessagePort): void {
    const job = { key: BACKGROUND_KEY, request: undefined, port, signal: never, timeoutMs: Infinity }
    this.answer(job).catch(() => port.close())
  }

  connect(worker: number): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#connect(worker, port2)
    return port1
  }

  #connect(worker: number, port: MessagePort): void {
    const slot = this.#workers.all.find(({ id }) => id === worker)
    if (slot === undefined) port.close()
    else slot.connect(port)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#nextStart)
    this.#watchWhileBusy()
    const slots = this.#workers.all
    const ended = slots.map((slot) => slot.end())
    for (const slot of slots) for (const job of slot.jobs.values()) job.fail(lostError())
    for (const job of this.#queue.toArray()) this.#cancel(job)
    await Promise.all(ended)
  }

  #startWorker(): void {
    clearTimeout(this.#nextStart)
    this.#nextStart = undefined
    const { entry, data, heapMiB } = this.#options
    const slot = new WorkerSlot(
      { entry, data, heapMiB, idle: this.idle },
      {
        onStarted: () => {
          if (slot !== this.#workers.reserved) slot.lowerPriority()
          this.#dispatch()
        },
        onReady: () => {
          this.#failedStarts = 0
          this.#startedMs = Math.min(this.#startedMs, performance.now())
          this.#dispatch()
          this.#startNext()
          this.#hasStarted ||= !this.#workers.isLoading
        },
        onMessage: (from, message) => this.#receive(from, message),
        onLine: (worker, port) => this.#connect(worker, port),
        onLost: (lost, why, error) => this.#lose(lost, why, error),
        onExit: (threadId) => this.#options.onExit?.(threadId),
      },
    )
    this.#workers.add(slot)
    slot.tell(this.#options.firstMessage())
  }

  /** Starts the next permanent worker, unless one is loading. The `onReady` of that worker calls this method again. */
  #startNext(): void {
    if (!this.#isClosed && this.#workers.isMissing && !this.#workers.isLoading) this.#startWorker()
  }

  #dispatch(): void {
    for (;;) {
      let slot: WorkerSlot | undefined
      const placement = new WorkerPlacement(this.#workers, this.#queue, this.#costs, this.#options)
      const job = this.#queue.take((candidate) => (slot = placement.slotFor(candidate)) !== undefined)
      if (job === undefined || slot === undefined) break
      job.id = this.#nextJob++
      job.begin()
      slot.run(job)
    }
    this.#noteIdle()
    this.#watchWhileBusy()
  }

  /** Writes the ids of the idle workers, which may take morsels, to shared memory. */
  #noteIdle(): void {
    const busy = this.#workers.active
    const free = this.#workers.ordinary.filter((slot) => slot.isReady && slot.active === undefined)
    for (const index of this.idle.keys()) {
      const isSpare = index + busy < this.idle.length
      Atomics.store(this.idle, index, isSpare ? (free[index]?.id ?? 0) : 0)
    }
  }

  #receive(slot: WorkerSlot, message: JobNews): void {
    const job = slot.jobs.get(message.job)
    if (job === undefined) {
      if (message.kind === 'head') dropBody(message.body)
      else if (message.kind === 'chunk') for (const block of message.blocks) block.free()
      return
    }
    if (job.isMoving) return this.#move(slot, job, message)
    switch (message.kind) {
      case 'head':
        job.head(message.head, message.body, message.isWhole)
        if (!message.isWhole) return
        break
      case 'chunk':
        job.chunk(message.blocks)
        if (!job.isUnread) return
        this.#charge(slot)
        slot.release(job)
        return this.#dispatch()
      case 'end':
        job.end(message)
        break
    }
    this.#charge(slot)
    // The first job of a worker includes compiling code, so its time is not the caller's cost.
    if (slot.hasAnswered) this.#costs.note(job.key, job.workedMs)
    slot.hasAnswered = true
    this.#leave(slot, job)
    this.#dispatch()
  }

  /**
   * Handles messages of a job that was cancelled on the reserved worker. Its output is dropped; at its end the job
   * starts again.
   */
  #move(slot: WorkerSlot, job: Job, message: JobNews): void {
    if (message.kind === 'head') dropBody(message.body)
    else if (message.kind === 'chunk') for (const block of message.blocks) block.free()
    if (message.kind === 'chunk' || (message.kind === 'head' && !message.isWhole)) return
    this.#charge(slot)
    this.#costs.note(job.key, job.workedMs)
    this.#beginAgain(job)
    this.#leave(slot, job)
    this.#dispatch()
  }

  #beginAgain(job: Job): void {
    job.isMoving = false
    if (job.given.signal.aborted) job.fail(cancelledError())
    else if (performance.now() >= job.startedMs + job.timeoutMs) job.fail(overdueError(job))
    else this.#queue.pushFirst(job)
  }

  /** Detaches a job from its worker. */
  #leave(slot: WorkerSlot, job: Job): void {
    slot.jobs.delete(job.id)
    slot.release(job)
    job.post = undefined
    this.#queue.end(job.key)
  }

  /** Charges the worker's recent processor time to the caller of its job. */
  #charge(slot: WorkerSlot): void {
    const ms = slot.measure()
    if (slot.active === undefined) return
    slot.active.workedMs += ms
    this.#queue.used(slot.active.key, ms)
  }

  #cancel(job: Job): void {
    if (this.#queue.remove(job)) job.fail(cancelledError())
    else job.post?.cancel()
  }

  /**
   * Handles the loss of a worker. Answers that have begun end early. The active job is restarted once on another
   * worker, unless it caused the loss or its time is over.
   */
  #lose(slot: WorkerSlot, why: WorkerLoss, error: unknown): void {
    this.#workers.delete(slot)
    const { active } = slot
    for (const job of slot.jobs.values()) {
      if (job === active && why === 'memory') job.fail(memoryError(this.#options.heapMiB * 2 ** 20))
      else if (job.isMoving) this.#beginAgain(job)
      else if (job === active && why === 'unanswered') job.fail(overdueError(job))
      else if (performance.now() >= job.latestMs) job.fail(overdueError(job))
      else if (job.hasHead || job.isSecond || job.given.port !== undefined) job.fail(lostError())
      else {
        job.isSecond = true
        this.#beginAgain(job)
      }
      this.#leave(slot, job)
    }
    if (this.#isClosed) return
    this.#options.onLost?.(why, error)
    if (slot.isReady) this.#startNext()
    else this.#startLater()
    this.#dispatch()
  }

  /**
   * Schedules another attempt to start a worker. The pauses between attempts grow. After several failures without a
   * ready worker, waiting jobs are rejected.
   */
  #startLater(): void {
    this.#failedStarts++
    this.#hasStarted ||= this.readyWorkers > 0
    clearTimeout(this.#nextStart)
    const pauseMs = RESTART_PAUSE_MS * 2 ** Math.min(this.#failedStarts, MAX_ATTEMPTS)
    this.#nextStart = setTimeout(() => this.#startWorker(), pauseMs).unref()
    if (this.#failedStarts < MAX_ATTEMPTS || this.readyWorkers > 0) return
    for (const job of this.#queue.toArray()) if (this.#queue.remove(job)) job.fail(lostError())
  }

  /** Runs the periodic check while there are jobs, or additional workers that have not ended yet. */
  #watchWhileBusy(): void {
    const isBusy = this.#queue.size > 0 || this.running > 0 || this.#workers.hasExtra
    if (isBusy && !this.#isClosed) {
      if (this.#watch === undefined) this.#lookedMs = performance.now()
      this.#watch ??= setInterval(() => this.#look(), BUDGET_WATCH_MS)
      // Jobs must keep the process alive; idle workers must not.
      if (this.#queue.size > 0 || this.running > 0) this.#watch.ref()
      else this.#watch.unref()
    } else {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
  }

  #look(): void {
    const nowMs = performance.now()
    // After a pause of the process, the check runs before the messages of workers arrive. The cap prevents the pause
    // from counting as overdue time.
    const sinceMs = Math.min(nowMs - this.#lookedMs, 2 * BUDGET_WATCH_MS)
    this.#lookedMs = nowMs
    this.#refuseLate(nowMs)
    const asksMemory = this.#looks++ % LOOKS_PER_MEMORY === 0
    for (const slot of this.#workers.all) {
      const { active } = slot
      if (active === undefined) continue
      this.#charge(slot)
      active.timeoutMs = Math.min(active.given.timeoutMs, active.post?.limitMs() ?? Infinity)
      if (this.#isOverdue(active, sinceMs, slot.coreWaitMs, nowMs)) this.#end(slot, 'unanswered')
      else if (active.isLong) {
        if (slot === this.#workers.reserved) this.#freeReserved(active)
        if (asksMemory) void this.#checkMemory(slot, active)
      }
    }
    this.#shrink(nowMs)
    this.#growFor(nowMs)
    this.#dispatch()
  }

  /** True if a worker should have ended the job by itself. A worker that had no core gets more time. */
  #isOverdue(job: Job, sinceMs: number, coreWaitMs: number, nowMs: number): boolean {
    if (nowMs <= job.latestMs) return false
    const { graceMs } = this.#options
    job.overdueMs += Math.min(sinceMs, nowMs - job.latestMs)
    job.overdueOnCoreMs += Math.max(0, Math.min(sinceMs, nowMs - job.latestMs) - coreWaitMs)
    return job.overdueOnCoreMs > graceMs || job.overdueMs > STARVED_TIMES * graceMs
  }

  /**
   * Restarts a long job of the reserved worker on another worker. If its answer has begun, the worker becomes an
   * ordinary one instead.
   */
  #freeReserved(job: Job): void {
    if (job.isMoving) return
    if (!job.hasHead) {
      job.isMoving = true
      job.wasLong = true
      job.post?.cancel()
    } else if (!this.#workers.hasMostOrdinary) {
      this.#workers.release()
      this.#startNext()
    }
  }

  #refuseLate(nowMs: number): void {
    const { waitMs, refusal } = this.#options
    for (const job of this.#queue.toArray()) {
      const sinceMs = Math.max(job.queuedMs, Math.min(this.#startedMs, job.queuedMs + CALL_TIMEOUT_MS))
      if (job.startedMs !== Infinity || job.given.port !== undefined || nowMs - sinceMs <= waitMs) continue
      if (this.#queue.remove(job)) job.fail(refusal())
    }
  }

  #growFor(nowMs: number): void {
    // When jobs are short, more workers than cores only slow each of them down.
    if (this.#workers.hasMostOrdinary || this.#workers.isLoading || !this.#workers.areAllLong) return
    const mayRun = ({ given }: Job): boolean => given.port === undefined || this.#queue.runningOf(BACKGROUND_KEY) === 0
    const isLate = (job: Job): boolean => nowMs - job.queuedMs >= GROW_WAIT_MS && mayRun(job)
    if (this.#queue.toArray().some(isLate)) this.#startWorker()
  }

  #shrink(nowMs: number): void {
    for (const slot of this.#workers.ordinary) {
      if (!this.#workers.hasExtra) return
      if (!slot.isReady || slot.jobs.size > 0 || nowMs - slot.idleSinceMs < IDLE_END_MS) continue
      this.#workers.delete(slot)
      void slot.end()
    }
  }

  #end(slot: WorkerSlot, why: WorkerLoss): void {
    void slot.end()
    this.#lose(slot, why, undefined)
  }

  /** Ends a worker whose buffers exceed the limit. The heap has a hard limit of its own. */
  async #checkMemory(slot: WorkerSlot, job: Job): Promise<void> {
    const { bufferBytes } = await slot.memory()
    if (bufferBytes > this.#options.heapMiB * 2 ** 20 && slot.active === job && !slot.isLost) this.#end(slot, 'memory')
  }
}
