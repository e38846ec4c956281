import { parsePromqlOrThrow, toParseTree } from '../../lang/promql/index.ts'
import { defineReadRoutes } from '../prometheus/define-read-routes.ts'
import { queryParameter } from '../prometheus/parameters.ts'
import { dataResponse } from '../prometheus/respond.ts'
import { treeAnswer } from '../prometheus/schemas.ts'

export const prometheusParseQueryRoutes = defineReadRoutes({
  name: 'prometheusParseQuery',
  path: '/api/v1/parse_query',
  summary: 'Show the tree of an expression',
  parameters: { query: 'The expression.' },
  answer: treeAnswer,
  hasForm: true,
  isQuery: true,
  handle: async ({ parameters, caller, ...limits }) =>
    dataResponse(toParseTree(parsePromqlOrThrow(queryParameter(parameters, caller))), limits),
})
