import { BUFFER_BYTES } from '../../base/index.ts'
import { JsonText } from '../../data/index.ts'
import type { HttpAnswer } from './answer.ts'
import { AnswerBuffer } from './answer-buffer.ts'
import type { AnswerShare } from './answer-memory.ts'
import { Pace } from './pace.ts'

/** The type has no parameters, since some clients compare the media type literally. */
export const JSON_TYPE = 'application/json'

/** `JSON.rawJSON` inserts JSON text unchanged. The types of ES2024 lack it. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

/** Returns JSON text that keeps all digits of integers beyond 2^53 (`bigint`) and of `JsonText` numbers. */
export function exactText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof JsonText) return rawJSON(member.json)
    return typeof member === 'bigint' ? rawJSON(String(member)) : member
  })
}

/** Returns a small JSON answer. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: exactText(value) }
}

/** Returns a successful answer without a body. */
export function empty(status = 200): HttpAnswer {
  return { status, headers: {}, body: null }
}

export interface BufferOptions {
  readonly limitBytes: number
  readonly memory: AnswerShare
}

/** Response header with the `skip` of the next page. */
export const NEXT_SKIP_HEADER = 'X-Next-Skip'

export interface PageOptions extends BufferOptions {
  /** Number of records before the first record of the page. */
  readonly skip: number
  /** Maximum number of records of a page. Default: as many as fit. */
  readonly limit: number | undefined
}

/** Returns a JSON array with one page of records. If there is another page, a header has the `skip` of that page. */
export async function jsonPage(
  records: Iterable<unknown>,
  { skip, limit, ...options }: PageOptions,
): Promise<HttpAnswer> {
  let next: number | undefined
  function* texts(): Generator<string> {
    let count = 0
    let bytes = 0
    for (const record of records) {
      if (count === limit || bytes >= BUFFER_BYTES) {
        next = skip + count
        break
      }
      const text = exactText(record)
      yield `${count === 0 ? '[' : ','}${text}`
      count++
      bytes += Buffer.byteLength(text)
    }
    yield count === 0 ? '[]' : ']'
  }
  const answer = await jsonChunks(texts(), options)
  return next === undefined ? answer : { ...answer, headers: { ...answer.headers, [NEXT_SKIP_HEADER]: String(next) } }
}

/** Returns a JSON answer that is written in chunks. The answer is complete before the first byte is sent. */
export async function writtenJson(
  { memory, limitBytes }: BufferOptions,
  fill: (write: (chunk: string | Uint8Array) => void) => Promise<void>,
): Promise<HttpAnswer> {
  const buffer = new AnswerBuffer(memory, limitBytes)
  try {
    await fill((chunk) => buffer.add(chunk))
  } catch (error) {
    buffer.drop()
    throw error
  }
  return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body: buffer.whole() }
}

/** Returns a JSON answer from chunks. The answer is complete before the first byte is sent. */
export function jsonChunks(chunks: Iterable<string | Uint8Array>, options: BufferOptions): Promise<HttpAnswer> {
  return writtenJson(options, async (write) => {
    const pace = new Pace()
    for (const chunk of chunks) {
      write(chunk)
      await pace.turn()
    }
  })
}

/** Yields the JSON texts of items, separated by commas. */
export function* listed<T>(items: Iterable<T>, textOf: (item: T) => string): Generator<string> {
  let separator = ''
  for (const item of items) {
    yield separator + textOf(item)
    separator = ','
  }
}
