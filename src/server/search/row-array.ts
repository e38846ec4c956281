import { MAX_FAULTS, OPEN_BRACKET } from '../../base/index.ts'
import type { RowWriter } from '../../data/index.ts'
import type { Answer } from '../http/answer.ts'
import { AnswerBuffer } from '../http/answer-buffer.ts'
import { Pace } from '../http/pace.ts'
import { JSON_TYPE, type BufferOptions } from '../http/respond.ts'
import type { SearchAnswer } from './service-interfaces.ts'

/** Codes of the warnings that a query got, for example about a field that no row has. */
export const WARNINGS_HEADER = 'X-Query-Warnings'
/** What these warnings say: a JSON array of texts in ASCII. */
export const ADVICE_HEADER = 'X-Query-Advice'

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
  const codes = [...new Set(told.map(({ code }) => code))].slice(0, MAX_FAULTS)
  const text = adviceText([...new Set(told.map(({ message }) => message))].slice(0, MAX_FAULTS))
  return {
    ...(codes.length === 0 ? {} : { [WARNINGS_HEADER]: codes.join(', ') }),
    ...(text === '' ? {} : { [ADVICE_HEADER]: text }),
  }
}

/** Says at how many rows an answer was cut. */
export const ROW_LIMIT_HEADER = 'X-Row-Limit-Reached'

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
        if (isFirst) piece[0] = OPEN_BRACKET
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
