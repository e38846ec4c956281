import { isStream } from '../../workers/index.ts'
import type { Answer } from '../http/answer.ts'
import type { BodyReader } from '../http/body.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { errorAnswer, type ErrorForm } from '../http/error-forms.ts'
import { traceIdOf } from '../http/request-id.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { toErrorResponse, type ErrorContext } from '../errors/to-error-response.ts'

/** What metrics and log say when the client did not wait for the answer. */
const CLIENT_GONE = 499

/** What is known of the connection that a request came by. */
export interface Transport {
  /** True when the other end of the connection is on this machine. To be asked only where it matters: it asks the system. */
  readonly isLocal: () => boolean
  /** The name that the server listens by, where the connection came to a loopback address; `undefined` elsewhere. */
  readonly loopbackName?: () => string | undefined
  /** The body may take as long as its sender keeps sending. */
  readonly mayLast?: () => void
  /** The body is wanted now: says so to a sender that waits for it. */
  readonly goOn?: () => void
  /** Reads the body, once, as it comes; left out where only the request has it. */
  readonly body?: () => BodyReader
}

/** One request on its way to its answer: names it, turns errors into the envelope, counts and logs it once. */
export class Exchange {
  readonly request: Request
  readonly traceId: string
  /** Name of the route in metrics and log. */
  readonly route: string
  /** Set when the caller is known. */
  keyId: string | undefined
  /** The text that spans of an error count in. */
  source: ErrorContext['source']
  /** How the route's clients want an error told, where that is not the envelope alone. */
  shapeError: ErrorForm['shapeError'] | undefined
  readonly transport: Transport | undefined
  readonly #context: ServerContext
  readonly #telemetry: Telemetry
  readonly #startedMs = performance.now()
  #status = 200
  #isFinished = false

  constructor(request: Request, route: string, context: ServerContext, telemetry: Telemetry, transport?: Transport) {
    this.transport = transport
    this.request = request
    this.route = route
    this.#context = context
    this.#telemetry = telemetry
    this.traceId = traceIdOf(request.headers, context.randomBytes)
  }

  /** An answer that comes as a stream is not finished: whoever makes it calls `finish`. */
  async answer(make: (exchange: this) => Promise<Answer> | Answer): Promise<Answer> {
    let answer: Answer
    try {
      answer = await make(this)
    } catch (error) {
      const plain = toErrorResponse(error, { traceId: this.traceId, source: this.source })
      const shaped = this.shapeError?.(error, plain, this.source, this.request.headers) ?? plain
      // Whatever breaks because nobody waits for it any more is not a fault.
      if (shaped.status === 500 && !this.request.signal.aborted) {
        this.#context.log.error({ traceId: this.traceId, route: this.route, error }, 'internal error')
      }
      answer = errorAnswer(shaped)
    }
    this.#status = answer.status
    if (!isStream(answer.body)) this.finish()
    const headers = { ...answer.headers, 'X-Request-Id': this.traceId, 'X-Content-Type-Options': 'nosniff' }
    return { ...answer, headers, key: this.keyId }
  }

  /** The answer has ended, well or with an error. */
  finish(error?: unknown): void {
    if (this.#isFinished) return
    this.#isFinished = true
    const status = this.request.signal.aborted ? CLIENT_GONE : this.#status
    const seconds = (performance.now() - this.#startedMs) / 1000
    const { method } = this.request
    this.#telemetry.observe(this.route, method, status, seconds)
    const fields = { traceId: this.traceId, route: this.route, method, status, seconds, keyId: this.keyId }
    this.#context.log.info(error === undefined ? fields : { ...fields, brokeOff: true }, 'request')
  }
}
