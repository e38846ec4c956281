import { MAX_FAULTS, OPEN_BRACKET } from '../../base/index.ts'
import { csvLines, type RecordBatch, type RowWriter } from '../../data/index.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { AnswerBuffer } from '../http/answer-buffer.ts'
import { Pace } from '../http/pace.ts'
import { JSON_TYPE, type BufferOptions } from '../http/respond.ts'
import { NEXT_CURSOR_HEADER, type Page } from './page-cursor.ts'
import type { SearchAnswer } from './service-interfaces.ts'

/** Response header with the codes of warnings about a query, such as an unknown field. */
export const WARNINGS_HEADER = 'X-Query-Warnings'
/** Response header with the messages of the warnings about a query: a JSON array of ASCII strings. */
export const ADVICE_HEADER = 'X-Query-Advice'

/** Maximum length of a header that common clients and proxies accept, characters. */
const MAX_ADVICE_CHARS = 2048

/** Formats JSON for a header: characters outside printable ASCII are escaped. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Formats as many messages as fit into the header. */
function adviceText(messages: readonly string[]): string {
  for (let count = messages.length; count > 0; count--) {
    const text = asciiJson(messages.slice(0, count))
    if (text.length <= MAX_ADVICE_CHARS) return text
  }
  return ''
}

/** Returns headers with the warnings about a query, if there are any. */
export async function warningHeaders({
  diagnostics,
  advice,
}: Pick<SearchAnswer, 'diagnostics' | 'advice'>): Promise<Readonly<Record<string, string>>> {
  const reported = [...diagnostics, ...((await advice?.()) ?? [])]
  const codes = [...new Set(reported.map(({ code }) => code))].slice(0, MAX_FAULTS)
  const text = adviceText([...new Set(reported.map(({ message }) => message))].slice(0, MAX_FAULTS))
  return {
    ...(codes.length === 0 ? {} : { [WARNINGS_HEADER]: codes.join(', ') }),
    ...(text === '' ? {} : { [ADVICE_HEADER]: text }),
  }
}

/** Response header with the number of stored rows that the query read; 0 under a data scope. */
export const ROWS_READ_HEADER = 'X-Query-Rows-Read'

/** Response header with the number of rows at which an answer was cut. */
export const ROW_LIMIT_HEADER = 'X-Row-Limit-Reached'

export interface ArrayOptions extends BufferOptions {
  readonly writer: RowWriter
  readonly limitRows: number
  /** Page to return. The answer is cut at the limit of the page even if rows are groups. Default: all rows. */
  readonly page?: Page | undefined
}

/** Returns the headers of an answer that has been read completely; `cutAt` is set if there are more rows. */
async function readHeaders(
  answer: SearchAnswer,
  cutAt: Pick<ArrayOptions, 'limitRows' | 'page'> | undefined,
): Promise<Readonly<Record<string, string>>> {
  const read = answer.statistics?.().scannedRows
  const more = cutAt?.page === undefined ? undefined : { [NEXT_CURSOR_HEADER]: cutAt.page.next }
  const cut = cutAt === undefined ? {} : { [ROW_LIMIT_HEADER]: String(cutAt.limitRows) }
  return {
    ...(await warningHeaders(answer)),
    ...(read === undefined ? {} : { [ROWS_READ_HEADER]: String(read) }),
    ...(more ?? cut),
  }
}

/**
 * Limits an answer to the rows of a page or, unless rows are groups, to a maximum number. `isCut` is true afterwards if
 * there were more rows.
 */
class LimitedBatches {
  isCut = false
  readonly #answer: SearchAnswer
  readonly #limitRows: number

  constructor(answer: SearchAnswer, { limitRows, page }: Pick<ArrayOptions, 'limitRows' | 'page'>) {
    this.#answer = answer
    this.#limitRows = page?.limit ?? (answer.isAggregate ? Infinity : limitRows)
  }

  /** Yields each batch with the number of its rows that are within the limit. */
  async *read(): AsyncGenerator<readonly [RecordBatch, number]> {
    let rowCount = 0
    for await (const batch of this.#answer.batches()) {
      const count = Math.min(batch.rowCount, this.#limitRows - rowCount)
      yield [batch, count]
      rowCount += count
      this.isCut = count < batch.rowCount
      if (this.isCut) return
    }
  }
}

/**
 * Answers with a JSON array of all rows. The answer is complete before the first byte is sent, so that an error has its
 * own status and a cut answer has its header. Rows that are not groups are cut at `limitRows`.
 */
export async function rowArray(answer: SearchAnswer, options: ArrayOptions): Promise<HttpAnswer> {
  const { writer, limitBytes, memory } = options
  const buffer = new AnswerBuffer(memory, limitBytes)
  const pace = new Pace()
  const batches = new LimitedBatches(answer, options)
  let isFirst = true
  try {
    for await (const [batch, count] of batches.read()) {
      for (const chunk of writer.bytes(batch, ',', count)) {
        if (isFirst) chunk[0] = OPEN_BRACKET
        isFirst = false
        buffer.add(chunk)
        await pace.turn()
      }
    }
    buffer.add(isFirst ? '[]' : ']')
  } catch (error) {
    buffer.drop()
    throw error
  }
  const headers = await readHeaders(answer, batches.isCut ? options : undefined)
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: buffer.whole() }
}

export const CSV_TYPE = 'text/csv'

/** Answers with all rows as CSV with a header, cut as in `rowArray`. */
export async function rowCsv(answer: SearchAnswer, options: Omit<ArrayOptions, 'writer'>): Promise<HttpAnswer> {
  const { limitBytes, memory } = options
  const buffer = new AnswerBuffer(memory, limitBytes)
  const pace = new Pace()
  const batches = new LimitedBatches(answer, options)
  const found: RecordBatch[] = []
  try {
    for await (const [batch, count] of batches.read())
      found.push(count === batch.rowCount ? batch : { ...batch, rowCount: count })
    for (const line of csvLines(found)) {
      buffer.add(line)
      await pace.turn()
    }
  } catch (error) {
    buffer.drop()
    throw error
  }
  const headers = await readHeaders(answer, batches.isCut ? options : undefined)
  return {
    status: 200,
    headers: { 'Content-Type': `${CSV_TYPE}; charset=utf-8; header=present`, ...headers },
    body: buffer.whole(),
  }
}
