import { WINDOW_BYTES, type AnswerHead, type FromWorker } from './protocol.ts'

/** One request for a worker. */
export interface JobRequest {
  /** Whose it is: work is shared out by key. */
  readonly key: string
  readonly request: unknown
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** What it may take from its beginning, milliseconds. */
  readonly timeoutMs: number
  /** Breaks the connection of the reader, so that a part cannot pass for the whole. Without it the body fails. */
  readonly breakOff?: (() => Promise<void>) | undefined
}

/** How an answer ended. `isBroken`: it is not complete. `hasFailed`: it tells of an error itself. */
export interface AnswerEnd {
  readonly isBroken: boolean
  readonly hasFailed: boolean
}

export interface PooledAnswer {
  readonly head: AnswerHead
  readonly body: Uint8Array | ReadableStream<Uint8Array> | null
  /** Of an answer that comes in pieces: settles when its reader has the last, or has gone. */
  readonly ended: Promise<AnswerEnd> | undefined
}

/** What a job may ask of the worker that has it. */
export interface JobPost {
  readonly credit: (bytes: number) => void
  readonly cancel: () => void
}

/** A job on its way, and what of its answer has come. */
export class Job {
  /** Another one each time that a worker gets it: what a former one still says of it is not meant. */
  id = 0
  readonly given: JobRequest
  readonly key: string
  readonly answer: Promise<PooledAnswer>
  /** True when the worker that had it before was lost. */
  isSecond = false
  /** It may be what a worker died of, so it runs by itself. */
  isSuspect = false
  /** When the worker that has it got it. */
  startedMs = Infinity
  /** What it may take from then on, milliseconds. */
  timeoutMs: number
  cancelledMs: number | undefined
  /** Where it runs. */
  post: JobPost | undefined
  hasHead = false
  readonly #head = Promise.withResolvers<PooledAnswer>()
  readonly #ended = Promise.withResolvers<AnswerEnd>()
  readonly #chunks: Uint8Array[] = []
  #end: AnswerEnd | undefined
  #unreadBytes = 0
  /** When its reader last took something that the worker waited for. */
  #resumedMs = 0
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
    return Math.max(Math.min(this.startedMs + this.timeoutMs, this.cancelledMs ?? Infinity), this.#resumedMs)
  }

  fail(error: unknown): void {
    if (this.hasHead) this.end({ isBroken: true, hasFailed: true })
    else this.#head.reject(error)
  }

  head({ head, body, isWhole }: Extract<FromWorker, { kind: 'head' }>): void {
    this.hasHead = true
    if (isWhole) this.#head.resolve({ head, body, ended: undefined })
    else this.#head.resolve({ head, body: this.#stream(), ended: this.#ended.promise })
  }

  chunk(bytes: Uint8Array): void {
    this.#unreadBytes += bytes.byteLength
    this.#chunks.push(bytes)
    this.#wake?.()
  }

  end(end: AnswerEnd): void {
    this.#end = end
    this.#wake?.()
  }

  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (this.#chunks.length === 0 && this.#end === undefined)
            await new Promise<void>((resolve) => (this.#wake = resolve))
          const chunk = this.#chunks.shift()
          if (chunk !== undefined) {
            if (this.isUnread) this.#resumedMs = performance.now()
            this.#unreadBytes -= chunk.byteLength
            this.post?.credit(chunk.byteLength)
            return controller.enqueue(chunk)
          }
          const end = this.#end ?? { isBroken: true, hasFailed: true }
          this.#ended.resolve(end)
          if (!end.isBroken) return controller.close()
          const { breakOff } = this.given
          await breakOff?.()
          return breakOff === undefined ? controller.error(new Error('the answer broke off')) : controller.close()
        },
        cancel: () => {
          this.#chunks.length = 0
          this.#unreadBytes = 0
          this.#ended.resolve({ isBroken: true, hasFailed: true })
          this.post?.cancel()
        },
      },
      { highWaterMark: 0 },
    )
  }
}
