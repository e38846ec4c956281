import { parsePromqlOrThrow } from '../../lang/promql/index.ts'
import { fault } from '../http-fault.ts'
import { defineReadRoutes } from '../prometheus/define-read-routes.ts'
import { queryParameter, requiredTime } from '../prometheus/parameters.ts'
import { listResponse } from '../prometheus/respond.ts'
import { exemplarsAnswer } from '../prometheus/schemas.ts'

export const prometheusExemplarRoutes = defineReadRoutes({
  name: 'prometheusExemplars',
  path: '/api/v1/query_exemplars',
  summary: 'List exemplars of an expression, of which none are kept',
  parameters: {
    query: 'The expression.',
    start: 'Unix seconds or RFC 3339.',
    end: 'Unix seconds or RFC 3339, included.',
  },
  answer: exemplarsAnswer,
  hasForm: true,
  isQuery: true,
  handle: ({ parameters, caller, ...limits }) => {
    const startMs = requiredTime(parameters, 'start')
    const endMs = requiredTime(parameters, 'end')
    if (endMs < startMs)
      throw fault('bad-parameter', { name: 'end', expected: 'at or after `start`', found: 'before it' })
    parsePromqlOrThrow(queryParameter(parameters, caller))
    return listResponse([], undefined, limits)
  },
})
