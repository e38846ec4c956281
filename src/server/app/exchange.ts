import { isStream } from '../../workers/index.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { BodyReader } from '../http/body.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { errorAnswer, type ErrorForm } from '../http/error-forms.ts'
import { ROWS_READ_HEADER } from '../search/row-array.ts'
import { reportSlow } from './slow-query.ts'
import { traceIdOf } from '../http/request-id.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { toErrorResponse, type ErrorContext } from '../errors/to-error-response.ts'

/** Status for metrics and log if the client disconnected before the answer, as in nginx. */
const CLIENT_GONE = 499

/** Facts about the connection of a request, and functions that act on it. */
export interface Transport {
  /** True if the client is on this machine. Makes a system call. */
  readonly isLocal: () => boolean
  /** Host name that the server listens on, if the connection came to a loopback address. */
  readonly loopbackName?: () => string | undefined
  /** Lifts the time limit for the body while its sender keeps sending. */
  readonly mayLast?: () => void
  /** Sends `100 Continue` to a client that waits before sending the body. */
  readonly goOn?: () => void
  /** True if the request asks for a WebSocket, which is opened by an answer with status 101. */
  readonly isWebSocket?: boolean
  /** Returns a reader of the body as it arrives. If missing, the body is read from the request. */
  readonly body?: () => BodyReader
}

/**
 * A request until its answer has been sent. Gives the request an id, formats its errors, and counts and logs it once.
 */
export class Exchange {
  readonly request: Request
  readonly traceId: string
  /** Name of the route in metrics and log. */
  readonly route: string
  /** Public id of the caller's key, once authenticated. */
  keyId: string | undefined
  /** Text that error spans refer to. */
  source: ErrorContext['source']
  /** Formats errors for the route's clients; `undefined` if they receive only the envelope. */
  shapeError: ErrorForm['shapeError'] | undefined
  /** For queries: returns the query text for the slow-query log. */
  queryText: (() => string) | undefined
  readonly transport: Transport | undefined
  readonly #context: ServerContext
  readonly #telemetry: Telemetry
  readonly #startedMs = performance.now()
  #status = 200
  #rowsRead: number | undefined
  #isFinished = false

  constructor(request: Request, route: string, context: ServerContext, telemetry: Telemetry, transport?: Transport) {
    this.transport = transport
    this.request = request
    this.route = route
    this.#context = context
    this.#telemetry = telemetry
    this.traceId = traceIdOf(request.headers, context.randomBytes)
  }

  /** Runs the handler. For a streamed answer, its producer must call `finish`. */
  async answer(make: (exchange: this) => Promise<HttpAnswer> | HttpAnswer): Promise<HttpAnswer> {
    let answer: HttpAnswer
    try {
      answer = await make(this)
    } catch (error) {
      const plain = toErrorResponse(error, { traceId: this.traceId, source: this.source })
      const shaped = this.shapeError?.(error, plain, this.source, this.request.headers) ?? plain
      // Errors after the client has disconnected are not reported as internal errors.
      if (shaped.status === 500 && !this.request.signal.aborted) {
        this.#context.log.error({ traceId: this.traceId, route: this.route, error }, 'internal error')
      }
      answer = errorAnswer(shaped)
    }
    this.#status = answer.status
    const read = answer.headers[ROWS_READ_HEADER]
    this.#rowsRead = read === undefined ? undefined : Number(read)
    if (!isStream(answer.body)) this.finish()
    const headers = {
      // A shared cache might store an answer to a request with a cookie and return it to another user.
      'Cache-Control': 'no-store',
      ...answer.headers,
      'X-Request-Id': this.traceId,
      'X-Content-Type-Options': 'nosniff',
    }
    return { ...answer, headers, key: this.keyId }
  }

  /** Must be called when the answer has ended, with its error if any. */
  finish(error?: unknown): void {
    if (this.#isFinished) return
    this.#isFinished = true
    const status = this.request.signal.aborted ? CLIENT_GONE : this.#status
    const seconds = (performance.now() - this.#startedMs) / 1000
    const { method } = this.request
    this.#telemetry.observe(this.route, method, status, seconds)
    if (this.queryText !== undefined) this.#finishQuery(this.queryText, seconds, status)
    const fields = { traceId: this.traceId, route: this.route, method, status, seconds, keyId: this.keyId }
    this.#context.log.info(error === undefined ? fields : { ...fields, brokeOff: true }, 'request')
  }

  #finishQuery(text: () => string, seconds: number, status: number): void {
    const { route, keyId, traceId } = this
    const rowsRead = this.#rowsRead
    this.#telemetry.observeQuery(route, seconds)
    reportSlow(this.#context.slowQueries, seconds, () => ({ route, query: text(), rowsRead, status, keyId, traceId }))
  }
}
