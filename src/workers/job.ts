import type { MessagePort } from 'node:worker_threads'
import type { Block } from './blocks.ts'
import { WholeBody, type Body, type StreamBody } from './body.ts'
import { WINDOW_BYTES, type AnswerHead } from './protocol.ts'

/** One request for a worker. */
export interface JobRequest {
  /** Whose it is: work is shared out by key. */
  readonly key: string
  readonly request: unknown
  /** Set for a background job: its task waits in the port, which takes its result. */
  readonly port?: MessagePort | undefined
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** What it may take from its beginning, milliseconds. */
  readonly timeoutMs: number
}

export interface PooledAnswer {
  readonly head: AnswerHead
  readonly body: Body
}

/** The line to the worker that has a job. */
export interface JobPost {
  readonly credit: (bytes: number) => void
  readonly cancel: () => void
  /** The time limit that the query has set for itself, milliseconds; `Infinity` before it does. */
  readonly limitMs: () => number
}

/** A job is long once it has used this much processor time, or has waited this long for something such as a database, milliseconds. */
const LONG_MS = 100
const LONG_WAIT_MS = 200

/** A job on its way, and what of its answer has come. */
export class Job implements StreamBody {
  /** New on every dispatch, so that late messages of a previous worker are ignored. */
  id = 0
  readonly given: JobRequest
  readonly key: string
  readonly answer: Promise<PooledAnswer>
  /** True when the worker that had it before was lost. */
  isSecond = false
  /** When it came. */
  readonly queuedMs = performance.now()
  /** When the worker that has it got it. */
  startedMs = Infinity
  /** What it may take from then on, milliseconds. */
  timeoutMs: number
  cancelledMs: number | undefined
  /** It has been told to end on the reserved worker and begins again elsewhere. */
  isMoving = false
  /** It was too long for the reserved worker. */
  wasLong = false
  /** When it last went on after waiting for its reader. */
  resumedMs = 0
  /** Bytes that its reader has taken while the worker was busy with another job. */
  heldCreditBytes = 0
  /** Processor time of its worker and of threads that helped, milliseconds. */
  workedMs = 0
  /** Time that has passed since it should have ended, milliseconds, counted by looks at it. */
  overdueMs = 0
  /** The part of `overdueMs` in which its worker was not waiting for a core. */
  overdueOnCoreMs = 0
  /** Where it runs. */
  post: JobPost | undefined
  hasHead = false
  /** Set when its last piece tells of an error. */
  failure: unknown
  readonly #head = Promise.withResolvers<PooledAnswer>()
  readonly #blocks: Block[] = []
  /** What its reader looks at. */
  #shown: Block | undefined
  #end: { readonly isBroken: boolean } | undefined
  #unreadBytes = 0
  #wake: (() => void) | undefined

  constructor(given: JobRequest) {
    this.given = given
    this.key = given.key
    this.timeoutMs = given.timeoutMs
    this.answer = this.#head.promise
  }

  /** Whether the worker waits until the reader takes what was sent. */
  get isUnread(): boolean {
    return this.#unreadBytes >= WINDOW_BYTES
  }

  /** When it should have ended at the latest: a worker that waited for a reader could not say that time was over. */
  get latestMs(): number {
    return Math.max(Math.min(this.startedMs + this.timeoutMs, this.cancelledMs ?? Infinity), this.resumedMs)
  }

  get isLong(): boolean {
    return this.workedMs >= LONG_MS || performance.now() - this.startedMs >= LONG_WAIT_MS
  }

  /** A worker gets it. */
  begin(): void {
    this.startedMs = performance.now()
    this.workedMs = 0
    this.cancelledMs = undefined
    this.overdueMs = 0
    this.overdueOnCoreMs = 0
  }

  fail(error: unknown): void {
    if (this.hasHead) this.end({ isBroken: true, hasFailed: true })
    else this.#head.reject(error)
  }

  /** Its answer has begun. Without a body it follows in pieces, unless it has none. */
  head(head: AnswerHead, body: string | WholeBody | null, isWhole: boolean): void {
    this.hasHead = true
    this.#head.resolve({ head, body: isWhole ? body : this })
  }

  chunk(blocks: readonly Block[]): void {
    for (const block of blocks) {
      // Its reader has gone.
      if (this.#end !== undefined) block.free()
      else {
        this.#unreadBytes += block.lengthBytes
        this.#blocks.push(block)
      }
    }
    this.#wake?.()
  }

  end({ isBroken, hasFailed }: { readonly isBroken: boolean; readonly hasFailed: boolean }): void {
    this.#end = { isBroken }
    if (hasFailed) this.failure = new Error('the answer broke off')
    this.#wake?.()
  }

  async next(): Promise<Uint8Array | undefined> {
    this.#shown?.free()
    this.#shown = undefined
    while (this.#blocks.length === 0 && this.#end === undefined)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    const block = this.#blocks.shift()
    if (block === undefined) {
      if (this.#end?.isBroken === true) throw new Error('the answer broke off')
      return undefined
    }
    this.#unreadBytes -= block.lengthBytes
    this.post?.credit(block.lengthBytes)
    this.#shown = block
    return block.bytes
  }

  cancel(): void {
    for (const block of [this.#shown, ...this.#blocks]) block?.free()
    this.#shown = undefined
    this.#blocks.length = 0
    this.#unreadBytes = 0
    this.#end ??= { isBroken: true }
    this.#wake?.()
    this.post?.cancel()
  }
}
