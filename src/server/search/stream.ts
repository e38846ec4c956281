import type { RecordBatch, RowWriter } from '../../data/index.ts'
import type { StreamBody } from '../../workers/index.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { ProgressStream, progressMessage, settlesWithin } from './progress-stream.ts'
import { warningHeaders } from './row-array.ts'
import type { SearchAnswer } from './service-interfaces.ts'
import { toErrorResponse, type ErrorContext } from '../errors/to-error-response.ts'

/** Format of streamed rows. */
export type StreamFormat = 'events' | 'lines'

const EVENTS_TYPE = 'text/event-stream'
const LINES_TYPE = 'application/x-ndjson'

/** Returns the media types of an `Accept` header, without their parameters. */
export function acceptedTypes(accept: string | null): readonly string[] {
  return (accept ?? '').split(',').map((entry) => entry.replace(/;.*$/, '').trim().toLowerCase())
}

/** Returns the stream format requested by an `Accept` header; `undefined` if there is none. */
export function streamFormatOf(accept: string | null): StreamFormat | undefined {
  const types = acceptedTypes(accept)
  if (types.includes(EVENTS_TYPE)) return 'events'
  if (types.includes(LINES_TYPE)) return 'lines'
  return undefined
}

interface Framing {
  readonly type: string
  readonly separator: ',' | '\n'
  /** Text before and after each chunk of rows. */
  readonly before: Buffer
  readonly behind: Buffer
  readonly end: string
  /** Formats an error that occurs after the status was sent. */
  readonly error: (answer: ReturnType<typeof toErrorResponse>) => string
  /** True if the connection must be broken after an error, because the format has no end mark. */
  readonly breaksOnError: boolean
}

const FRAMINGS: { readonly [K in StreamFormat]: Framing } = {
  events: {
    type: EVENTS_TYPE,
    separator: ',',
    before: Buffer.from('data: {"data":['),
    behind: Buffer.from('],"done":false}\n\n'),
    end: 'data: {"done":true}\n\n',
    error: ({ body }) =>
      `data: ${JSON.stringify({ done: true, error: body.message, code: body.code, trace_id: body.trace_id })}\n\n`,
    breaksOnError: false,
  },
  lines: {
    type: LINES_TYPE,
    separator: '\n',
    before: Buffer.alloc(0),
    behind: Buffer.from('\n'),
    end: '',
    error: ({ body }) => `${JSON.stringify({ error: body })}\n`,
    breaksOnError: true,
  },
}

export interface StreamOptions {
  readonly format: StreamFormat
  readonly writer: RowWriter
  readonly errors: ErrorContext
  /** Interval between progress messages, ms. Default: no progress messages. */
  readonly progressMs?: number | undefined
}

/** Yields the chunks of rows of a stream. */
async function* chunks(
  first: Promise<IteratorResult<RecordBatch>>,
  rest: AsyncIterator<RecordBatch>,
  writer: RowWriter,
  { separator, before, behind }: Framing,
): AsyncGenerator<Uint8Array> {
  try {
    for (let batch = await first; batch.done !== true; batch = await rest.next()) {
      for (const rows of writer.bytes(batch.value, separator)) {
        yield Buffer.concat([before, rows.subarray(separator.length), behind])
      }
    }
  } finally {
    await rest.return?.()
  }
}

class RowStream implements StreamBody {
  failure: unknown
  readonly #source: AsyncGenerator<Uint8Array>
  readonly #framing: Framing
  readonly #errors: ErrorContext
  readonly #end: () => string
  #hasEnded = false

  constructor(source: AsyncGenerator<Uint8Array>, framing: Framing, errors: ErrorContext, end: () => string) {
    this.#source = source
    this.#framing = framing
    this.#errors = errors
    this.#end = end
  }

  async next(): Promise<string | Uint8Array | undefined> {
    const { error: errorChunk, breaksOnError } = this.#framing
    if (this.#hasEnded) {
      if (this.failure !== undefined && breaksOnError) throw new Error('the answer broke off')
      return undefined
    }
    try {
      const { done, value } = await this.#source.next()
      if (done !== true) return value
      this.#hasEnded = true
      const end = this.#end()
      return end === '' ? undefined : end
    } catch (error) {
      this.#hasEnded = true
      this.failure = error
      return errorChunk(toErrorResponse(error, this.#errors))
    }
  }

  cancel(): void {
    this.#hasEnded = true
    // The generator may settle only when its next rows arrive. Nothing needs to wait for that moment.
    this.#source.return(undefined).catch(() => {})
  }
}

/**
 * Streams rows. Requests more rows when the reader has received the previous ones. Waits for the first batch, so that
 * an early error has its own status; with `progressMs` (event streams only) waits at most this long.
 */
export async function rowStream(
  answer: SearchAnswer,
  { format, writer, errors, progressMs }: StreamOptions,
): Promise<HttpAnswer> {
  const framing = FRAMINGS[format]
  const iterator = answer.batches()[Symbol.asyncIterator]()
  const first = iterator.next()
  const { statistics } = answer
  const progress =
    progressMs === undefined || statistics === undefined ? undefined : () => progressMessage(statistics())
  const isEarly = progressMs === undefined || (await settlesWithin(first, progressMs))
  if (isEarly) await first
  // Ignored here, because the error is reported where rows are read.
  else first.catch(() => undefined)
  const headers = {
    ...(await warningHeaders(isEarly ? answer : { diagnostics: answer.diagnostics })),
    'Content-Type': framing.type,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  }
  const end = (): string => `${progress?.() ?? ''}${framing.end}`
  const rows = new RowStream(chunks(first, iterator, writer, framing), framing, errors, end)
  const body =
    progress === undefined || progressMs === undefined ? rows : new ProgressStream(rows, progress, progressMs)
  return { status: 200, headers, body }
}
