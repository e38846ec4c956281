import { atNow, metricAnswer, metricQuery } from '../../wire/index.ts'
import { fault } from '../errors/http-fault.ts'
import { jsonChunks } from '../http/respond.ts'
import { defineRoute } from './definition/route.ts'

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
  handle: async ({ body, caller, context, memory }) => {
    if (context.metrics === undefined) throw fault('not-found', { what: 'path' })
    if (body.Promql !== undefined) caller.readsText('Promql', body.Promql)
    const answer = await context.metrics.query(atNow(body, context.nowNs()), caller)
    return jsonChunks(answer.chunks(), { limitBytes: context.limits.answerBytes, memory })
  },
})
