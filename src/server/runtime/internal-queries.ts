import type { SendClock } from '../../alerting/notify/index.ts'
import { printJsonExact, type PlainJson } from '../../data/index.ts'
import type { Access } from '../auth/auth-context.ts'
import { textOfAnswer } from '../http/answer.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import type { InternalQuery } from '../routes/definition/internal-query.ts'

/** Maximum time of a query including retries, ms (M15). */
export const MAX_QUERY_MS = 30_000

/** Delays before retries of a query for which the server was busy or a source unavailable, ms (M15). */
const RETRY_PAUSES_MS: readonly number[] = [1000, 3000]

/** Scheduling key of evaluations in the queue of query workers. All evaluations count as one caller. */
const KEY_ID = 'alerting'

export const systemClock: SendClock = {
  nowMs: () => Date.now(),
  schedule: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Clock and timers of queries. */
export interface QueryClock {
  /** Returns the milliseconds since an arbitrary fixed time. */
  nowMs(): number
  /** Calls `run` once after a delay, ms. The returned function cancels it. */
  schedule(delayMs: number, run: () => void): () => void
}

/** Clock of queries. It advances even while the clock of a test server stands still. */
const monotonicClock: QueryClock = {
  nowMs: () => performance.now(),
  schedule: (delayMs, run) => systemClock.schedule(delayMs, run),
}

/** Resolves after a time in ms. Rejects when `signal` aborts. */
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

/** Runs queries that the server itself starts, on its workers if there are any. */
export class InternalQueries {
  readonly #context: ServerContext
  readonly #backend: string
  readonly #end: AbortSignal
  readonly #clock: QueryClock

  /** The abort of `end` interrupts all queries. */
  constructor(context: ServerContext, backend: string, end: AbortSignal, clock = monotonicClock) {
    this.#context = context
    this.#backend = backend
    this.#end = end
    this.#clock = clock
  }

  /**
   * Runs a query, with retries if the server is busy or a source is unavailable, for at most `withinMs` and at most 30
   * s. Rejects with an Error that has the reason.
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
