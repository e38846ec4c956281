import { z } from 'zod'
import { nowhere } from '../../../base/index.ts'
import { RowWriter } from '../../../data/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import { rowStream } from '../../search/stream.ts'
import { countParameter } from './parameters.ts'
import { defineSelectRoutes } from './define-select-routes.ts'
import { selectionOf, shownAnswer, withStreams } from './selection.ts'

const STREAM_TYPE = 'application/stream+json'

export const selectQueryRoutes = defineSelectRoutes({
  name: 'selectLogs',
  path: 'query',
  summary: 'Search logs, as VictoriaLogs does',
  parameters: {
    limit: 'At most this many rows, the newest unless the query sorts them. Default: all, as a stream.',
    offset: 'With `limit`: rows to skip.',
  },
  answer: {
    description: 'One object a line with the fields that are not empty, as strings.',
    schema: z.string(),
    contentType: STREAM_TYPE,
  },
  handle: async (call) => {
    const limit = countParameter(call.parameters, 'limit')
    const offset = countParameter(call.parameters, 'offset') ?? 0
    const selection = selectionOf(call)
    const over = (plan: LogicalPlan): LogicalPlan => {
      const rows = withStreams(plan)
      return limit === undefined ? rows : { kind: 'limit', input: rows, limit, offset, origin: nowhere }
    }
    const answer = shownAnswer(await call.service.search({ ...selection, over }))
    const source = { text: selection.query, member: '$.query' }
    const errors = { traceId: call.traceId, source }
    const sent = await rowStream(answer, { format: 'lines', writer: new RowWriter('logsql'), errors })
    return { ...sent, headers: { ...sent.headers, 'Content-Type': STREAM_TYPE } }
  },
})
