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
import { Placement } from './placement.ts'
import type { PoolLines } from './protocol.ts'
import { cores } from './thread.ts'
import { WorkerSlot, type JobNews, type Told, type WorkerLoss, type WorkerMemory } from './worker-slot.ts'
import { Workers } from './workers.ts'

export interface PoolOptions {
  /** The module that the worker threads run. */
  readonly entry: URL
  /** What each of them is started with. */
  readonly data: unknown
  /** Ordinary workers that stay. */
  readonly workers: number
  /** Whether there is a reserved worker beside them; true unless given. */
  readonly hasReserved?: boolean
  /** Most workers at one time; `workers` and the reserved one unless given. */
  readonly maxWorkers?: number
  /** Limit of a worker's JavaScript heap, and of its buffers beside that; a worker that needs more ends. */
  readonly heapMiB: number
  /** Jobs that have begun, those included whose reader has yet to take what was sent; unlimited unless given. */
  readonly runningJobs?: number
  /** The same of one caller. */
  readonly runningJobsPerKey?: number
  /** A job that has waited this long is refused with what `refusal` returns, milliseconds; time before the first worker was ready does not count. */
  readonly waitMs?: number
  readonly refusal?: () => unknown
  /** Time beyond a deadline or a cancel before a worker that does not answer is ended, milliseconds. */
  readonly graceMs?: number
  /** Makes the message that a worker gets first, and again on `tellAll`. */
  readonly told: () => Told
  /** Called for every thread that has ended, with its number: what it left in shared memory is to be put right. */
  readonly onExit?: (threadId: number) => void
  /** Called for every worker that was lost. */
  readonly onLost?: (why: WorkerLoss, error: unknown) => void
}

/** Together with `BUDGET_WATCH_MS` it is less than the 250 ms that an answer may be late. */
const GRACE_MS = 200
/** A worker that waits for a core is given at most this many times the grace period. */
const STARVED_TIMES = 4
/** Looks between two questions for the memory of a worker whose job is long. */
const LOOKS_PER_MEMORY = 4
/** A worker beyond the usual number is started for a job that has waited this long, and ends after it was idle this long, milliseconds. */
const GROW_WAIT_MS = 100
const IDLE_END_MS = 10_000

const lostError = (): SluiceError => new SluiceError([engineDiagnostic('worker-lost', {}, nowhere)])
const cancelledError = (): SluiceError => new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)])

function overdueError({ given, timeoutMs }: Job): SluiceError {
  if (given.signal.aborted) return cancelledError()
  return new SluiceError([budgetDiagnostic('deadline', { timeoutMs }, nowhere)])
}

/** The caller of background jobs. */
const BACKGROUND_KEY = ' background'
const never = new AbortController().signal

/** Worker threads that answer jobs, one job each at a time. The README states the policy. */
export class WorkerPool implements PoolLines {
  readonly idle: Int32Array
  readonly #options: Required<Omit<PoolOptions, 'onLost' | 'onExit'>> & Pick<PoolOptions, 'onLost' | 'onExit'>
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
  /** When a worker was ready first. */
  #startedMs = Infinity

  constructor(options: PoolOptions) {
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

  /** Whether all workers that stay have been ready, or one is and another could not be loaded. */
  get hasStarted(): boolean {
    return this.#hasStarted
  }

  get readyWorkers(): number {
    return this.#workers.ready
  }

  /** What all workers take that are ready; one that is being loaded does not answer. */
  async memory(): Promise<WorkerMemory> {
    const all = await Promise.all(this.#workers.all.filter(({ isReady }) => isReady).map((slot) => slot.memory()))
    return {
      heapBytes: all.reduce((sum, { heapBytes }) => sum + heapBytes, 0),
      bufferBytes: all.reduce((sum, { bufferBytes }) => sum + bufferBytes, 0),
    }
  }

  /**
   * Has a worker answer. Rejects with `engine/worker-lost`, `budget/memory`, `budget/deadline` or `budget/cancelled` where no worker
   * could; errors of the request itself are part of an answer.
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

  /** Sends every worker a new message of `told`. */
  tellAll(): void {
    for (const slot of this.#workers.all) slot.tell(this.#options.told())
  }

  /** Runs the background task that waits in a port. The port closes where that comes to nothing. */
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
    slot.tell(this.#options.told())
  }

  /** Starts the next of the usual workers, unless one is being loaded: its `onReady` comes back here. */
  #startNext(): void {
    if (!this.#isClosed && this.#workers.isMissing && !this.#workers.isLoading) this.#startWorker()
  }

  #dispatch(): void {
    for (;;) {
      let slot: WorkerSlot | undefined
      const placement = new Placement(this.#workers, this.#queue, this.#costs, this.#options)
      const job = this.#queue.take((candidate) => (slot = placement.slotFor(candidate)) !== undefined)
      if (job === undefined || slot === undefined) break
      job.id = this.#nextJob++
      job.begin()
      slot.run(job)
    }
    this.#noteIdle()
    this.#watchWhileBusy()
  }

  /** Names the workers that may take morsels. */
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
    // The first job of a worker compiles what it runs, which says nothing about its caller.
    if (slot.hasAnswered) this.#costs.note(job.key, job.workedMs)
    slot.hasAnswered = true
    this.#leave(slot, job)
    this.#dispatch()
  }

  /** Of a job that was told to end on the reserved worker nothing but its end counts; then it begins again. */
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

  /** A job has left its worker. */
  #leave(slot: WorkerSlot, job: Job): void {
    slot.jobs.delete(job.id)
    slot.release(job)
    job.post = undefined
    this.#queue.end(job.key)
  }

  /** What a worker has used of the processor was used for the caller of its job. */
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

  /** What was answered in part breaks off; the job that ran begins again elsewhere, once, unless it is to blame or out of time. */
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

  /** Tries again to start a worker, with growing pauses; jobs do not wait for it for ever. */
  #startLater(): void {
    this.#failedStarts++
    this.#hasStarted ||= this.readyWorkers > 0
    clearTimeout(this.#nextStart)
    const pauseMs = RESTART_PAUSE_MS * 2 ** Math.min(this.#failedStarts, MAX_ATTEMPTS)
    this.#nextStart = setTimeout(() => this.#startWorker(), pauseMs).unref()
    if (this.#failedStarts < MAX_ATTEMPTS || this.readyWorkers > 0) return
    for (const job of this.#queue.toArray()) if (this.#queue.remove(job)) job.fail(lostError())
  }

  /** Also while there are more workers than usual, until those have ended. */
  #watchWhileBusy(): void {
    const isBusy = this.#queue.size > 0 || this.running > 0 || this.#workers.hasExtra
    if (isBusy && !this.#isClosed) {
      if (this.#watch === undefined) this.#lookedMs = performance.now()
      this.#watch ??= setInterval(() => this.#look(), BUDGET_WATCH_MS)
      // Idle workers do not keep the process running; jobs do.
      if (this.#queue.size > 0 || this.running > 0) this.#watch.ref()
      else this.#watch.unref()
    } else {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
  }

  #look(): void {
    const nowMs = performance.now()
    // After a pause of the process the first look comes before the messages of the workers, so that the pause does not count.
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

  /** Whether a worker should have ended the job of itself; a worker that had no core for it is given longer. */
  #isOverdue(job: Job, sinceMs: number, coreWaitMs: number, nowMs: number): boolean {
    if (nowMs <= job.latestMs) return false
    const { graceMs } = this.#options
    job.overdueMs += Math.min(sinceMs, nowMs - job.latestMs)
    job.overdueOnCoreMs += Math.max(0, Math.min(sinceMs, nowMs - job.latestMs) - coreWaitMs)
    return job.overdueOnCoreMs > graceMs || job.overdueMs > STARVED_TIMES * graceMs
  }

  /** A long job on the reserved worker begins again on another one. If its answer has begun, its worker becomes an ordinary one instead. */
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
    // Where jobs are short, more workers than cores only make each of them slower.
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

  /** The heap of a worker has a hard limit; its buffers have this one. */
  async #checkMemory(slot: WorkerSlot, job: Job): Promise<void> {
    const { bufferBytes } = await slot.memory()
    if (bufferBytes > this.#options.heapMiB * 2 ** 20 && slot.active === job && !slot.isLost) this.#end(slot, 'memory')
  }
}
