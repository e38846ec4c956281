import type { MessagePort } from 'node:worker_threads'
import type { BudgetLimits } from '../base/index.ts'
import type { SegmentDelta } from '../store/index.ts'
import type { BlockCounts } from './blocks.ts'

/** The status, headers and error of an answer. The body is separate. */
export interface AnswerHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The stack trace of an internal error, for the log. */
  readonly error?: string | undefined
}

/** The messages to a worker. The owner of the pool and the worker's module define the types of `what` and `request`. */
export type ToWorker =
  | { readonly kind: 'tell'; readonly what: unknown }
  | { readonly kind: 'run'; readonly job: number; readonly words: Int32Array; readonly request: unknown }
  /** The port contains a `BackgroundTask` message. */
  | { readonly kind: 'background'; readonly job: number; readonly port: MessagePort }
  /** The reader has consumed this many bytes. */
  | { readonly kind: 'credit'; readonly job: number; readonly bytes: number }
  | { readonly kind: 'cancel'; readonly job: number }
  /** Another thread sends `SharedTask`s through the port. */
  | { readonly kind: 'line'; readonly port: MessagePort }

/** A list of a worker's blocks with bytes: slab, index and length of each, in order. */
export type BlockList = readonly number[]

/**
 * The messages from a worker. Each job has one `head`. If the head was not the whole answer, chunks and an `end`
 * follow.
 */
export type FromWorker =
  /**
   * The worker can run background jobs. `thread` is the system's number of the thread, on systems that number threads.
   */
  | { readonly kind: 'started'; readonly thread: number | undefined }
  /** The worker can run all jobs. */
  | { readonly kind: 'ready' }
  /** Announces a slab before its blocks are used. A later `dropped` message revokes it. */
  | { readonly kind: 'slab'; readonly slab: number; readonly counts: BlockCounts; readonly memory: SharedArrayBuffer }
  | { readonly kind: 'dropped'; readonly slab: number }
  | {
      readonly kind: 'head'
      readonly job: number
      readonly head: AnswerHead
      readonly body: string | BlockList | null
      /** True if the head has the whole answer. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'chunk'; readonly job: number; readonly blocks: BlockList }
  /** `isBroken`: the answer is incomplete and must not look complete. `hasFailed`: the last bytes report an error. */
  | { readonly kind: 'end'; readonly job: number; readonly isBroken: boolean; readonly hasFailed: boolean }
  /** The port is one end of a channel; the other end is at the worker with this id. */
  | { readonly kind: 'line'; readonly worker: number; readonly port: MessagePort }

/** The maximum number of bytes of one answer that are in flight to the reader. */
export const WINDOW_BYTES = 256 * 1024

/** The indexes of the words in the shared memory of one job, as `watchCancelWord` uses them. */
export const jobWord = {
  /** Set to a non-zero value to cancel the job. */
  cancel: 0,
  /** The time limit that the query has set for itself, in milliseconds. */
  limit: 1,
  count: 2,
} as const

/** The indexes of the shared words of one worker. */
export const workerWord = {
  /** Processor time that other threads have spent on this worker's jobs, in microseconds. */
  othersMicros: 0,
  /**
   * The number of messages sent to the worker, not counting channels. A worker that takes morsels stops when it
   * changes.
   */
  sent: 1,
  count: 2,
} as const

/** The data with which a worker is started. */
export interface WorkerStart {
  readonly words: Int32Array
  /** The ids of the workers that may take morsels now, shared by all threads; 0 is an empty entry. */
  readonly idle: Int32Array
  readonly data: unknown
}

/** Access to channels to the workers of a pool. */
export interface PoolLines {
  /** The ids of the workers that may take morsels now; 0 is an empty entry. */
  readonly idle: Int32Array
  /** Opens a channel to a worker and returns this thread's end of it. A worker that has ended closes the channel. */
  connect(worker: number): MessagePort
}

/** A task to compute morsels of an operator of another thread. */
export interface SharedTask {
  readonly id: number
  readonly task: unknown
  /** The data of segments that this channel has not sent before. */
  readonly news: SegmentDelta
  /** The numbers of all segments of the task. Earlier messages may have sent their data. */
  readonly segments: readonly number[]
  readonly morselCount: number
  /** The control words shared by all threads that work on the task; `taskWord` has their indexes. */
  readonly control: Int32Array
  /** The index of the receiving worker among the helpers of this task. */
  readonly helper: number
  readonly limits: BudgetLimits
}

/** The result of one helper. A helper sends it only if it has taken part in the task. */
export interface SharedResult {
  readonly id: number
  readonly helper: number
  readonly morsels: readonly number[]
  /** The partial result; `undefined` when the computation failed. */
  readonly partial: unknown
  /** The used processor time in milliseconds. */
  readonly workedMs: number
}

/** The indexes of the control words of a shared task. */
export const taskWord = {
  /** Non-zero once the query has ended. */
  stop: 0,
  sentResults: 1,
  /** The number of the next morsel. */
  next: 2,
  /**
   * The index of the first heartbeat word. Each helper has one word: 0 until the helper takes part, then its heartbeat
   * counter.
   */
  heartbeats: 3,
} as const
