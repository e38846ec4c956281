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
  /** The reader has taken this many bytes. */
  | { readonly kind: 'credit'; readonly job: number; readonly bytes: number }
  | { readonly kind: 'cancel'; readonly job: number }

/** Blocks of a worker that hold bytes: slab, index and length of each, in order. */
export type BlockList = readonly number[]

/** Messages of a worker. Each job has one `head`, then chunks and an `end` unless the head was the whole answer. */
export type FromWorker =
  /** `thread`: the number that the system gives the thread, where threads have one. */
  | { readonly kind: 'ready'; readonly thread: number | undefined }
  /** Announces blocks before they are named, and their end. */
  | { readonly kind: 'slab'; readonly slab: number; readonly memory: SharedArrayBuffer }
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

/** Bytes of one answer that may be in flight before its reader takes some. */
export const WINDOW_BYTES = 256 * 1024

/** Shared words of one job, as `watchCancelWord` has them: set to cancel; the query's own time limit in milliseconds. */
export const CANCEL_WORD = 0
export const LIMIT_WORD = 1
export const JOB_WORDS = 2

/** What a worker is started with. */
export interface WorkerStart {
  /** One word: microseconds of processor time that other threads spent on the jobs of this worker. */
  readonly othersMicros: Int32Array
  readonly data: unknown
}
