import { BATCH_ROWS, BUFFER_BYTES, parseDurationNs, present } from '../../base/index.ts'
import type { RecordBatch } from '../../data/index.ts'
import { isRowByRow } from '../../optimize/index.ts'
import type { ErrorResponse } from '../../wire/index.ts'
import type { StreamBody } from '../../workers/index.ts'
import { HttpFault, fault } from '../errors/http-fault.ts'
import { toErrorResponse } from '../errors/to-error-response.ts'
import { CLOSE, responseOf, type HttpAnswer, type Closing } from '../http/answer.ts'
import { json } from '../http/respond.ts'
import type { SearchAnswer, SearchRequest, SearchService } from '../search/service-interfaces.ts'
import type { RouteCall } from './definition/route.ts'

/** Interval between steps, ms. */
const STEP_MS = 500
/** Interval between keep-alive messages, ms. */
const HEARTBEAT_MS = 15_000
/** Maximum number of concurrent streams of a key. */
const TAILS_PER_KEY = 16
/** Maximum number of dropped rows that a step describes, as in Loki's tail. */
const MAX_LOST = 1000

/**
 * Rows that arrived since the last step, oldest first. A step is never sent to clients, because `next` counts hidden
 * rows too.
 */
export interface TailStep {
  readonly next: number
  readonly dropped: number
  readonly rows: readonly string[]
  /** Descriptions of the first dropped rows, if the format has them. */
  readonly lost?: readonly string[] | undefined
}

/** Output format of a stream. */
export interface TailForm {
  /** Content type of the stream; `undefined` if its chunks are messages of a WebSocket. */
  readonly type: string | undefined
  readonly rows: (step: TailStep) => string
  /** Text that is sent after some time without rows; `undefined` if nothing is sent. */
  readonly heartbeat: string | undefined
  readonly end: string
  /** Text sent after an error; `undefined` if the WebSocket's close frame reports it. */
  readonly error: (failure: TailFailure) => string | undefined
  /** True if the connection must be broken after an error, because the format has no end mark. */
  readonly breaksOnError: boolean
}

type TailFailure = Pick<ErrorResponse, 'message' | 'code' | 'trace_id'>

/** Formats the rows of a step. */
interface StepWriter {
  readonly batch: (batch: RecordBatch) => Iterable<string>
  /** Describes a formatted row that is dropped, for `TailStep.lost`. */
  readonly lost?: (row: string) => string
}

/** Returns the newest rows of an answer, oldest first, and the number of further rows. */
async function newestRows(answer: SearchAnswer, writer: StepWriter): Promise<Omit<TailStep, 'next'>> {
  const rows: string[] = []
  const lost: string[] = []
  let dropped = 0
  let chars = 0
  for await (const batch of answer.batches()) {
    for (const row of writer.batch(batch)) {
      if (rows.length < BATCH_ROWS && chars < BUFFER_BYTES) {
        rows.push(row)
        chars += row.length
      } else if (++dropped <= MAX_LOST && writer.lost !== undefined) lost.push(writer.lost(row))
    }
  }
  return { rows: rows.toReversed(), dropped, ...(lost.length === 0 ? {} : { lost }) }
}

/** Parameters of one step of a stream. */
export interface StepSearch {
  readonly service: SearchService
  readonly request: SearchRequest
  readonly writer: StepWriter
  /** Position after the previous step; `undefined` for the first step. */
  readonly next: number | undefined
  /** Changes to the search of the first step, which returns stored rows: another time range or another plan. */
  readonly before?: Pick<SearchRequest, 'range' | 'over'> | undefined
  /** Renames or changes fields of the answer before it is formatted. */
  readonly shown?: (answer: SearchAnswer) => SearchAnswer
}

/** Answers one step of a stream. */
export async function tailStepAnswer(search: StepSearch): Promise<HttpAnswer> {
  const { service, request, writer, next, before, shown = (answer) => answer } = search
  const arrivals = { next: next ?? Infinity }
  const arrived = await service.search({ ...request, arrivals })
  if (arrived.plan === undefined || !isRowByRow(arrived.plan)) throw fault('not-tailed', undefined)
  const found = await newestRows(shown(arrived), writer)
  // The query reads no table with an arrival order.
  if (!Number.isFinite(arrivals.next)) throw fault('not-tailed', undefined)
  const isFirst = next === undefined && before !== undefined
  const rows = isFirst ? await newestRows(shown(await service.search({ ...request, ...before })), writer) : found
  const step: TailStep = { next: arrivals.next, ...rows }
  return json(step)
}

/** Open streams by server and key. */
const open = new WeakMap<object, Map<string, number>>()

/** A stream of arriving rows, as long as its reader is connected. */
class Tail implements StreamBody {
  failure: unknown
  readonly #call: RouteCall<unknown>
  readonly #ask: (next: number) => Promise<TailStep>
  readonly #leave: () => void
  readonly #endMs: number
  readonly #form: TailForm
  #next: number
  /** Result of the first step, if it has rows that were not sent yet. */
  #first: TailStep | undefined
  #sentMs = performance.now()
  #state: 'going' | 'ending' | 'ended' = 'going'
  #wake: () => void = () => {}
  /** Error that ended the stream. */
  #failure: TailFailure | undefined

  constructor(call: RouteCall<unknown>, { ask, form, endMs }: TailOptions, first: TailStep, leave: () => void) {
    this.#call = call
    this.#ask = ask
    this.#next = first.next
    this.#first = first.rows.length > 0 ? first : undefined
    this.#endMs = endMs
    this.#form = form
    this.#leave = leave
    call.caller.signal.addEventListener('abort', () => this.#wake())
  }

  async next(): Promise<string | undefined> {
    const form = this.#form
    if (this.#state === 'ended' && this.failure !== undefined && form.breaksOnError)
      throw new Error('the answer broke off')
    try {
      while (this.#state === 'going') {
        if (this.#first === undefined) await this.#pause()
        if (this.#isOver()) break
        const step = this.#first ?? (await this.#step())
        this.#first = undefined
        if (step !== undefined && step.rows.length > 0) {
          this.#sentMs = performance.now()
          return form.rows(step)
        }
        if (form.heartbeat !== undefined && performance.now() - this.#sentMs > HEARTBEAT_MS) {
          this.#sentMs = performance.now()
          return form.heartbeat
        }
      }
    } catch (error) {
      this.failure = error
      this.#state = 'ended'
      this.#leave()
      const failure =
        error instanceof AnsweredError ? error.failure : toErrorResponse(error, { traceId: this.#call.traceId }).body
      if (!this.#call.caller.signal.aborted) this.#failure = failure
      return form.error(failure)
    }
    if (this.#state === 'ended') return undefined
    this.#state = 'ended'
    this.#leave()
    return form.end === '' ? undefined : form.end
  }

  cancel(): void {
    this.#state = 'ended'
    this.#leave()
    this.#wake()
  }

  /** Close frame that a WebSocket sends after the rows. */
  get closing(): Closing {
    if (this.#failure !== undefined) return { code: CLOSE.failed, reason: this.#failure.message }
    const { aborted: isStopped } = this.#call.caller.signal
    return isStopped
      ? { code: CLOSE.goingAway, reason: 'the server is being stopped' }
      : { code: CLOSE.normal, reason: '' }
  }

  #isOver(): boolean {
    return this.#state !== 'going' || this.#call.caller.signal.aborted || performance.now() >= this.#endMs
  }

  /** Requests a step, and requests it again while the server is busy. Rows that arrive meanwhile stay in the store. */
  async #step(): Promise<TailStep | undefined> {
    try {
      const step = await this.#ask(this.#next)
      this.#next = step.next
      return step
    } catch (error) {
      const refused = error instanceof HttpFault ? error : error instanceof AnsweredError ? error.answer : undefined
      // A step that took too long has no `Retry-After` and is not repeated.
      if (refused?.headers['Retry-After'] === undefined) throw error
      return undefined
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

async function stepOf(answer: HttpAnswer): Promise<TailStep> {
  const text = await responseOf(answer).text()
  if (answer.status !== 200) throw new AnsweredError(answer, text)
  return JSON.parse(text) as TailStep
}

/** Parses the envelope of a failed step; an answer in another format is text. */
function failureIn(body: string): TailFailure {
  try {
    return JSON.parse(body) as ErrorResponse
  } catch {
    return { message: body.trim(), code: '', trace_id: '' }
  }
}

/** Thrown for a step that a worker answered with an error. */
class AnsweredError extends Error {
  readonly answer: HttpAnswer
  readonly failure: TailFailure

  constructor({ status, headers }: HttpAnswer, body: string) {
    const failure = failureIn(body)
    super(failure.message)
    this.failure = failure
    this.answer = { status, headers, body }
  }
}

/**
 * Returns the time at which the parameter `for` ends a stream, on the clock of `performance.now`; infinite by default.
 */
export function endOf(text: string | undefined): number {
  if (text === undefined) return Infinity
  const ns = parseDurationNs(text)
  if (ns === undefined || ns <= 0n)
    throw fault('bad-parameter', { name: 'for', found: text.slice(0, 80), expected: 'a time such as `10s`' })
  return performance.now() + Number(ns) / 1e6
}

/** The parts of a stream. */
export interface TailOptions {
  readonly form: TailForm
  /** Time at which the stream ends, on the clock of `performance.now`. */
  readonly endMs: number
  /** Requests the next step, from the position `next`; the first step has no position. Rejects if the step fails. */
  readonly ask: (next?: number) => Promise<TailStep>
}

/** Runs the internal route for a step. */
export async function askStep(call: Pick<RouteCall<unknown>, 'ask'>, body: object): Promise<TailStep> {
  return stepOf(await present(call.ask)(Buffer.from(JSON.stringify(body))))
}

/**
 * Opens a stream of arriving rows. Throws if the key has too many streams. If the first step fails, answers with its
 * error.
 */
export async function openTail(call: RouteCall<unknown>, options: TailOptions): Promise<HttpAnswer> {
  const { context, identity } = call
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
  try {
    const body = new Tail(call, options, await options.ask(), leave)
    const { type } = options.form
    if (type === undefined) return { status: 101, headers: {}, body, closing: () => body.closing }
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }
    return { status: 200, headers, body }
  } catch (error) {
    leave()
    if (error instanceof AnsweredError) return error.answer
    throw error
  }
}
