import type { RecordBatch, RowWriter } from '../data/index.ts'
import { warningHeaders } from './respond.ts'
import type { SearchAnswer } from './service-interfaces.ts'
import { toErrorResponse, type ErrorContext } from './to-error-response.ts'

/** How rows are sent while they are being found. */
export type StreamFormat = 'events' | 'lines'

const EVENTS_TYPE = 'text/event-stream'
const LINES_TYPE = 'application/x-ndjson'
const CHUNK_CHARS = 32 * 1024

/** The format that an `Accept` header asks for; `undefined` when it asks for none of them. */
export function streamFormatOf(accept: string | null): StreamFormat | undefined {
  const types = (accept ?? '').split(',').map((entry) => entry.replace(/;.*$/, '').trim().toLowerCase())
  if (types.includes(EVENTS_TYPE)) return 'events'
  if (types.includes(LINES_TYPE)) return 'lines'
  return undefined
}

interface Framing {
  readonly type: string
  readonly rows: (printed: readonly string[]) => string
  readonly end: string
  /** What tells a client of an error after the status has gone out. */
  readonly error: (answer: ReturnType<typeof toErrorResponse>) => string
  /** Whether the connection must break after an error, because nothing in the format marks the end. */
  readonly breaksOnError: boolean
}

const FRAMINGS: { readonly [K in StreamFormat]: Framing } = {
  events: {
    type: EVENTS_TYPE,
    rows: (printed) => `data: {"data":[${printed.join(',')}],"done":false}\n\n`,
    end: 'data: {"done":true}\n\n',
    error: ({ body }) =>
      `data: ${JSON.stringify({ done: true, error: body.message, code: body.code, trace_id: body.trace_id })}\n\n`,
    breaksOnError: false,
  },
  lines: {
    type: LINES_TYPE,
    rows: (printed) => `${printed.join('\n')}\n`,
    end: '',
    error: ({ body }) => `${JSON.stringify({ error: body })}\n`,
    breaksOnError: true,
  },
}

export interface StreamOptions {
  readonly format: StreamFormat
  readonly writer: RowWriter
  readonly errors: ErrorContext
  readonly breakOff: (() => Promise<void>) | undefined
  /** Called once: with nothing at the end, with what went wrong, or with the reader's reason for leaving. */
  readonly onEnd: (error?: unknown) => void
}

/** The rows of an answer as printed pieces of about the size of a chunk. */
async function* pieces(
  first: IteratorResult<RecordBatch>,
  rest: AsyncIterator<RecordBatch>,
  writer: RowWriter,
): AsyncGenerator<readonly string[]> {
  try {
    for (let batch = first; batch.done !== true; batch = await rest.next()) {
      let printed: string[] = []
      let chars = 0
      for (const row of writer.batch(batch.value)) {
        printed.push(row)
        chars += row.length
        if (chars < CHUNK_CHARS) continue
        yield printed
        printed = []
        chars = 0
      }
      if (printed.length > 0) yield printed
    }
  } finally {
    await rest.return?.()
  }
}

/**
 * Sends rows as they come; more are asked for only when the reader has taken the last ones. The first batch is awaited
 * here, so that an early error still gets its status.
 */
export async function rowStream(answer: SearchAnswer, options: StreamOptions): Promise<Response> {
  const { writer, errors, breakOff, onEnd } = options
  const framing = FRAMINGS[options.format]
  const encoder = new TextEncoder()
  const iterator = answer.batches()[Symbol.asyncIterator]()
  const source = pieces(await iterator.next(), iterator, writer)
  let mustBreak = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (mustBreak) {
          await breakOff?.()
          return breakOff === undefined ? controller.error(new Error('the answer broke off')) : controller.close()
        }
        try {
          const { done, value } = await source.next()
          if (done !== true) return controller.enqueue(encoder.encode(framing.rows(value)))
          if (framing.end !== '') controller.enqueue(encoder.encode(framing.end))
          controller.close()
          onEnd()
        } catch (error) {
          onEnd(error)
          controller.enqueue(encoder.encode(framing.error(toErrorResponse(error, errors))))
          if (framing.breaksOnError) mustBreak = true
          else controller.close()
        }
      },
      async cancel(reason) {
        onEnd(reason ?? new Error('the client went away'))
        // A generator that waits for rows answers only when they come: nobody needs to wait for that.
        source.return(undefined).catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      ...warningHeaders(answer),
      'Content-Type': framing.type,
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    },
  })
}
