/** What goes ahead of an answer's bytes. */
export interface AnswerHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What the log is to know of an answer that nobody could have caused from outside. */
  readonly error?: string | undefined
}

/** What a worker is told. `what` and `request` are what the two ends have agreed on. */
export type ToWorker =
  | { readonly kind: 'tell'; readonly what: unknown }
  | { readonly kind: 'run'; readonly job: number; readonly slot: number; readonly request: unknown }
  /** The reader has taken so many bytes. */
  | { readonly kind: 'credit'; readonly job: number; readonly bytes: number }
  | { readonly kind: 'cancel'; readonly job: number }

/** Where bytes lie in the blocks of a worker: slab, index and length of each block, one behind the other. */
export type BlockList = readonly number[]

/** What a worker tells; of each job one `head`, then chunks, then `end`, unless the head was the whole, or `withdrawn`. */
export type FromWorker =
  /** `thread`: the system's number of it, where threads have one. */
  | { readonly kind: 'ready'; readonly thread: number | undefined }
  /** Blocks that will be spoken of, and some that will not be any more. */
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
  /** `isBroken`: the answer is not complete and must not look so. `hasFailed`: it tells of an error itself. */
  | { readonly kind: 'end'; readonly job: number; readonly isBroken: boolean; readonly hasFailed: boolean }
  | { readonly kind: 'withdrawn'; readonly job: number }

/** Bytes of one answer that are on their way to a reader who has not taken them. */
export const WINDOW_BYTES = 256 * 1024

/**
 * Words that both sides watch while messages wait: one that the worker counts up whenever it gets round to it, one in which it says
 * then what its buffers take (KiB), one in which it counts up what others have worked for it (microseconds of processor time), then four for each place of a job: `cancel`, `look`, `limit` (what its query may take,
 * milliseconds, 0 until it says) and `state`.
 */
export const BEAT_WORD = 0
export const MEMORY_WORD = 1
export const OTHERS_WORD = 2
export const SLOTS = 1024
const FIRST_SLOT = 3
export const WORDS = FIRST_SLOT + SLOTS * 4
export const cancelWordAt = (slot: number): number => FIRST_SLOT + slot * 4
export const lookWordAt = (slot: number): number => FIRST_SLOT + 1 + slot * 4
export const limitWordAt = (slot: number): number => FIRST_SLOT + 2 + slot * 4
export const stateWordAt = (slot: number): number => FIRST_SLOT + 3 + slot * 4

/** Whoever comes first decides whether a job is begun or taken back. */
export const jobState = { sent: 0, begun: 1, withdrawn: 2 } as const

/** How often a worker with jobs counts its beat up, milliseconds. */
export const BEAT_MS = 20

/** What a worker is started with. */
export interface WorkerStart {
  readonly words: Int32Array
  readonly data: unknown
}
