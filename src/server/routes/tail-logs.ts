import { z } from 'zod'
import { BATCH_ROWS, always, parseDurationNs, present } from '../../base/index.ts'
import { RowWriter } from '../../data/index.ts'
import { isRowByRow } from '../../optimize/index.ts'
import type { ErrorResponse } from '../../wire/index.ts'
import type { StreamBody } from '../../workers/index.ts'
import { responseOf, type Answer } from '../http/answer.ts'
import { HttpFault, fault } from '../errors/http-fault.ts'
import { dialectParameter } from './definition/parameters.ts'
import { JSON_TYPE, json } from '../http/respond.ts'
import { defineRoute, type Call } from './definition/route.ts'
import { toErrorResponse } from '../errors/to-error-response.ts'
import { isSearched, searchParameters } from './search.ts'

/** Interval between steps, ms. */
const STEP_MS = 500
/** Interval between keep-alive comments, ms. */
const HEARTBEAT_MS = 15_000
const MAX_QUERY_CHARS = 64 * 1024
/** Maximum number of streams of one key. */
const TAILS_PER_KEY = 16

const stepBody = z.object({ query: z.string(), next: z.number().int().nonnegative().optional() })

interface Step {
  readonly next: number
  readonly dropped: number
  readonly rows: readonly string[]
}

/** Rows that arrived since the last step, oldest first. Internal: `next` counts hidden rows too. */
const tailStep = defineRoute({
  name: 'tailLogsStep',
  method: 'POST',
  path: '/api/logs/tail',
  summary: 'Rows that arrived',
  role: 'read',
  body: stepBody,
  answers: [{ status: 200, description: 'The rows.', contentType: JSON_TYPE }],
  isQuery: true,
  isAvailable: isSearched('logs'),
  handle: async ({ body, query, caller, context }) => {
    const dialect = dialectParameter(query)
    const arrivals = { next: body.next ?? Infinity }
    const answer = await present(context.search).search({
      ...caller,
      domain: 'logs',
      range: always,
      query: body.query,
      filters: undefined,
      sources: undefined,
      pipeline: undefined,
      dialect,
      arrivals,
    })
    if (answer.plan === undefined || !isRowByRow(answer.plan)) throw fault('not-tailed', undefined)
    const writer = new RowWriter(dialect)
    const rows: string[] = []
    let dropped = 0
    for await (const batch of answer.batches()) {
      for (const row of writer.batch(batch)) {
        if (rows.length < BATCH_ROWS) rows.push(row)
        else dropped++
      }
    }
    // No table with an order of arrival was read.
    if (!Number.isFinite(arrivals.next)) throw fault('not-tailed', undefined)
    const step: Step = { next: arrivals.next, dropped, rows: rows.toReversed() }
    return json(step)
  },
})

/** Open streams by server and key. */
const open = new WeakMap<object, Map<string, number>>()

/** Rows as they arrive, while someone reads. */
class Tail implements StreamBody {
  failure: unknown
  readonly #call: Call<unknown>
  readonly #ask: (next: number) => Promise<Step>
  readonly #leave: () => void
  readonly #endMs: number
  #next: number
  #sentMs = performance.now()
  #state: 'going' | 'ending' | 'ended' = 'going'
  #wake: () => void = () => {}

  constructor(
    call: Call<unknown>,
    ask: (next: number) => Promise<Step>,
    next: number,
    endMs: number,
    leave: () => void,
  ) {
    this.#call = call
    this.#ask = ask
    this.#next = next
    this.#endMs = endMs
    this.#leave = leave
    call.caller.signal.addEventListener('abort', () => this.#wake())
  }

  async next(): Promise<string | undefined> {
    try {
      while (this.#state === 'going') {
        await this.#pause()
        if (this.#isOver()) break
        const step = await this.#step()
        const { rows = [], dropped = 0 } = step ?? {}
        if (rows.length > 0) {
          this.#sentMs = performance.now()
          const lost = dropped === 0 ? '' : `"dropped":${dropped},`
          return `data: {"data":[${rows.join(',')}],${lost}"done":false}\n\n`
        }
        if (performance.now() - this.#sentMs > HEARTBEAT_MS) {
          this.#sentMs = performance.now()
          return ': nothing yet\n\n'
        }
      }
    } catch (error) {
      this.failure = error
      this.#state = 'ended'
      this.#leave()
      const { message, code, trace_id } =
        error instanceof AnsweredError ? error.told : toErrorResponse(error, { traceId: this.#call.traceId }).body
      return `data: ${JSON.stringify({ done: true, error: message, code, trace_id })}\n\n`
    }
    if (this.#state === 'ended') return undefined
    this.#state = 'ended'
    this.#leave()
    return 'data: {"done":true}\n\n'
  }

  cancel(): void {
    this.#state = 'ended'
    this.#leave()
    this.#wake()
  }

  #isOver(): boolean {
    return this.#state !== 'going' || this.#call.caller.signal.aborted || performance.now() >= this.#endMs
  }

  /** A busy server is asked again: arrived rows wait in the store. */
  async #step(): Promise<Step | undefined> {
    try {
      const step = await this.#ask(this.#next)
      this.#next = step.next
      return step
    } catch (error) {
      const status =
        error instanceof HttpFault ? error.status : error instanceof AnsweredError ? error.answer.status : 0
      if (status === 429 || status === 503) return undefined
      throw error
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(STEP_MS, this.#endMs - performance.now())))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#isOver()) this.#wake()
    })
  }
}

async function stepOf(answer: Answer): Promise<Step> {
  const text = await responseOf(answer).text()
  if (answer.status !== 200) throw new AnsweredError(answer, text)
  return JSON.parse(text) as Step
}

/** A step that a worker refused, with its answer. */
class AnsweredError extends Error {
  readonly answer: Answer
  readonly told: Pick<ErrorResponse, 'message' | 'code' | 'trace_id'>

  constructor({ status, headers }: Answer, body: string) {
    const told = JSON.parse(body) as ErrorResponse
    super(told.message)
    this.told = told
    this.answer = { status, headers, body }
  }
}

function endOf(query: URLSearchParams): number {
  const text = query.get('for')
  if (text === null) return Infinity
  const ns = parseDurationNs(text)
  if (ns === undefined || ns <= 0n)
    throw fault('bad-parameter', { name: 'for', found: text.slice(0, 80), expected: 'a time such as `10s`' })
  return performance.now() + Number(ns) / 1e6
}

export const tailLogsRoute = defineRoute({
  name: 'tailLogs',
  method: 'GET',
  path: '/api/logs/tail',
  summary: 'Follow logs as they arrive',
  role: 'read',
  parameters: [
    { name: 'query', description: 'Filters, and pipes that process rows one by one.', schema: z.string() },
    { name: 'for', description: 'Duration after which the stream ends, such as `10s`.', schema: z.string().optional() },
    ...searchParameters,
  ],
  answers: [
    {
      status: 200,
      description:
        'Messages with `data` and `done`, rows in the order of their times within one. `dropped` counts rows for which the reader was too slow.',
      schema: z.string(),
      contentType: 'text/event-stream',
    },
  ],
  isQuery: false,
  asks: tailStep,
  isAvailable: isSearched('logs'),
  handle: async (call) => {
    const { context, identity } = call
    const query = call.query.get('query')
    if (query === null || query.trim() === '')
      throw fault('missing-parameter', { name: 'query', hint: 'The query `*` finds every record.' })
    if (query.length > MAX_QUERY_CHARS)
      throw fault('bad-parameter', {
        name: 'query',
        expected: `of at most ${MAX_QUERY_CHARS} characters`,
        found: 'a longer one',
      })
    dialectParameter(call.query)
    const endMs = endOf(call.query)
    const counts = open.get(context) ?? new Map<string, number>()
    open.set(context, counts)
    const count = counts.get(identity.keyId) ?? 0
    if (count >= TAILS_PER_KEY) throw fault('too-many-queries', { limit: TAILS_PER_KEY })
    counts.set(identity.keyId, count + 1)
    let hasLeft = false
    const leave = (): void => {
      if (hasLeft) return
      hasLeft = true
      const left = (counts.get(identity.keyId) ?? 1) - 1
      if (left === 0) counts.delete(identity.keyId)
      else counts.set(identity.keyId, left)
    }
    const ask = async (next?: number): Promise<Step> =>
      stepOf(await present(call.ask)(Buffer.from(JSON.stringify({ query, next }))))
    try {
      const { next } = await ask()
      const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }
      return { status: 200, headers, body: new Tail(call, ask, next, endMs, leave) }
    } catch (error) {
      leave()
      if (error instanceof AnsweredError) return error.answer
      throw error
    }
  },
})
