import { JsonText, type RowWriter } from '../data/index.ts'
import type { Answer } from './answer.ts'
import { AnswerBuffer } from './answer-buffer.ts'
import type { AnswerShare } from './answer-memory.ts'
import { Pace } from './pace.ts'
import type { SearchAnswer } from './service-interfaces.ts'

/** Exact text of the type: some clients choose their parser by it. */
export const JSON_TYPE = 'application/json'

/** Codes of the warnings that a query got, for example about a field that no row has. */
export const WARNINGS_HEADER = 'X-Query-Warnings'
/** What these warnings say: a JSON array of texts in ASCII. */
export const ADVICE_HEADER = 'X-Query-Advice'

const MAX_WARNINGS = 10
/** Some clients and proxies take no longer headers. */
const MAX_ADVICE_CHARS = 2048

/** JSON that a header may hold, whatever the texts hold: what is not printable ASCII is escaped. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** As many texts, from the first on, as a header may hold. */
function adviceText(messages: readonly string[]): string {
  for (let count = messages.length; count > 0; count--) {
    const text = asciiJson(messages.slice(0, count))
    if (text.length <= MAX_ADVICE_CHARS) return text
  }
  return ''
}

/** The headers that tell what there is to say about a query; none when there is nothing. */
export async function warningHeaders({
  diagnostics,
  advice,
}: Pick<SearchAnswer, 'diagnostics' | 'advice'>): Promise<Readonly<Record<string, string>>> {
  const told = [...diagnostics, ...((await advice?.()) ?? [])]
  const codes = [...new Set(told.map(({ code }) => code))].slice(0, MAX_WARNINGS)
  const text = adviceText([...new Set(told.map(({ message }) => message))].slice(0, MAX_WARNINGS))
  return {
    ...(codes.length === 0 ? {} : { [WARNINGS_HEADER]: codes.join(', ') }),
    ...(text === '' ? {} : { [ADVICE_HEADER]: text }),
  }
}

/** Says at how many rows an answer was cut. */
export const ROW_LIMIT_HEADER = 'X-Row-Limit-Reached'

/** Newer than the library types of ES2024: a JSON text that is written as it is. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

/** JSON in which integers beyond 2^53 (`bigint`) keep every digit, and numbers that are `JsonText` their text. */
function exactText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof JsonText) return rawJSON(member.json)
    return typeof member === 'bigint' ? rawJSON(String(member)) : member
  })
}

/** A small answer. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: exactText(value) }
}

/** Success without anything to say. */
export function empty(status = 200): Answer {
  return { status, headers: {}, body: null }
}

export interface BufferOptions {
  readonly limitBytes: number
  readonly memory: AnswerShare
}

/** Says with which `skip` a list goes on. */
export const NEXT_SKIP_HEADER = 'X-Next-Skip'

/** A page of a list ends at the first record beyond so many bytes: so no list is too large for one answer, which is 64 MiB. */
const PAGE_BYTES = 8 * 2 ** 20

export interface PageOptions extends BufferOptions {
  /** How many records were left out before the first. */
  readonly skip: number
  /** How many records a page has at most; as many as fit unless given. */
  readonly limit: number | undefined
}

/** An array of the first records, as many as a page holds; a header says where the next page begins, if there is one. */
export async function jsonPage(records: Iterable<unknown>, { skip, limit, ...options }: PageOptions): Promise<Answer> {
  let next: number | undefined
  function* texts(): Generator<string> {
    let count = 0
    let bytes = 0
    for (const record of records) {
      if (count === limit || bytes >= PAGE_BYTES) {
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

/** JSON that comes in pieces; complete before the first is sent. */
export async function jsonChunks(chunks: Iterable<string | Uint8Array>, options: BufferOptions): Promise<Answer> {
  const buffer = new AnswerBuffer(options.memory, options.limitBytes)
  const pace = new Pace()
  try {
    for (const chunk of chunks) {
      buffer.add(chunk)
      await pace.turn()
    }
  } catch (error) {
    buffer.drop()
    throw error
  }
  return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body: buffer.whole() }
}

/** In place of the comma before the first row. */
const OPEN_ARRAY = 0x5b

export interface ArrayOptions extends BufferOptions {
  readonly writer: RowWriter
  readonly limitRows: number
}

/**
 * A plain array with all rows of an answer. It is complete before the first byte is sent, so that whatever goes wrong
 * still gets its status, and a cut its header. Rows that are not groups are cut at `limitRows`.
 */
export async function rowArray(answer: SearchAnswer, options: ArrayOptions): Promise<Answer> {
  const { writer, limitRows, limitBytes, memory } = options
  const buffer = new AnswerBuffer(memory, limitBytes)
  const pace = new Pace()
  let rowCount = 0
  let isCut = false
  let isFirst = true
  try {
    for await (const batch of answer.batches()) {
      const room = answer.isAggregate ? Infinity : limitRows - rowCount
      const count = Math.min(batch.rowCount, room)
      for (const piece of writer.bytes(batch, ',', count)) {
        if (isFirst) piece[0] = OPEN_ARRAY
        isFirst = false
        buffer.add(piece)
        await pace.turn()
      }
      rowCount += count
      isCut = count < batch.rowCount
      if (isCut) break
    }
    buffer.add(isFirst ? '[]' : ']')
  } catch (error) {
    buffer.drop()
    throw error
  }
  const headers = { 'Content-Type': JSON_TYPE, ...(await warningHeaders(answer)) }
  const limited = isCut ? { ...headers, [ROW_LIMIT_HEADER]: String(limitRows) } : headers
  return { status: 200, headers: limited, body: buffer.whole() }
}
