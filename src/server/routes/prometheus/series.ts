import { fault } from '../../errors/http-fault.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { countParameter, searchParameters } from '../../metrics/parameters.ts'
import { listResponse } from './respond.ts'
import { seriesAnswer } from './schemas.ts'

export const prometheusSeriesRoutes = defineReadRoutes({
  name: 'prometheusSeries',
  path: '/api/v1/series',
  summary: 'List the series that match selectors',
  parameters: {
    'match[]': 'A series selector; may repeat. A series must match one of them.',
    start: 'Only series with a sample at or after it.',
    end: 'Only series with a sample at or before it.',
    limit: 'At most so many.',
  },
  answer: seriesAnswer,
  hasForm: true,
  isQuery: true,
  handle: async ({ parameters, service, caller, ...limits }) => {
    const search = searchParameters(parameters, caller)
    if (search.filters.length === 0) {
      throw fault('missing-parameter', { name: 'match[]', hint: 'At least one selector says which series to list.' })
    }
    const found = await service.series(search, caller)
    const limit = countParameter(parameters, 'limit')
    // The list has one item more than the limit if further items exist.
    const records = found.slice(0, limit === undefined ? undefined : limit + 1).map((labels) => labels.toRecord())
    return listResponse(records, limit, limits)
  },
})
