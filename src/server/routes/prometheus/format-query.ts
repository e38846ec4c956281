import { parsePromqlOrThrow, prettyPromql } from '../../../lang/promql/index.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { queryParameter } from '../../metrics/parameters.ts'
import { dataResponse } from './respond.ts'
import { textAnswer } from './schemas.ts'

export const prometheusFormatQueryRoutes = defineReadRoutes({
  name: 'prometheusFormatQuery',
  path: '/api/v1/format_query',
  summary: 'Format an expression',
  parameters: { query: 'The expression.' },
  answer: textAnswer,
  hasForm: true,
  isQuery: true,
  handle: async ({ parameters, caller, ...limits }) =>
    dataResponse(prettyPromql(parsePromqlOrThrow(queryParameter(parameters, caller))), limits),
})
