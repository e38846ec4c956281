import { defineReadRoutes } from './define-read-routes.ts'
import { countParameter, searchParameters } from '../../metrics/parameters.ts'
import { listResponse } from './respond.ts'
import { textsAnswer } from './schemas.ts'

export const prometheusLabelsRoutes = defineReadRoutes({
  name: 'prometheusLabels',
  path: '/api/v1/labels',
  summary: 'List label names',
  parameters: {
    'match[]': 'A series selector; may repeat. Only labels of series that match one of them.',
    start: 'Only series with a sample at or after it.',
    end: 'Only series with a sample at or before it.',
    limit: 'At most so many.',
  },
  answer: textsAnswer,
  hasForm: true,
  isQuery: true,
  handle: async ({ parameters, service, caller, ...limits }) => {
    const names = await service.labelNames(searchParameters(parameters, caller), caller)
    return listResponse(names, countParameter(parameters, 'limit'), limits)
  },
})
