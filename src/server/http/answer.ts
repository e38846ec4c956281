import { invariant } from '../../base/index.ts'
import { WholeBody, dropBody, isStream, type AnswerBody, type StreamBody } from '../../workers/index.ts'

/** Answer to a request, independent of its transport. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: AnswerBody
  /** Key of the request, if known. Answers of different keys are sent in fair turns. */
  readonly key?: string | undefined
  /** For status 101: returns the close frame to send after the last message. */
  readonly closing?: (() => Closing) | undefined
}

/** Close frame of a WebSocket: a code of RFC 6455, and a reason, which is truncated when sent. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/** Codes of close frames. */
export const CLOSE = { normal: 1000, goingAway: 1001, failed: 1011 } as const

/** Maximum size of a body that is put into a `Response` at once, bytes. */
const SINGLE_BODY_BYTES = 256 * 1024

/** Wraps a body so that `onEnd` is called at its end, with its error if any. */
export function watchedBody(body: StreamBody, onEnd: (error?: unknown) => void): StreamBody {
  let hasEnded = false
  const end = (error?: unknown): void => {
    if (hasEnded) return
    hasEnded = true
    onEnd(error)
  }
  return {
    async next() {
      try {
        const chunk = await body.next()
        if (chunk === undefined) end(body.failure)
        return chunk
      } catch (error) {
        end(error)
        throw error
      }
    },
    cancel() {
      body.cancel()
      end(new Error('the client went away'))
    },
    get failure() {
      return body.failure
    },
  }
}

const encoder = new TextEncoder()

function streamOf(body: WholeBody | StreamBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await body.next()
        if (chunk === undefined) controller.close()
        else controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk.slice())
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  )
}

function bytesOf(body: WholeBody): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(body.lengthBytes)
  let at = 0
  for (let chunk = body.next(); chunk !== undefined; chunk = body.next()) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Returns the body of an answer that is not a stream, as text. */
export function textOfAnswer({ body }: HttpAnswer): string {
  if (typeof body === 'string') return body
  invariant(body instanceof WholeBody, 'a whole answer')
  return Buffer.from(bytesOf(body)).toString()
}

/** Returns the headers, with `Content-Length` when the whole body is known. */
export function headersOf({ headers, body }: HttpAnswer): Readonly<Record<string, string>> {
  return body instanceof WholeBody ? { ...headers, 'Content-Length': String(body.lengthBytes) } : headers
}

/** Returns the answer to a HEAD request: the given answer without its body. */
export function withoutBody(answer: HttpAnswer): HttpAnswer {
  const headers = headersOf(answer)
  dropBody(answer.body)
  return { ...answer, headers, body: null }
}

/** Converts an answer to a `Response`, for a caller without a socket. */
export function responseOf(answer: HttpAnswer): Response {
  const { status, body } = answer
  const init = { status, headers: headersOf(answer) }
  if (isStream(body)) return new Response(streamOf(body), init)
  if (!(body instanceof WholeBody)) return new Response(body as string | Uint8Array<ArrayBuffer> | null, init)
  return new Response(body.lengthBytes > SINGLE_BODY_BYTES ? streamOf(body) : bytesOf(body), init)
}
