import type { MessagePort } from 'node:worker_threads'
import type { SharedBlock } from './blocks.ts'
import { WholeBody, type AnswerBody, type StreamBody } from './body.ts'
import { WINDOW_BYTES, type AnswerHead } from './protocol.ts'

/** A request for a worker. */
export interface JobRequest {
  /** The key of the caller. Work is shared out fairly between keys. */
  readonly key: string
  readonly request: unknown
  /** The port of a background job, which holds its task and receives its result; `undefined` for other jobs. */
  readonly port?: MessagePort | undefined
  /** Fires when no caller waits for the answer any more. */
  readonly signal: AbortSignal
  /** The time limit in milliseconds since the start of the job. */
  readonly timeoutMs: number
}

export interface PooledAnswer {
  readonly head: AnswerHead
  readonly body: AnswerBody
}

/** The connection from a job to the worker that runs it. */
export interface JobPost {
  readonly credit: (bytes: number) => void
  readonly cancel: () => void
  /**
   * Returns the time limit that the query's own text sets, in milliseconds; `Infinity` until the query has been read.
   */
  readonly limitMs: () => number
}

/**
 * The processor time in milliseconds from which a job counts as long. A job also counts as long after `LONG_WAIT_MS`
 * milliseconds on the clock, for example while it waits for a database.
 */
const LONG_MS = 100
const LONG_WAIT_MS = 200

/** A job and the part of its answer that has arrived. */
export class Job implements StreamBody {
  /**
   * The id of the job on its worker. It is new on every dispatch, so that late messages of a previous worker are
   * ignored.
   */
  id = 0
  readonly given: JobRequest
  readonly key: string
  readonly answer: Promise<PooledAnswer>
  /** True if this is the second attempt, after the first worker was lost. */
  isSecond = false
  /** The time when the job arrived, by `performance.now`. */
  readonly queuedMs = performance.now()
  /** The time when the current worker received the job, by `performance.now`; `Infinity` before. */
  startedMs = Infinity
  /** The time limit in milliseconds since `startedMs`. */
  timeoutMs: number
  cancelledMs: number | undefined
  /** True if the job was cancelled on the reserved worker, to be restarted on another one. */
  isMoving = false
  /** True if the job took too long for the reserved worker. */
  wasLong = false
  /** The time when the job last resumed after waiting for its reader, by `performance.now`. */
  resumedMs = 0
  /**
   * Bytes that the reader has taken while the worker was busy with another job. They are reported to the worker later.
   */
  heldCreditBytes = 0
  /** Processor time of the worker and of helping threads, in milliseconds. */
  workedMs = 0
  /** Milliseconds since the job should have ended, added up at each check. */
  overdueMs = 0
  /** The part of `overdueMs` in which the worker was not waiting for a core. */
  overdueOnCoreMs = 0
  /** The connection to the worker that runs the job. */
  post: JobPost | undefined
  hasHead = false
  /** The error that the last chunk of the answer reports. */
  failure: unknown
  readonly #head = Promise.withResolvers<PooledAnswer>()
  readonly #blocks: SharedBlock[] = []
  /** The block that the reader is using. */
  #shown: SharedBlock | undefined
  #end: { readonly isBroken: boolean } | undefined
  #unreadBytes = 0
  #wake: (() => void) | undefined

  constructor(given: JobRequest) {
    this.given = given
    this.key = given.key
    this.timeoutMs = given.timeoutMs
    this.answer = this.#head.promise
  }

  /** True if the worker waits because the reader has not taken enough of the sent bytes. */
  get isUnread(): boolean {
    return this.#unreadBytes >= WINDOW_BYTES
  }

  /**
   * The latest time at which the job should have ended. This is never before `resumedMs`, since a worker that waits for
   * a reader cannot report that the time of its job is over.
   */
  get latestMs(): number {
    return Math.max(Math.min(this.startedMs + this.timeoutMs, this.cancelledMs ?? Infinity), this.resumedMs)
  }

  get isLong(): boolean {
    return this.workedMs >= LONG_MS || performance.now() - this.startedMs >= LONG_WAIT_MS
  }

  /** Called when a worker starts the job. */
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

  /**
   * Resolves the answer with its head. When `isWhole` is true, `body` is the complete body; else the body follows in
   * chunks.
   */
  head(head: AnswerHead, body: string | WholeBody | null, isWhole: boolean): void {
    this.hasHead = true
    this.#head.resolve({ head, body: isWhole ? body : this })
  }

  chunk(blocks: readonly SharedBlock[]): void {
    for (const block of blocks) {
      // The reader has disconnected, so the block is freed here.
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
