import { defineReadRoutes } from './define-read-routes.ts'
import {
  countParameter,
  durationParameter,
  lookbackParameter,
  queryParameter,
  statsParameter,
  timeParameter,
} from '../../metrics/parameters.ts'
import { chunksResponse } from './respond.ts'
import { queryAnswer } from './schemas.ts'

export const prometheusQueryRoutes = defineReadRoutes({
  name: 'prometheusQuery',
  path: '/api/v1/query',
  summary: 'Evaluate an expression at one time',
  parameters: {
    query: 'The expression.',
    time: 'Unix seconds or RFC 3339; now when it is not given.',
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
    const timeMs = timeParameter(parameters, 'time', service.nowMs())
    const answer = await service.query(
      {
        text,
        startMs: timeMs,
        endMs: timeMs,
        stepMs: 0,
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
