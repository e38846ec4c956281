import { metricQuery, metricAnswer } from '../../wire/index.ts'
import { fault } from '../http-fault.ts'
import { json } from '../respond.ts'
import { defineRoute } from '../route.ts'

export const metricQueryRoute = defineRoute({
  name: 'queryMetrics',
  method: 'POST',
  path: '/api/metrics/query',
  summary: 'Run an instant or range metric query',
  role: 'read',
  body: metricQuery,
  answers: [{ status: 200, description: 'The series or the value.', schema: metricAnswer }],
  isQuery: true,
  isAvailable: (context) => context.metrics !== undefined,
  handle: async ({ body, asker, context }) => {
    if (context.metrics === undefined) throw fault('not-found', { what: 'path' })
    return json(await context.metrics.query(body, asker))
  },
})
