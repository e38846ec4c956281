import { fault } from '../../errors/http-fault.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { countParameter, searchParameters, unescapeLabel } from '../../metrics/parameters.ts'
import { listResponse } from './respond.ts'
import { textsAnswer } from './schemas.ts'

export const prometheusLabelValuesRoutes = defineReadRoutes({
  name: 'prometheusLabelValues',
  path: '/api/v1/label/{name}/values',
  summary: 'List values of a label',
  parameters: {
    'match[]': 'A series selector; may repeat. Only values of series that match one of them.',
    start: 'Only series with a sample at or after it.',
    end: 'Only series with a sample at or before it.',
    limit: 'At most so many.',
  },
  answer: textsAnswer,
  hasForm: false,
  isQuery: true,
  handle: async ({ path, parameters, service, caller, ...limits }) => {
    const label = unescapeLabel(path.get('name') ?? '')
    if (label === '') throw fault('bad-parameter', { name: 'name', expected: 'the name of a label', found: 'nothing' })
    const values = await service.labelValues(label, searchParameters(parameters, caller), caller)
    return listResponse(values, countParameter(parameters, 'limit'), limits)
  },
})
