import { z } from 'zod'
import { momentsInOrder } from '../moment.ts'
import { searchMembers } from './search.ts'

/** Body of `POST /api/k8s/v2/events/search`. Without `query` and `pipeline` it finds every event of the range. */
export const eventSearch = z
  .object(searchMembers)
  .superRefine(momentsInOrder('start', 'end'))
  .meta({ id: 'EventSearch', description: 'A search in the Kubernetes events.' })

export type EventSearch = z.output<typeof eventSearch>
