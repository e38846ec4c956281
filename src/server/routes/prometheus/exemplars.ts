import { floatText } from '../../../engine/metrics/index.ts'
import { matchersOfExpression } from '../../../lang/promql/index.ts'
import type { SeriesExemplars } from '../../../store/index.ts'
import { fault } from '../../errors/http-fault.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { queryParameter, requiredTime } from '../../metrics/parameters.ts'
import { listResponse } from './respond.ts'
import { exemplarsAnswer } from './schemas.ts'

function toAnswer({ labels, exemplars }: SeriesExemplars) {
  return {
    seriesLabels: labels.toRecord(),
    exemplars: exemplars.map((exemplar) => ({
      labels: exemplar.labels.toRecord(),
      value: floatText(exemplar.value),
      timestamp: exemplar.timeMs / 1000,
    })),
  }
}

export const prometheusExemplarRoutes = defineReadRoutes({
  name: 'prometheusExemplars',
  path: '/api/v1/query_exemplars',
  summary: 'List exemplars of the series that an expression reads',
  parameters: {
    query: 'The expression.',
    start: 'Unix seconds or RFC 3339.',
    end: 'Unix seconds or RFC 3339, included.',
  },
  answer: exemplarsAnswer,
  hasForm: true,
  isQuery: true,
  handle: async ({ parameters, caller, service, ...limits }) => {
    const startMs = requiredTime(parameters, 'start')
    const endMs = requiredTime(parameters, 'end')
    if (endMs < startMs)
      throw fault('bad-parameter', { name: 'end', expected: 'at or after `start`', found: 'before it' })
    const filters = matchersOfExpression(queryParameter(parameters, caller))
    const found = await service.exemplars({ filters, startMs, endMs }, caller)
    return listResponse(found.map(toAnswer), undefined, limits)
  },
})
