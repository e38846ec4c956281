import type { SendClock } from '../../alerting/notify/index.ts'
import { printJsonExact, type PlainJson } from '../../data/index.ts'
import type { Access } from '../auth/auth-context.ts'
import { textOfAnswer } from '../http/answer.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import type { InternalQuery } from '../routes/definition/internal-query.ts'

/** Longest time of a query with its repetitions, in milliseconds (M15). */
export const MAX_QUERY_MS = 30_000

/** Pauses before a query is repeated that met a busy server or a source that is away, in milliseconds (M15). */
const RETRY_PAUSES_MS: readonly number[] = [1000, 3000]

/** Key under which evaluations wait for query workers, so that they share the place of one caller. */
const KEY_ID = 'alerting'

export const systemClock: SendClock = {
  nowMs: () => Date.now(),
  schedule: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Time and timers of queries. */
export interface QueryClock {
  /** Milliseconds since any fixed moment. */
  nowMs(): number
  /** Runs once after a delay in milliseconds; the result cancels it. */
  schedule(delayMs: number, run: () => void): () => void
}

/** The clock of a test server stands still while an evaluation runs, so queries have this one. */
const monotonicClock: QueryClock = {
  nowMs: () => performance.now(),
  schedule: (delayMs, run) => systemClock.schedule(delayMs, run),
}

/** Resolves after a time in milliseconds. Rejects when `signal` is aborted. */
function pause(ms: number, signal: AbortSignal, clock: QueryClock): Promise<void> {
  return new Promise((done, fail) => {
    signal.throwIfAborted()
    const stop = (): void => {
      cancel()
      fail(new Error('the queries were interrupted'))
    }
    const cancel = clock.schedule(ms, () => {
      signal.removeEventListener('abort', stop)
      done()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Runs the queries that a server itself starts, on its workers if it has some. */
export class InternalQueries {
  readonly #context: ServerContext
  readonly #backend: string
  readonly #end: AbortSignal
  readonly #clock: QueryClock

  /** `end` interrupts all queries. */
  constructor(context: ServerContext, backend: string, end: AbortSignal, clock = monotonicClock) {
    this.#context = context
    this.#backend = backend
    this.#end = end
    this.#clock = clock
  }

  /**
   * Runs a query, and again if the server is busy or a source is away, for at most `withinMs` milliseconds in all, which
   * are 30 s at most. Rejects with an Error that has the reason.
   */
  async run<Request, Answer>(
    query: InternalQuery<Request, Answer>,
    request: PlainJson,
    access: Access,
    withinMs = MAX_QUERY_MS,
  ): Promise<Answer> {
    const clock = this.#clock
    const limitMs = Math.min(withinMs, MAX_QUERY_MS)
    const deadline = new AbortController()
    const cancel = clock.schedule(limitMs, () => deadline.abort())
    const signal = AbortSignal.any([deadline.signal, this.#end])
    const beginMs = clock.nowMs()
    try {
      for (const pauseMs of [...RETRY_PAUSES_MS, Infinity]) {
        const answer = await this.#attempt(query, request, access, signal)
        if (answer !== 'busy' && query.isTemporary?.(answer) !== true) return answer
        if (clock.nowMs() - beginMs + pauseMs < limitMs) {
          await pause(pauseMs, signal, clock)
          continue
        }
        if (answer !== 'busy') return answer
        break
      }
      throw new Error('the server was too busy to run the queries')
    } catch (error) {
      if (signal.aborted) throw new Error(`the queries took longer than ${limitMs / 1000} s`, { cause: error })
      throw error
    } finally {
      cancel()
    }
  }

  async #attempt<Request, Answer>(
    query: InternalQuery<Request, Answer>,
    request: PlainJson,
    { scope, storedScopes = [] }: Access,
    signal: AbortSignal,
  ): Promise<Answer | 'busy'> {
    const { workers, beginRead } = this.#context
    const backend = this.#backend
    if (workers === undefined) {
      const caller = { backend, scope, signal, readsText: () => undefined }
      const endRead = beginRead?.()
      try {
        return await query.run(query.read(request), caller, this.#context)
      } finally {
        endRead?.()
      }
    }
    const { head, body } = await workers.answer({
      route: query.name,
      path: new Map(),
      search: '',
      accept: null,
      encodingFlags: null,
      contentType: 'application/json',
      body: new TextEncoder().encode(printJsonExact(request)),
      backend,
      scope: scope === undefined ? 'everything' : storedScopes,
      keyId: KEY_ID,
      traceId: KEY_ID,
      signal,
    })
    const text = textOfAnswer({ ...head, body })
    if (head.status === 503) return 'busy'
    const json: unknown = JSON.parse(text)
    if (head.status === 200) return json as Answer
    throw new Error((json as { readonly message?: string }).message ?? `the query answered with ${head.status}`)
  }
}
