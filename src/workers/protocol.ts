import type { MessagePort } from 'node:worker_threads'
import type { BudgetLimits } from '../base/index.ts'
import type { SegmentNews } from '../store/index.ts'
import type { BlockCounts } from './blocks.ts'

/** Status, headers and error of an answer; its bytes follow. */
export interface AnswerHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The stack of an error that no caller can have caused, for the log. */
  readonly error?: string | undefined
}

/** Messages to a worker. `what` and `request` are agreed between the owner of the pool and its workers. */
export type ToWorker =
  | { readonly kind: 'tell'; readonly what: unknown }
  | { readonly kind: 'run'; readonly job: number; readonly words: Int32Array; readonly request: unknown }
  /** A `BackgroundTask` waits in the port. */
  | { readonly kind: 'background'; readonly job: number; readonly port: MessagePort }
  /** The reader has taken this many bytes. */
  | { readonly kind: 'credit'; readonly job: number; readonly bytes: number }
  | { readonly kind: 'cancel'; readonly job: number }
  /** Another thread sends `SharedTask`s through the port. */
  | { readonly kind: 'line'; readonly port: MessagePort }

/** Blocks of a worker that hold bytes: slab, index and length of each, in order. */
export type BlockList = readonly number[]

/** Messages of a worker. Each job has one `head`, then chunks and an `end` unless the head was the whole answer. */
export type FromWorker =
  /** Background jobs can run. `thread`: the number that the system gives the thread, where threads have one. */
  | { readonly kind: 'started'; readonly thread: number | undefined }
  /** All jobs can run. */
  | { readonly kind: 'ready' }
  /** Announces blocks before they are named, and their end. */
  | { readonly kind: 'slab'; readonly slab: number; readonly counts: BlockCounts; readonly memory: SharedArrayBuffer }
  | { readonly kind: 'dropped'; readonly slab: number }
  | {
      readonly kind: 'head'
      readonly job: number
      readonly head: AnswerHead
      readonly body: string | BlockList | null
      /** True when nothing follows. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'chunk'; readonly job: number; readonly blocks: BlockList }
  /** `isBroken`: the answer is incomplete and must not look complete. `hasFailed`: its last bytes report an error. */
  | { readonly kind: 'end'; readonly job: number; readonly isBroken: boolean; readonly hasFailed: boolean }
  /** The other end of a line, for this worker. */
  | { readonly kind: 'line'; readonly worker: number; readonly port: MessagePort }

/** Bytes of one answer that may be in flight before its reader takes some. */
export const WINDOW_BYTES = 256 * 1024

/** Shared words of one job, as `watchCancelWord` has them. */
export const jobWord = {
  /** Set to cancel. */
  cancel: 0,
  /** The query's own time limit, milliseconds. */
  limit: 1,
  count: 2,
} as const

/** Shared words of one worker. */
export const workerWord = {
  /** Processor time that other threads spent on its jobs, microseconds. */
  othersMicros: 0,
  /** Messages sent to it, lines not counted. */
  sent: 1,
  count: 2,
} as const

/** What a worker is started with. */
export interface WorkerStart {
  readonly words: Int32Array
  /** As `PoolLines.idle`. */
  readonly idle: Int32Array
  readonly data: unknown
}

/** Lines to the workers of a pool. */
export interface PoolLines {
  /** Ids of the workers that may take morsels now; 0 stands for none. */
  readonly idle: Int32Array
  /** Connects a worker: this thread's end of a line to it. A worker that has ended closes the line. */
  connect(worker: number): MessagePort
}

/** Morsels of an operator of another thread. */
export interface SharedTask {
  readonly id: number
  readonly task: unknown
  /** What the segments are made of that were not sent before on this line. */
  readonly news: SegmentNews
  /** The numbers of segments that were sent. */
  readonly segments: readonly number[]
  readonly morselCount: number
  /** Words of all threads that work on it: `taskWord.stop` and so on. */
  readonly control: Int32Array
  /** Number of the receiver among the helpers of this work. */
  readonly helper: number
  readonly limits: BudgetLimits
}

/** The result of one helper; sent if it has taken part. */
export interface SharedResult {
  readonly id: number
  readonly helper: number
  readonly morsels: readonly number[]
  /** `undefined` when it came to nothing. */
  readonly part: unknown
  /** Processor time, milliseconds. */
  readonly workedMs: number
}

/** Words of a shared task. */
export const taskWord = {
  /** Whether its query is over. */
  stop: 0,
  sentResults: 1,
  /** The next morsel. */
  next: 2,
  /** From here on one word for each helper: 0 until it takes part, then its heartbeat. */
  heartbeats: 3,
} as const
