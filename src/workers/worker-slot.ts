import { Worker, type MessagePort } from 'node:worker_threads'
import { errorCode, present } from '../base/index.ts'
import { ThreadTimes } from '../system/index.ts'
import { SharedBlock, Slab } from './blocks.ts'
import { WholeBody } from './body.ts'
import type { Job } from './job.ts'
import { lowerPriority } from './thread.ts'
import {
  type AnswerHead,
  type BlockList,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
  jobWord,
  workerWord,
} from './protocol.ts'

/** A message from the owner of the pool to a worker, apart from jobs. */
export interface WorkerMessage {
  readonly what: unknown
  /** The ports that are transferred to the worker. */
  readonly transfer: readonly MessagePort[]
}

interface HeapStatistics {
  readonly total_heap_size: number
  readonly external_memory: number
}

/** Memory use of a worker in bytes. */
export interface WorkerMemory {
  readonly heapBytes: number
  readonly bufferBytes: number
}

export interface WorkerSlotOptions {
  readonly entry: URL
  readonly data: unknown
  /** The limit of the worker's JavaScript heap in MiB. A worker that exceeds it is ended. */
  readonly heapMiB: number
  /** The ids of the workers that may take morsels now, shared by all threads; 0 is an empty entry. */
  readonly idle: Int32Array
}

/** The reason why a worker has ended. */
export type WorkerLoss = 'memory' | 'crash' | 'unanswered'

/** A worker's message about one of its jobs. */
export type JobNews =
  | {
      readonly kind: 'head'
      readonly job: number
      readonly head: AnswerHead
      readonly body: string | WholeBody | null
      readonly isWhole: boolean
    }
  | { readonly kind: 'chunk'; readonly job: number; readonly blocks: readonly SharedBlock[] }
  | Extract<FromWorker, { kind: 'end' }>

export interface WorkerSlotEvents {
  /** Called when the worker can run background jobs. */
  readonly onStarted: (slot: WorkerSlot) => void
  /** Called when the worker can run all jobs. */
  readonly onReady: (slot: WorkerSlot) => void
  /** Called when the worker requests a channel to another worker. */
  readonly onLine: (worker: number, port: MessagePort) => void
  readonly onMessage: (slot: WorkerSlot, message: JobNews) => void
  readonly onLost: (slot: WorkerSlot, why: WorkerLoss, error: unknown) => void
  /** Called when the thread with this number has ended. */
  readonly onExit: (threadId: number) => void
}

let lastId = 0

/** A worker thread with its active job, and the streams that wait for their readers. */
export class WorkerSlot {
  /** The id of the worker: unique in the process and above 0. */
  readonly id = ++lastId
  /** All jobs of the worker by id: the active one, and streams whose readers have not taken all sent bytes. */
  readonly jobs = new Map<number, Job>()
  /** The job on which the thread works. */
  active: Job | undefined
  isStarted = false
  isReady = false
  isLost = false
  hasAnswered = false
  /** Milliseconds in which the thread had work but no core, between the last two calls of `measure`. */
  coreWaitMs = 0
  /** The time when the thread last became idle, by `performance.now`. */
  idleSinceMs = performance.now()
  readonly #worker: Worker
  readonly #words = new Int32Array(new SharedArrayBuffer(workerWord.count * 4))
  readonly #events: WorkerSlotEvents
  readonly #slabs = new Map<number, Slab>()
  #thread: number | undefined
  #times: ThreadTimes | undefined
  #isLowered = false
  #usedMs = 0
  #waitedMs = 0
  #measuredMs = performance.now()

  constructor({ entry, data, heapMiB, idle }: WorkerSlotOptions, events: WorkerSlotEvents) {
    this.#events = events
    const start: WorkerStart = { words: this.#words, idle, data }
    this.#worker = new Worker(entry, {
      workerData: start,
      // A worker sees neither the environment nor the arguments of the process.
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMiB },
    })
    const { threadId } = this.#worker
    let error: unknown
    this.#worker.on('message', (message: FromWorker) => this.#receive(message))
    this.#worker.on('error', (thrown) => (error = thrown))
    this.#worker.on('exit', () => {
      for (const slab of this.#slabs.values()) slab.freeAll()
      events.onExit(threadId)
      this.#lose(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error)
    })
  }

  tell({ what, transfer }: WorkerMessage): void {
    this.#post({ kind: 'tell', what }, transfer)
  }

  /** Starts a job. May be called only while no job is active. */
  run(job: Job): void {
    const words = new Int32Array(new SharedArrayBuffer(jobWord.count * 4))
    this.jobs.set(job.id, job)
    this.active = job
    job.post = {
      credit: (bytes) => this.#credit(job, bytes),
      cancel: () => {
        job.cancelledMs ??= performance.now()
        Atomics.store(words, jobWord.cancel, 1)
        this.#post({ kind: 'cancel', job: job.id })
      },
      limitMs: () => Atomics.load(words, jobWord.limit) || Infinity,
    }
    const { request, port } = job.given
    if (port === undefined) this.#post({ kind: 'run', job: job.id, words, request })
    else this.#post({ kind: 'background', job: job.id, port }, [port])
    // Reading the thread's times can take as long as a short job, so the job is sent first.
    this.measure()
  }

  /** Marks the thread as idle after the active job has ended or begun to wait for its reader. */
  release(job: Job): void {
    if (this.active !== job) return
    this.active = undefined
    this.idleSinceMs = performance.now()
    for (const waiting of this.jobs.values()) {
      const bytes = waiting.heldCreditBytes
      if (bytes === 0) continue
      waiting.heldCreditBytes = 0
      this.#credit(waiting, bytes)
      if (this.active !== undefined) return
    }
  }

  /**
   * Reports to the worker that a reader has taken bytes, so that the stream continues. While another job is active the
   * report is delayed.
   */
  #credit(job: Job, bytes: number): void {
    if (this.active !== undefined && this.active !== job) {
      job.heldCreditBytes += bytes
      return
    }
    if (this.active === undefined && !job.isUnread) {
      this.active = job
      job.resumedMs = performance.now()
    }
    this.#post({ kind: 'credit', job: job.id, bytes })
  }

  /**
   * Lowers the thread's priority, so that threads of normal priority get a core first. The priority cannot be raised
   * again. Must be called after the worker has started.
   */
  lowerPriority(): void {
    if (this.#thread === undefined || this.#isLowered) return
    this.#isLowered = true
    lowerPriority(this.#thread)
  }

  /**
   * Returns the processor time in milliseconds that this worker, and other threads for its jobs, have used since the
   * last call. Uses the clock if the system reports no processor time. Sets `coreWaitMs`.
   */
  measure(): number {
    const nowMs = performance.now()
    const times = this.#times?.now() ?? { processorMs: this.#usedMs + (nowMs - this.#measuredMs), coreWaitMs: 0 }
    const workedMs = times.processorMs - this.#usedMs
    this.coreWaitMs = Math.max(0, times.coreWaitMs - this.#waitedMs)
    this.#usedMs = times.processorMs
    this.#waitedMs = times.coreWaitMs
    this.#measuredMs = nowMs
    return workedMs + Atomics.exchange(this.#words, workerWord.othersMicros, 0) / 1000
  }

  /**
   * Returns the bytes of the worker's heap and of its buffers, which the heap limit does not count. Both are 0 before
   * Node 22.16.
   */
  async memory(): Promise<WorkerMemory> {
    const worker: Worker & { getHeapStatistics?: () => Promise<HeapStatistics> } = this.#worker
    const statistics = await worker.getHeapStatistics?.().catch(() => undefined)
    return { heapBytes: statistics?.total_heap_size ?? 0, bufferBytes: statistics?.external_memory ?? 0 }
  }

  /** Ends the thread without calling `onLost`. */
  async end(): Promise<void> {
    this.isLost = true
    this.#times?.close()
    await this.#worker.terminate()
  }

  #receive(message: FromWorker): void {
    if (this.isLost) return
    switch (message.kind) {
      case 'started':
        this.isStarted = true
        this.#thread = message.thread
        if (message.thread !== undefined) this.#times = new ThreadTimes(message.thread)
        this.measure()
        return this.#events.onStarted(this)
      case 'ready':
        this.isReady = true
        // From now on the thread keeps the process alive only while it has jobs.
        this.#worker.unref()
        this.idleSinceMs = performance.now()
        return this.#events.onReady(this)
      case 'line':
        return this.#events.onLine(message.worker, message.port)
      case 'slab':
        this.#slabs.set(message.slab, new Slab(message.slab, message.counts, message.memory))
        return undefined
      case 'dropped':
        this.#slabs.delete(message.slab)
        return undefined
      case 'head': {
        const { body } = message
        const whole = body === null || typeof body === 'string' ? body : new WholeBody(this.#blocks(body))
        return this.#events.onMessage(this, { ...message, body: whole })
      }
      case 'chunk':
        return this.#events.onMessage(this, { ...message, blocks: this.#blocks(message.blocks) })
      default:
        return this.#events.onMessage(this, message)
    }
  }

  #blocks(list: BlockList): SharedBlock[] {
    const blocks: SharedBlock[] = []
    for (let i = 0; i < list.length; i += 3) {
      const [slab = 0, index = 0, lengthBytes = 0] = list.slice(i, i + 3)
      blocks.push(new SharedBlock(present(this.#slabs.get(slab), 'a slab'), index, lengthBytes))
    }
    return blocks
  }

  #lose(why: WorkerLoss, error: unknown): void {
    if (this.isLost) return
    this.isLost = true
    this.#times?.close()
    this.#events.onLost(this, why, error)
  }

  /** Gives the worker a port through which another thread sends it morsels. */
  connect(port: MessagePort): void {
    this.#post({ kind: 'line', port }, [port])
  }

  #post(message: ToWorker, transfer: readonly MessagePort[] = []): void {
    if (this.isLost) return
    // A worker that computes morsels stops when this counter changes.
    if (message.kind !== 'line') Atomics.add(this.#words, workerWord.sent, 1)
    this.#worker.postMessage(message, transfer)
  }
}
