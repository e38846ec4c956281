import { z } from 'zod'
import { momentsInOrder } from '../moment.ts'
import { searchMembers } from './search.ts'

/** Body of `POST /api/traces/v2/search`. Without `query` and `pipeline` it finds every span of the range. */
export const traceSearch = z
  .object(searchMembers)
  .superRefine(momentsInOrder('start', 'end'))
  .meta({ id: 'TraceSearch', description: 'A search in the spans of traces.' })

export type TraceSearch = z.output<typeof traceSearch>
