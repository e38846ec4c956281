import { z } from 'zod'
import { nowhere } from '../../base/index.ts'
import { wireDiagnostic } from '../diagnostics.ts'
import { momentsInOrder } from '../moment.ts'
import { raise } from '../issues.ts'
import { searchMembers } from './search.ts'

/** Body of `POST /api/logs/v2/search`. Of `query` and `pipeline` at least one is required. */
export const logSearch = z
  .object(searchMembers)
  .superRefine(momentsInOrder('start', 'end'))
  .superRefine((body, context) => {
    if (body.query !== undefined || body.pipeline !== undefined) return
    const hint = 'The query `*` finds every record.'
    raise(context, wireDiagnostic('missing-member', { name: 'query', near: [], hint }, nowhere), ['query'])
  })
  .meta({ id: 'LogSearch', description: 'A search in the logs: `query` or `pipeline` is required.' })

export type LogSearch = z.output<typeof logSearch>
