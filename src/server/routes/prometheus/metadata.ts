import { defineReadRoutes } from './define-read-routes.ts'
import { countParameter } from '../../metrics/parameters.ts'
import { dataResponse } from './respond.ts'
import { metadataAnswer } from './schemas.ts'

export const prometheusMetadataRoutes = defineReadRoutes({
  name: 'prometheusMetadata',
  path: '/api/v1/metadata',
  summary: 'Return types, help texts and units of metrics',
  parameters: {
    metric: 'Only this metric.',
    limit: 'At most so many metrics.',
    limit_per_metric: 'At most so many descriptions of each.',
  },
  answer: metadataAnswer,
  hasForm: false,
  isQuery: true,
  handle: async ({ parameters, service, caller, ...limits }) => {
    const limit = countParameter(parameters, 'limit')
    const limitEach = countParameter(parameters, 'limit_per_metric')
    const found = await service.metadata(parameters.get('metric'), caller)
    const data = Object.create(null) as Record<string, unknown>
    for (const [name, descriptions] of [...found].slice(0, limit)) {
      data[name] = descriptions.slice(0, limitEach).map(({ type, help, unit }) => ({ type, help, unit }))
    }
    return dataResponse(data, limits)
  },
})
