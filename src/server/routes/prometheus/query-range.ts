import { fault } from '../../errors/http-fault.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import {
  countParameter,
  durationParameter,
  lookbackParameter,
  queryParameter,
  requiredTime,
  statsParameter,
} from '../../metrics/parameters.ts'
import { chunksResponse } from './respond.ts'
import { queryAnswer } from './schemas.ts'

export const prometheusQueryRangeRoutes = defineReadRoutes({
  name: 'prometheusQueryRange',
  path: '/api/v1/query_range',
  summary: 'Evaluate an expression at every step of a range',
  parameters: {
    query: 'The expression.',
    start: 'Unix seconds or RFC 3339.',
    end: 'Unix seconds or RFC 3339, included.',
    step: 'Seconds or a duration.',
    timeout: 'Shortens the time limit of the server.',
    limit: 'At most so many series.',
    lookback_delta: 'How old the newest sample of a series may be; 0 for the default.',
    stats: 'Adds what the query has cost; `all` also says it of each step.',
  },
  answer: queryAnswer,
  hasForm: true,
  isQuery: true,
  handle: async ({ parameters, service, caller, ...limits }) => {
    const text = queryParameter(parameters, caller)
    const startMs = requiredTime(parameters, 'start')
    const endMs = requiredTime(parameters, 'end')
    const stepMs = durationParameter(parameters, 'step')
    if (stepMs === undefined) {
      throw fault('missing-parameter', { name: 'step', hint: 'It says how far apart the points are.' })
    }
    const answer = await service.query(
      {
        text,
        startMs,
        endMs,
        stepMs,
        limit: countParameter(parameters, 'limit'),
        timeoutMs: durationParameter(parameters, 'timeout'),
        lookbackMs: lookbackParameter(parameters),
        stats: statsParameter(parameters),
      },
      caller,
    )
    return chunksResponse(answer.chunks(), limits)
  },
})
