import { z } from 'zod'
import { RowWriter } from '../../data/index.ts'
import { atNow, rows, type SearchBody } from '../../wire/index.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { ServerContext } from './definition/context.ts'
import { dialectParameter, wordParameter } from './definition/parameters.ts'
import { ADVICE_HEADER, CSV_TYPE, ROW_LIMIT_HEADER, WARNINGS_HEADER, rowArray, rowCsv } from '../search/row-array.ts'
import { fault } from '../errors/http-fault.ts'
import type { RouteCall, RouteAnswer, RouteParameter } from './definition/route.ts'
import { parametersOf } from '../search/search-body.ts'
import type { SearchDomain, SearchService } from '../search/service-interfaces.ts'
import { NEXT_CURSOR_HEADER, pageOf, rowsOfPage } from '../search/page-cursor.ts'
import { PROGRESS_MS } from '../search/progress-stream.ts'
import { acceptedTypes, rowStream, streamFormatOf } from '../search/stream.ts'

/** Possible answers of a search, for the OpenAPI document. */
export const searchAnswers: readonly RouteAnswer[] = [
  {
    status: 200,
    description: `An array with one object per row or group. The header \`${ROW_LIMIT_HEADER}\` is present if rows were cut; \`${WARNINGS_HEADER}\` has codes of warnings about the query, \`${ADVICE_HEADER}\` their messages as a JSON array of ASCII strings.`,
    schema: rows,
  },
  {
    status: 200,
    description: 'With `Accept: text/csv`: the rows with a header line.',
    schema: z.string(),
    contentType: 'text/csv',
  },
  {
    status: 200,
    description: 'With `enableStream`: messages with `data` and `done`.',
    schema: z.string(),
    contentType: 'text/event-stream',
  },
  {
    status: 200,
    description: 'With `enableStream`: one row a line.',
    schema: z.string(),
    contentType: 'application/x-ndjson',
  },
]

export const searchParameters: readonly RouteParameter[] = [
  {
    name: 'dialect',
    description: 'Dialect of the query: `native`, or `logsql` for queries written for VictoriaLogs.',
    schema: z.enum(['native', 'logsql']),
  },
]

/** Parameters of a search that answers rows. */
export const rowParameters: readonly RouteParameter[] = [
  ...searchParameters,
  {
    name: 'limit',
    description: `Size of a page, at most the rows of an answer. The header \`${NEXT_CURSOR_HEADER}\` is present if there are more rows.`,
    schema: z.number().int().min(1),
  },
  {
    name: 'cursor',
    description: `The \`${NEXT_CURSOR_HEADER}\` of the page before, with the same body.`,
    schema: z.string(),
  },
  {
    name: 'progress',
    description:
      '`true`: an event stream also has messages `event: progress` with `rowsRead`, `bytesRead` and `milliseconds`, at most four a second and one at the end.',
    schema: z.enum(['true', 'false']),
  },
]

/** Returns a function that tells whether a service can search this domain. */
export function isSearched(domain: SearchDomain): (context: ServerContext) => boolean {
  return (context) => searchOf(domain)(context) !== undefined
}

/** Returns a function that returns the search service if the domain can be searched, else `undefined`. */
export function searchOf(domain: SearchDomain): (context: ServerContext) => SearchService | undefined {
  return ({ search, domains }) => (domains?.has(domain) === false ? undefined : search)
}

/** Answers one of the three search routes, which differ only in the domain. */
export async function answerSearch(call: RouteCall<SearchBody>, domain: SearchDomain): Promise<HttpAnswer> {
  const { body, context, traceId } = call
  const service = context.search
  if (service === undefined) throw fault('not-found', { what: 'path' })
  const dialect = dialectParameter(call.query)
  const accept = call.headers.get('accept')
  const format = body.enableStream === true ? streamFormatOf(accept) : undefined
  const { answerRows, answerBytes } = context.limits
  const { start, end } = atNow(body, context.nowNs())
  const range = { startNs: start, endNs: end }
  const page =
    format === undefined
      ? pageOf(call.query, { request: { domain, dialect, ...body }, range, maxLimit: answerRows })
      : undefined
  const answer = await service.search({
    ...call.caller,
    domain,
    range: page?.range ?? range,
    query: body.query,
    filters: body.filters,
    sources: body.sources,
    pipeline: body.pipeline,
    parameters: parametersOf(body),
    dialect,
    ...(page === undefined ? {} : { over: rowsOfPage(page) }),
  })
  const writer = new RowWriter(dialect)
  if (format === undefined) {
    const whole = { limitRows: answerRows, limitBytes: answerBytes, memory: call.memory, page }
    return acceptedTypes(accept).includes(CSV_TYPE) ? rowCsv(answer, whole) : rowArray(answer, { ...whole, writer })
  }
  const source = body.query === undefined ? undefined : { text: body.query, member: '$.query' }
  const showsProgress = format === 'events' && wordParameter(call.query, 'progress', ['true', 'false']) === 'true'
  const progressMs = showsProgress ? PROGRESS_MS : undefined
  return rowStream(answer, { format, writer, errors: { traceId, source }, progressMs })
}
