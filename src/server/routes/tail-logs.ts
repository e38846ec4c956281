import { z } from 'zod'
import { always, present } from '../../base/index.ts'
import { RowWriter } from '../../data/index.ts'
import { fault } from '../errors/http-fault.ts'
import { JSON_TYPE } from '../http/respond.ts'
import { dialectParameter } from './definition/parameters.ts'
import { defineRoute } from './definition/route.ts'
import { isSearched, searchParameters } from './search.ts'
import { askStep, endOf, openTail, tailStepAnswer, type TailStep, type TailForm } from './tail-stream.ts'

const MAX_QUERY_CHARS = 64 * 1024

const stepBody = z.object({ query: z.string(), next: z.number().int().nonnegative().optional() })

const tailStep = defineRoute({
  name: 'tailLogsStep',
  method: 'POST',
  path: '/api/logs/tail',
  summary: 'Rows that arrived',
  role: 'read',
  body: stepBody,
  answers: [{ status: 200, description: 'The rows.', contentType: JSON_TYPE }],
  isQuery: true,
  isAvailable: isSearched('logs'),
  handle: ({ body, query, caller, context }) => {
    const dialect = dialectParameter(query)
    const request = {
      ...caller,
      domain: 'logs',
      range: always,
      query: body.query,
      filters: undefined,
      sources: undefined,
      pipeline: undefined,
      dialect,
    } as const
    return tailStepAnswer({
      service: present(context.search),
      request,
      writer: new RowWriter(dialect),
      next: body.next,
    })
  },
})

/** Output format for server-sent events. */
const eventForm: TailForm = {
  type: 'text/event-stream',
  rows: ({ rows, dropped }) => {
    const lost = dropped === 0 ? '' : `"dropped":${dropped},`
    return `data: {"data":[${rows.join(',')}],${lost}"done":false}\n\n`
  },
  heartbeat: ': nothing yet\n\n',
  end: 'data: {"done":true}\n\n',
  error: ({ message, code, trace_id }) => `data: ${JSON.stringify({ done: true, error: message, code, trace_id })}\n\n`,
  breaksOnError: false,
}

export const tailLogsRoute = defineRoute({
  name: 'tailLogs',
  method: 'GET',
  path: '/api/logs/tail',
  summary: 'Follow logs as they arrive',
  role: 'read',
  parameters: [
    { name: 'query', description: 'Filters, and pipes that process rows one by one.', schema: z.string() },
    { name: 'for', description: 'Duration after which the stream ends, such as `10s`.', schema: z.string().optional() },
    ...searchParameters,
  ],
  answers: [
    {
      status: 200,
      description:
        'Messages with `data` and `done`, rows in the order of their times within one. `dropped` counts rows for which the reader was too slow.',
      schema: z.string(),
      contentType: 'text/event-stream',
    },
  ],
  isQuery: false,
  asks: tailStep,
  isAvailable: isSearched('logs'),
  handle: async (call) => {
    const query = call.query.get('query')
    if (query === null || query.trim() === '')
      throw fault('missing-parameter', { name: 'query', hint: 'The query `*` finds every record.' })
    if (query.length > MAX_QUERY_CHARS)
      throw fault('bad-parameter', {
        name: 'query',
        expected: `of at most ${MAX_QUERY_CHARS} characters`,
        found: 'a longer one',
      })
    dialectParameter(call.query)
    const endMs = endOf(call.query.get('for') ?? undefined)
    const ask = (next?: number): Promise<TailStep> => askStep(call, { query, next })
    return openTail(call, { form: eventForm, endMs, ask })
  },
})
