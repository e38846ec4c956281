import type { RowWriter } from '../data/index.ts'
import type { AnswerMemory } from './answer-memory.ts'
import { fault } from './http-fault.ts'
import { Pace } from './pace.ts'
import type { SearchAnswer } from './services.ts'

/** Exact text of the type: some clients choose their parser by it. */
export const JSON_TYPE = 'application/json'

/** Says at how many rows an answer was cut. */
export const ROW_LIMIT_HEADER = 'X-Row-Limit-Reached'

const CHUNK_CHARS = 64 * 1024
const SINGLE_BODY_BYTES = 256 * 1024
const ROWS_PER_TURN = 256

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': JSON_TYPE, ...headers } })
}

/** Success without anything to say. */
export function empty(status = 200): Response {
  return new Response(null, { status })
}

export interface ArrayOptions {
  readonly writer: RowWriter
  readonly limitRows: number
  readonly limitBytes: number
  readonly memory: AnswerMemory
}

/**
 * A plain array with all rows of an answer. It is complete before the first byte is sent, so that whatever goes wrong
 * still gets its status, and a cut its header. Rows that are not groups are cut at `limitRows`.
 */
export async function rowArray(answer: SearchAnswer, options: ArrayOptions): Promise<Response> {
  const { writer, limitRows, limitBytes, memory } = options
  const chunks: Uint8Array[] = []
  const pace = new Pace()
  let totalBytes = 0
  let text = '['
  let rowCount = 0
  let isCut = false
  const flush = (): void => {
    const chunk = Buffer.from(text, 'utf8')
    text = ''
    if (totalBytes + chunk.byteLength > limitBytes) throw fault('answer-too-large', { limitBytes })
    memory.reserve(chunk.byteLength)
    totalBytes += chunk.byteLength
    chunks.push(chunk)
  }
  try {
    reading: for await (const batch of answer.batches()) {
      for (const row of writer.batch(batch)) {
        if (rowCount === limitRows && !answer.isAggregate) {
          isCut = true
          break reading
        }
        text += rowCount === 0 ? row : `,${row}`
        rowCount++
        if (text.length >= CHUNK_CHARS) flush()
        if (rowCount % ROWS_PER_TURN === 0) await pace.turn()
      }
    }
    text += ']'
    flush()
  } catch (error) {
    memory.release(totalBytes)
    throw error
  }
  const headers = new Headers({ 'Content-Type': JSON_TYPE, 'Content-Length': String(totalBytes) })
  if (isCut) headers.set(ROW_LIMIT_HEADER, String(limitRows))
  return new Response(bodyOf(chunks, totalBytes, memory), { headers })
}

/** A small answer goes out as one piece; a large one stays counted until its reader has taken it. */
function bodyOf(
  chunks: readonly Uint8Array[],
  totalBytes: number,
  memory: AnswerMemory,
): Uint8Array<ArrayBuffer> | ReadableStream {
  if (totalBytes <= SINGLE_BODY_BYTES) {
    memory.release(totalBytes)
    return Buffer.concat(chunks)
  }
  let next = 0
  const release = (bytes: number): void => memory.release(bytes)
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[next++]
        controller.enqueue(chunk)
        release(chunk.byteLength)
        if (next === chunks.length) controller.close()
      },
      cancel() {
        for (; next < chunks.length; next++) release(chunks[next].byteLength)
      },
    },
    { highWaterMark: 0 },
  )
}
