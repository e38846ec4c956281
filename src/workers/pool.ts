import { SluiceError, budgetDiagnostic, memoryError, nowhere } from '../base/index.ts'
import { engineDiagnostic } from '../engine/index.ts'
import { dropBody } from './body.ts'
import { FairQueue } from './fair-queue.ts'
import { Job, type JobRequest, type PooledAnswer } from './job.ts'
import { KeyWork } from './key-work.ts'
import { placeFor } from './placing.ts'
import { STALLED_MS, Seat, type JobNews, type SeatLoss, type Told } from './seat.ts'

export interface PoolOptions {
  /** The file that the worker threads run. */
  readonly entry: URL
  /** What each is started with. */
  readonly data: unknown
  /** Threads that answer; one more is ready to take the place of any. */
  readonly workers: number
  /** So many of them are started at once, the others at rest or when there is more than one job; all unless given. */
  readonly atFirst?: number
  /** Of JavaScript objects, and of buffers beside them; what needs more ends its worker. */
  readonly heapMiB: number
  /** Jobs that share a worker by turns; one key has all but one of the places at most. */
  readonly jobsPerWorker?: number
  /** Jobs that run at the same time, those included whose reader has yet to take what was sent; any number unless given. */
  readonly runningJobs?: number
  /** Those of one key. */
  readonly runningJobsPerKey?: number
  /** A job that nobody has begun for so long since a worker was ready is refused, milliseconds, with what `refusal` gives. */
  readonly waitMs?: number
  readonly refusal?: () => unknown
  /** What a worker may take beyond a deadline or a cancel before it is ended, milliseconds. */
  readonly graceMs?: number
  /** What a worker is told first, and again by `tellAll`. */
  readonly told: () => Told
  /** Told of every worker that was lost. */
  readonly onLost?: (why: SeatLoss, error: unknown) => void
  /** Told when all threads are ready, the one to spare too, and none has a job: what may be done before somebody waits for it. */
  readonly onRest?: () => void
}

const JOBS_PER_WORKER = 4
/** With the time between two looks it is less than the 250 ms that an answer may be late. */
const GRACE_MS = 200
/** A worker that had less than such a part of a core is given so many times as long. */
const STARVED_TIMES = 4
/** How often workers are looked at while there are jobs, milliseconds. */
const WATCH_MS = 25
/** How many looks pass from one question for the memory of a silent worker to the next. */
const LOOKS_PER_MEMORY = 4
/** After so long what it has begun beside the job that holds it is begun anew elsewhere; jobs of lighter keys sooner. */
const STUCK_MS = 250
const STUCK_LIGHT_MS = 50

/** What the first worker may take to be ready before jobs that wait for it are refused as others are. */
const STARTING_MS = 60_000
/** When so many workers in a row did not start, and there are no others, requests are refused. */
const MAX_FAILED_STARTS = 5
const START_PAUSE_MS = 200

/**
 * To load a worker takes a quarter of a second of a core, which the first jobs would wait for: others than those that are started
 * at once come when a look finds no job, a while after these were ready, after so many busy looks at the latest, or when a worker is silent.
 */
const GROWTH_PAUSE_MS = 250
const BUSY_LOOKS = 1
/** The same of the one to spare. */
const SPARE_BUSY_LOOKS = 8

function lostError(): SluiceError {
  return new SluiceError([engineDiagnostic('worker-lost', {}, nowhere)])
}

function cancelledError(): SluiceError {
  return new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)])
}

function overdueError({ cancelledMs, timeoutMs }: Job): SluiceError {
  if (cancelledMs !== undefined) return cancelledError()
  return new SluiceError([budgetDiagnostic('deadline', { timeoutMs }, nowhere)])
}

/**
 * Worker threads that answer jobs. A worker that does not answer in time, or needs more memory than it may have, is ended; its
 * place is taken by one that is ready. What ran on it beside runs again elsewhere, once.
 */
export class WorkerPool {
  readonly #options: Required<Omit<PoolOptions, 'onLost' | 'onRest'>> & Pick<PoolOptions, 'onLost' | 'onRest'>
  readonly #seats = new Set<Seat>()
  readonly #queue = new FairQueue<Job>()
  readonly #work = new KeyWork()
  #lookedMs = 0
  #nextJob = 1
  #watch: NodeJS.Timeout | undefined
  #isClosed = false
  #failedStarts = 0
  /** When a worker was ready first. */
  #startedMs = Infinity
  #looks = 0
  /** How many threads there are to be by now, the one to spare included. */
  #wanted: number
  #isGrowing = false

  constructor(options: PoolOptions) {
    this.#options = {
      jobsPerWorker: JOBS_PER_WORKER,
      graceMs: GRACE_MS,
      runningJobs: Infinity,
      runningJobsPerKey: Infinity,
      waitMs: Infinity,
      refusal: lostError,
      atFirst: options.workers,
      ...options,
    }
    this.#wanted = Math.min(this.#options.atFirst, options.workers)
    this.#refill()
  }

  get running(): number {
    return [...this.#seats].reduce((sum, { jobs }) => sum + jobs.size, 0)
  }

  get waiting(): number {
    return this.#queue.size
  }

  runningOf(key: string): number {
    return this.#queue.runningOf(key)
  }

  /** Whether a thread has been ready. */
  get hasStarted(): boolean {
    return this.#startedMs !== Infinity
  }

  /** Threads that are loaded. */
  get readyWorkers(): number {
    return [...this.#seats].filter(({ isReady }) => isReady).length
  }

  /**
   * Has a worker answer. Rejects with `engine/worker-lost`, `budget/memory`, `budget/deadline` or `budget/cancelled` when that
   * came to nothing; what the request itself did wrong is part of an answer.
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

  /** Tells every worker anew, each by a `told` of its own. */
  tellAll(): void {
    for (const seat of this.#seats) seat.tell(this.#options.told())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watchWhileBusy()
    const seats = [...this.#seats]
    const ended = seats.map((seat) => seat.end())
    for (const seat of seats) for (const job of seat.jobs.values()) job.fail(lostError())
    for (const job of this.#queue.toArray()) this.#cancel(job)
    await Promise.all(ended)
  }

  /** Starts workers until there are as many as there should be, and once they are ready one to spare. */
  #refill(): void {
    const { workers } = this.#options
    for (const seat of [...this.#seats].slice(0, workers)) if (seat.isReady) seat.putBehind()
    if (this.#wanted <= workers && this.readyWorkers >= this.#wanted) this.#growLater()
    if (this.readyWorkers > workers && this.running === 0) this.#options.onRest?.()
    // The one to spare is the last, so that it does not take a core from those that jobs wait for.
    const wanted = this.readyWorkers >= workers ? this.#wanted : Math.min(this.#wanted, workers)
    while (!this.#isClosed && this.#seats.size < wanted) {
      const { entry, data, heapMiB } = this.#options
      const seat = new Seat(
        { entry, data, heapMiB },
        {
          onReady: () => {
            this.#failedStarts = 0
            this.#startedMs = Math.min(this.#startedMs, performance.now())
            this.#refill()
            this.#dispatch()
          },
          onMessage: (from, message) => this.#take(from, message),
          onLost: (lost, why, error) => this.#lose(lost, why, error),
        },
      )
      this.#seats.add(seat)
      seat.tell(this.#options.told())
    }
  }

  #growLater(): void {
    if (this.#isGrowing) return
    this.#isGrowing = true
    const { workers } = this.#options
    const look = (busyLooks: number): void => {
      setTimeout(() => {
        if (this.running > 0 && busyLooks > 0) return look(busyLooks - 1)
        this.#isGrowing = false
        // Others may have been started meanwhile; what comes behind them waits until they are ready.
        if (this.readyWorkers >= this.#wanted) this.#grow(this.#wanted < workers ? workers : workers + 1)
      }, GROWTH_PAUSE_MS).unref()
    }
    look(this.#wanted < workers ? BUSY_LOOKS : SPARE_BUSY_LOOKS)
  }

  #grow(wanted: number): void {
    if (this.#wanted >= wanted) return
    this.#wanted = wanted
    this.#refill()
  }

  #dispatch(): void {
    for (;;) {
      let seat: Seat | undefined
      const job = this.#queue.take((candidate) => (seat = this.#seatFor(candidate)) !== undefined)
      if (job === undefined || seat === undefined) break
      this.#start(job, seat)
    }
    if (this.running + this.waiting > 1) this.#grow(this.#options.workers)
    this.#watchWhileBusy()
  }

  #start(job: Job, seat: Seat): void {
    job.id = this.#nextJob++
    job.startedMs = performance.now()
    job.overWorkMs = 0
    job.overMs = 0
    this.#work.begin(job.key, job.startedMs)
    seat.run(job)
  }

  #seatFor(job: Job): Seat | undefined {
    const { workers, jobsPerWorker, runningJobs, runningJobsPerKey } = this.#options
    if (this.running >= runningJobs || this.#queue.runningOf(job.key) >= runningJobsPerKey) return undefined
    const nowMs = performance.now()
    const places = [...this.#seats].filter(({ isReady }) => isReady)
    const isHeavier = (other: string, key: string): boolean => this.#isHeavier(other, key, nowMs)
    const isLight = (key: string): boolean => this.#work.isLight(key, nowMs)
    const isHeavyKey = (key: string): boolean => this.#work.isHeavy(key, (of) => this.#queue.countOf(of), nowMs)
    return placeFor(job, places, { workers, jobsPerWorker, isHeavier, isLight, isHeavyKey })
  }

  #isHeavier(other: string, key: string, nowMs: number): boolean {
    return this.#work.isHeavier(other, key, (of) => this.#queue.countOf(of), nowMs)
  }

  #take(seat: Seat, message: JobNews): void {
    const job = seat.jobs.get(message.job)
    if (job === undefined) {
      if (message.kind === 'head') dropBody(message.body)
      else if (message.kind === 'chunk') for (const block of message.blocks) block.free()
      return
    }
    switch (message.kind) {
      case 'head':
        job.head(message.head, message.body, message.isWhole)
        if (!message.isWhole) return
        this.#work.end(job.key, performance.now())
        break
      case 'chunk':
        job.chunk(message.blocks)
        return
      case 'end':
        job.end(message)
        this.#work.end(job.key, performance.now())
        break
      case 'withdrawn':
        break
    }
    this.#leave(seat, job)
    this.#dispatch()
  }

  /** A job has left its worker. */
  #leave(seat: Seat, job: Job): void {
    seat.jobs.delete(job.id)
    job.post = undefined
    this.#queue.end(job.key)
  }

  #cancel(job: Job): void {
    if (this.#queue.remove(job)) job.fail(cancelledError())
    else job.post?.cancel()
  }

  #again(job: Job): void {
    if (job.given.signal.aborted) job.fail(cancelledError())
    else this.#queue.pushFirst(job)
  }

  /** What a lost worker had: what has begun to answer, was lost before, or is beyond its time ends; the rest goes on elsewhere. */
  #lose(seat: Seat, why: SeatLoss, error: unknown, unanswered: ReadonlySet<Job> = new Set()): void {
    this.#seats.delete(seat)
    const jobs = [...seat.jobs.values()]
    const isAlone = jobs.filter(({ isUnread }) => !isUnread).length === 1
    const nowMs = performance.now()
    for (const job of jobs) {
      if (unanswered.has(job)) job.fail(overdueError(job))
      else if (why === 'memory' && (isAlone || job.isSuspect)) job.fail(memoryError(this.#options.heapMiB * 2 ** 20))
      else if (nowMs >= job.latestMs) job.fail(overdueError(job))
      else if (job.hasHead || (job.isSecond && why !== 'memory')) job.fail(lostError())
      else {
        job.isSecond = true
        // Whichever of them it was will be found alone.
        job.isSuspect = why === 'memory'
        this.#again(job)
      }
      this.#leave(seat, job)
    }
    if (this.#isClosed) return
    this.#options.onLost?.(why, error)
    // One that was lost may not be the last.
    if (seat.isReady) {
      this.#wanted = this.#options.workers + 1
      this.#refill()
    } else this.#startLater()
    this.#dispatch()
  }

  /** A worker that does not even start is tried again, ever later; nobody waits for it for ever. */
  #startLater(): void {
    this.#failedStarts++
    setTimeout(() => this.#refill(), START_PAUSE_MS * 2 ** Math.min(this.#failedStarts, 5)).unref()
    if (this.#failedStarts < MAX_FAILED_STARTS || this.readyWorkers > 0) return
    for (const job of this.#queue.toArray()) if (this.#queue.remove(job)) job.fail(lostError())
  }

  #watchWhileBusy(): void {
    const isBusy = !this.#isClosed && (this.#queue.size > 0 || this.running > 0)
    if (isBusy) {
      if (this.#watch === undefined) this.#lookedMs = performance.now()
      this.#watch ??= setInterval(() => this.#look(), WATCH_MS)
    } else {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
  }

  #look(): void {
    const nowMs = performance.now()
    const sinceMs = Math.min(nowMs - this.#lookedMs, 2 * WATCH_MS)
    this.#lookedMs = nowMs
    this.#work.trim(nowMs)
    this.#refuseLate(nowMs)
    const asksMemory = this.#looks++ % LOOKS_PER_MEMORY === 0
    for (const seat of this.#seats) {
      if (seat.jobs.size === 0) continue
      const workedMs = seat.look(nowMs, sinceMs)
      this.#lookAtMemory(seat, asksMemory)
      const busy = [...seat.jobs.values()].filter(({ isUnread }) => !isUnread)
      if (busy.length > 0) this.#charge(seat, busy, workedMs + seat.othersMs, nowMs)
      // A query may have a shorter time than its request.
      for (const job of busy) job.timeoutMs = Math.min(job.given.timeoutMs, seat.limitMs(job) ?? Infinity)
      const couldRunMs = Math.max(0, sinceMs - seat.coreWaitMs)
      const overdue = new Set(busy.filter((job) => this.#isOverdue(job, workedMs, couldRunMs, nowMs)))
      if (overdue.size > 0) this.#end(seat, overdue)
      else {
        const { silentMs } = seat
        if (silentMs >= STUCK_LIGHT_MS) this.#moveAway(seat, silentMs < STUCK_MS)
        if (silentMs >= STALLED_MS) {
          this.#grow(this.#options.workers + 1)
          this.#takeBack(seat)
        }
      }
    }
    this.#dispatch()
  }

  /** What a worker has worked is work of the key whose job looked up last: whoever waits for a core does not work. */
  #charge({ latest }: Seat, busy: readonly Job[], workedMs: number, nowMs: number): void {
    if (latest?.isUnread === false) {
      this.#queue.used(latest.key, workedMs)
      this.#work.add(latest.key, workedMs, nowMs)
    } else for (const { key } of busy) this.#queue.used(key, workedMs / busy.length)
  }

  /**
   * Whether its worker should have ended it: one that had no core for it is given longer. Looks are counted and not time, for after a
   * pause of the process the first look comes before what the worker has said.
   */
  #isOverdue(job: Job, workedMs: number, couldRunMs: number, nowMs: number): boolean {
    if (nowMs <= job.latestMs) return false
    const { graceMs } = this.#options
    job.overWorkMs += workedMs
    job.overMs = Math.min(job.overMs + couldRunMs, nowMs - job.latestMs)
    const hasWorked = job.overMs > graceMs && job.overWorkMs >= graceMs / STARVED_TIMES
    return hasWorked || job.overMs > STARVED_TIMES * graceMs
  }

  #refuseLate(nowMs: number): void {
    const { waitMs, refusal } = this.#options
    for (const job of this.#queue.toArray()) {
      // Whoever waits for the first worker is behind nobody.
      const sinceMs = Math.max(job.queuedMs, Math.min(this.#startedMs, job.queuedMs + STARTING_MS))
      if (job.startedMs === Infinity && nowMs - sinceMs > waitMs && this.#queue.remove(job)) job.fail(refusal())
    }
  }

  #end(seat: Seat, unanswered: ReadonlySet<Job>): void {
    void seat.end()
    this.#lose(seat, 'unanswered', undefined, unanswered)
  }

  /** Its heap has a hard limit; what it holds beside it has this one. */
  #lookAtMemory(seat: Seat, asks: boolean): void {
    const isTooMuch = (bytes: number): boolean => bytes > this.#options.heapMiB * 2 ** 20
    const end = (): void => {
      if (seat.isLost || seat.jobs.size === 0) return
      void seat.end()
      this.#lose(seat, 'memory', undefined)
    }
    if (isTooMuch(seat.toldBufferBytes)) end()
    else if (asks && seat.silentMs >= STUCK_LIGHT_MS) void seat.bufferBytes().then((bytes) => isTooMuch(bytes) && end())
  }

  /**
   * What waits in a worker for a job that does not look up begins anew elsewhere, once, if nothing of its answer has come;
   * `onlyLighter`: if it is of a lighter key than that job. What is beyond its time gets no second one: it ends with its worker.
   */
  #moveAway(seat: Seat, onlyLighter: boolean): void {
    const { latest } = seat
    const nowMs = performance.now()
    for (const job of seat.jobs.values()) {
      if (job === latest || job.hasHead || job.isSecond || nowMs >= job.latestMs) continue
      if (onlyLighter && (latest === undefined || !this.#isHeavier(latest.key, job.key, nowMs))) continue
      if (!seat.withdraw(job)) {
        seat.abandon(job)
        job.isSecond = true
      }
      this.#again(job)
      this.#queue.end(job.key)
    }
  }

  #takeBack(seat: Seat): void {
    for (const job of seat.jobs.values()) {
      if (!seat.withdraw(job)) continue
      this.#again(job)
      this.#queue.end(job.key)
    }
  }
}
