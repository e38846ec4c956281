import { always } from '../../base/index.ts'
import { atNow, checkAnswer, checkBody, explainAnswer, explainBody } from '../../wire/index.ts'
import { sentDiagnostics } from '../errors/to-error-response.ts'
import { fault } from '../errors/http-fault.ts'
import { json } from '../http/respond.ts'
import { parametersOf, readSearchBody } from '../search/search-body.ts'
import { dialectParameter } from './definition/parameters.ts'
import { defineRoute, type AnyRoute } from './definition/route.ts'
import { searchParameters } from './search.ts'

const explainRoute = defineRoute({
  name: 'explain',
  method: 'POST',
  path: '/api/explain',
  summary: 'Show the plan of a search',
  role: 'read',
  body: explainBody,
  readBody: readSearchBody(explainBody),
  parameters: searchParameters,
  answers: [{ status: 200, description: 'The plan.', schema: explainAnswer }],
  isQuery: true,
  isAvailable: ({ explain }) => explain !== undefined,
  handle: async ({ body, caller, context, query }) => {
    if (context.explain === undefined) throw fault('not-found', { what: 'path' })
    const { start, end, analyze, ...asked } = atNow(body, context.nowNs())
    const range = { startNs: start ?? always.startNs, endNs: end ?? always.endNs }
    const request = { ...asked, ...caller, range, parameters: parametersOf(body), dialect: dialectParameter(query) }
    const text = body.query ?? (body.pipeline === undefined ? '*' : undefined)
    const { tree, warnings, cost } = await context.explain.explain(
      { ...request, query: text, filters: body.filters, pipeline: body.pipeline, sources: body.sources },
      analyze,
    )
    const source = text === undefined ? undefined : { text, member: '$.query' }
    return json({ tree, warnings: sentDiagnostics(warnings, source), cost })
  },
})

const checkRoute = defineRoute({
  name: 'check',
  method: 'POST',
  path: '/api/check',
  summary: 'Check a query without running it',
  role: 'read',
  body: checkBody,
  parameters: searchParameters,
  answers: [{ status: 200, description: 'What there is to say about the query.', schema: checkAnswer }],
  isQuery: true,
  isAvailable: ({ explain }) => explain !== undefined,
  handle: async ({ body, caller, context, query }) => {
    if (context.explain === undefined) throw fault('not-found', { what: 'path' })
    const dialect = dialectParameter(query)
    const diagnostics = await context.explain.check({ ...caller, ...body, dialect })
    return json({ diagnostics: sentDiagnostics(diagnostics, { text: body.query, member: '$.query' }) })
  },
})

/** Routes for the plan and the diagnostics of a query. */
export const explainRoutes: readonly AnyRoute[] = [explainRoute, checkRoute]
