import { parsePromqlOrThrow, toParseTree } from '../../../lang/promql/index.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { queryParameter } from '../../metrics/parameters.ts'
import { dataResponse } from './respond.ts'
import { treeAnswer } from './schemas.ts'

export const prometheusParseQueryRoutes = defineReadRoutes({
  name: 'prometheusParseQuery',
  path: '/api/v1/parse_query',
  summary: 'Return the syntax tree of an expression',
  parameters: { query: 'The expression.' },
  answer: treeAnswer,
  hasForm: true,
  isQuery: true,
  handle: async ({ parameters, caller, ...limits }) =>
    dataResponse(toParseTree(parsePromqlOrThrow(queryParameter(parameters, caller))), limits),
})
