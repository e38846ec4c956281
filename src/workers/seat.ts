import { Worker, type MessagePort } from 'node:worker_threads'
import { InvariantError, errorCode, present } from '../base/index.ts'
import { ThreadTimes } from '../system/index.ts'
import { Block, Slab } from './blocks.ts'
import { WholeBody } from './body.ts'
import type { Job } from './job.ts'
import { putBehind } from './thread.ts'
import {
  BEAT_WORD,
  MEMORY_WORD,
  OTHERS_WORD,
  SLOTS,
  WORDS,
  cancelWordAt,
  limitWordAt,
  lookWordAt,
  jobState,
  stateWordAt,
  type AnswerHead,
  type BlockList,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
} from './protocol.ts'

/** Something that workers are told, beside their jobs. */
export interface Told {
  readonly what: unknown
  /** What of it goes over to the worker. */
  readonly transfer: readonly MessagePort[]
}

export interface SeatOptions {
  readonly entry: URL
  readonly data: unknown
  /** Of JavaScript objects, MiB; what the worker needs beyond it ends it. */
  readonly heapMiB: number
}

/** Why a worker is no more. */
export type SeatLoss = 'memory' | 'crash' | 'unanswered'

/** What a worker says of one of its jobs. */
export type JobNews =
  | {
      readonly kind: 'head'
      readonly job: number
      readonly head: AnswerHead
      readonly body: string | WholeBody | null
      readonly isWhole: boolean
    }
  | { readonly kind: 'chunk'; readonly job: number; readonly blocks: readonly Block[] }
  | Extract<FromWorker, { kind: 'end' | 'withdrawn' }>

export interface SeatEvents {
  /** It says that it can answer. */
  readonly onReady: (seat: Seat) => void
  readonly onMessage: (seat: Seat, message: JobNews) => void
  readonly onLost: (seat: Seat, why: SeatLoss, error: unknown) => void
}

/** A worker that comes round to nothing for so long gets no more jobs, and those it has not begun go elsewhere. */
export const STALLED_MS = 100
/** A worker without a beat is silent for a part of that time at least, whatever it has worked: it may wait for a disk. */
const WAITING_TIMES = 4

/** A worker thread and the jobs that it has. */
export class Seat {
  readonly jobs = new Map<number, Job>()
  isReady = false
  isLost = false
  /**
   * For how long it had not come round to anything when it was last looked at, milliseconds of work: who has no core is not stuck. What
   * it waits for otherwise counts less.
   */
  silentMs = 0
  /** What others had worked for its jobs between the last two looks, milliseconds of processor time. */
  othersMs = 0
  /** For how long it had something to do and no core between the last two looks, milliseconds. */
  coreWaitMs = 0
  readonly #worker: Worker
  readonly #words = new Int32Array(new SharedArrayBuffer(WORDS * 4))
  readonly #events: SeatEvents
  readonly #slots = new Map<number, number>()
  readonly #slabs = new Map<number, Slab>()
  #nextSlot = 0
  #thread: number | undefined
  #times: ThreadTimes | undefined
  #isBehind = false
  #usedMs = 0
  #waitedMs = 0
  #silentWorkMs = 0
  #lastBeat = 0
  #lastBeatMs = 0

  constructor({ entry, data, heapMiB }: SeatOptions, events: SeatEvents) {
    this.#events = events
    const start: WorkerStart = { words: this.#words, data }
    this.#worker = new Worker(entry, {
      workerData: start,
      // Nothing that the process was started with is the worker's business.
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMiB },
    })
    let error: unknown
    this.#worker.on('message', (message: FromWorker) => this.#take(message))
    this.#worker.on('error', (thrown) => (error = thrown))
    this.#worker.on('exit', () => {
      this.#lose(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error)
    })
  }

  /** False while it comes round to nothing. */
  get isActive(): boolean {
    return this.jobs.size === 0 || this.silentMs < STALLED_MS
  }

  /** Jobs that it works on: those whose reader has yet to take what was sent need nothing of it. */
  get busyJobs(): number {
    let count = 0
    for (const job of this.jobs.values()) if (!job.isUnread) count++
    return count
  }

  jobsOf(key: string): number {
    let count = 0
    for (const job of this.jobs.values()) if (job.key === key && !job.isUnread) count++
    return count
  }

  /** Whether there is such a key among those whose jobs it works on. */
  someKey(isSuch: (key: string) => boolean): boolean {
    for (const { key, isUnread } of this.jobs.values()) if (!isUnread && isSuch(key)) return true
    return false
  }

  get hasSuspect(): boolean {
    for (const { isSuspect } of this.jobs.values()) if (isSuspect) return true
    return false
  }

  get hasRoom(): boolean {
    return this.#slots.size < SLOTS
  }

  tell({ what, transfer }: Told): void {
    this.#post({ kind: 'tell', what }, transfer)
  }

  run(job: Job): void {
    const slot = this.#freeSlot()
    this.#slots.set(job.id, slot)
    Atomics.store(this.#words, cancelWordAt(slot), 0)
    Atomics.store(this.#words, lookWordAt(slot), 0)
    Atomics.store(this.#words, limitWordAt(slot), 0)
    Atomics.store(this.#words, stateWordAt(slot), jobState.sent)
    const wasIdle = this.jobs.size === 0
    if (wasIdle) {
      this.#startBeat(performance.now())
      // What it said before was of other jobs.
      Atomics.store(this.#words, MEMORY_WORD, 0)
      Atomics.store(this.#words, OTHERS_WORD, 0)
    }
    this.jobs.set(job.id, job)
    job.post = {
      credit: (bytes) => this.#post({ kind: 'credit', job: job.id, bytes }),
      cancel: () => this.cancel(job),
    }
    this.#post({ kind: 'run', job: job.id, slot, request: job.given.request })
    // Asking the system takes as long as many a job: the worker begins meanwhile.
    if (wasIdle) this.#timesSinceLast()
  }

  cancel(job: Job): void {
    const slot = this.#slots.get(job.id)
    if (slot === undefined || !this.jobs.has(job.id)) return
    job.cancelledMs ??= performance.now()
    Atomics.store(this.#words, cancelWordAt(slot), 1)
    this.#post({ kind: 'cancel', job: job.id })
  }

  /** From now on the coordinator and the worker to spare get a core before it. To be called once it is ready. */
  putBehind(): void {
    if (this.#thread === undefined || this.#isBehind) return
    this.#isBehind = true
    putBehind(this.#thread)
  }

  /** Takes a job back that the worker has not begun; false when it has. */
  withdraw(job: Job): boolean {
    const slot = this.#slots.get(job.id)
    if (slot === undefined) return false
    const at = stateWordAt(slot)
    if (Atomics.compareExchange(this.#words, at, jobState.sent, jobState.withdrawn) !== jobState.sent) return false
    this.jobs.delete(job.id)
    job.post = undefined
    return true
  }

  /** What the job's query says that it may take, milliseconds; `undefined` before it does. */
  limitMs(job: Job): number | undefined {
    const slot = this.#slots.get(job.id)
    const limitMs = slot === undefined ? 0 : Atomics.load(this.#words, limitWordAt(slot))
    return limitMs === 0 ? undefined : limitMs
  }

  /**
   * The job that looked up last, or the only one that has begun: where the worker is silent, the one that it is at. `undefined` where
   * several have begun and none has looked up.
   */
  get latest(): Job | undefined {
    let found: Job | undefined
    let most = 0
    const begun: Job[] = []
    for (const job of this.jobs.values()) {
      const slot = this.#slots.get(job.id) ?? 0
      if (Atomics.load(this.#words, stateWordAt(slot)) === jobState.begun) begun.push(job)
      const look = Atomics.load(this.#words, lookWordAt(slot))
      if (look <= most) continue
      found = job
      most = look
    }
    return found ?? (begun.length === 1 ? begun[0] : undefined)
  }

  /** Lets go of a job that has begun; what still comes of it is not meant. */
  abandon(job: Job): void {
    const slot = this.#slots.get(job.id)
    if (slot !== undefined) Atomics.store(this.#words, cancelWordAt(slot), 1)
    this.#post({ kind: 'cancel', job: job.id })
    this.jobs.delete(job.id)
    job.post = undefined
  }

  /**
   * To be called every few milliseconds while it has jobs. Gives what it has worked since, milliseconds of processor time, or
   * `sinceMs` where that cannot be told; sets `silentMs`, `coreWaitMs` and `othersMs`.
   */
  look(nowMs: number, sinceMs: number): number {
    const workedMs = this.#timesSinceLast() ?? sinceMs
    this.othersMs = Atomics.exchange(this.#words, OTHERS_WORD, 0) / 1000
    const beat = Atomics.load(this.#words, BEAT_WORD)
    if (beat !== this.#lastBeat) this.#startBeat(nowMs, beat)
    else this.#silentWorkMs += workedMs
    this.silentMs = Math.max(this.#silentWorkMs, (nowMs - this.#lastBeatMs) / WAITING_TIMES)
    return workedMs
  }

  /** What it has worked since this was called last, milliseconds of processor time; sets `coreWaitMs`. */
  #timesSinceLast(): number | undefined {
    const times = this.#times?.now()
    const { processorMs = 0, coreWaitMs = 0 } = times ?? {}
    const workedMs = processorMs - this.#usedMs
    this.coreWaitMs = Math.max(0, coreWaitMs - this.#waitedMs)
    this.#usedMs = processorMs
    this.#waitedMs = coreWaitMs
    return times && workedMs
  }

  #startBeat(nowMs: number, beat = Atomics.load(this.#words, BEAT_WORD)): void {
    this.#lastBeat = beat
    this.#lastBeatMs = nowMs
    this.#silentWorkMs = 0
    this.silentMs = 0
  }

  /** What its own buffers took when it last came round to anything, bytes: no limit of its heap counts those. */
  get toldBufferBytes(): number {
    return Atomics.load(this.#words, MEMORY_WORD) * 1024
  }

  /** As `toldBufferBytes`, asked of the engine, also of a worker that never looks up. 0 where Node (before 22.16) does not tell. */
  async bufferBytes(): Promise<number> {
    const worker: Worker & { getHeapStatistics?: () => Promise<{ readonly external_memory: number }> } = this.#worker
    const statistics = await worker.getHeapStatistics?.().catch(() => undefined)
    return statistics?.external_memory ?? 0
  }

  /** Without a word to `onLost`. */
  async end(): Promise<void> {
    this.isLost = true
    this.#times?.close()
    await this.#worker.terminate()
  }

  #take(message: FromWorker): void {
    if (this.isLost) return
    switch (message.kind) {
      case 'ready':
        this.isReady = true
        this.#thread = message.thread
        if (message.thread !== undefined) this.#times = new ThreadTimes(message.thread)
        // From here on only its jobs keep the process going.
        this.#worker.unref()
        return this.#events.onReady(this)
      case 'slab':
        this.#slabs.set(message.slab, new Slab(message.slab, message.memory))
        return undefined
      case 'dropped':
        this.#slabs.delete(message.slab)
        return undefined
      case 'head': {
        if (message.isWhole) this.#slots.delete(message.job)
        const { body } = message
        const whole = body === null || typeof body === 'string' ? body : new WholeBody(this.#blocks(body))
        return this.#events.onMessage(this, { ...message, body: whole })
      }
      case 'chunk':
        return this.#events.onMessage(this, { ...message, blocks: this.#blocks(message.blocks) })
      default:
        this.#slots.delete(message.job)
        return this.#events.onMessage(this, message)
    }
  }

  #blocks(list: BlockList): Block[] {
    const blocks: Block[] = []
    for (let i = 0; i < list.length; i += 3) {
      const [slab = 0, index = 0, lengthBytes = 0] = list.slice(i, i + 3)
      blocks.push(new Block(present(this.#slabs.get(slab), 'a slab'), index, lengthBytes))
    }
    return blocks
  }

  #lose(why: SeatLoss, error: unknown): void {
    if (this.isLost) return
    this.isLost = true
    this.#times?.close()
    this.#events.onLost(this, why, error)
  }

  #post(message: ToWorker, transfer: readonly MessagePort[] = []): void {
    if (!this.isLost) this.#worker.postMessage(message, transfer)
  }

  #freeSlot(): number {
    const taken = new Set(this.#slots.values())
    for (let i = 0; i < SLOTS; i++) {
      const slot = (this.#nextSlot + i) % SLOTS
      if (taken.has(slot)) continue
      this.#nextSlot = (slot + 1) % SLOTS
      return slot
    }
    throw new InvariantError('a worker has more jobs than places')
  }
}
