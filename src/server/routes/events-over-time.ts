import { atNow, eventsOverTime, eventsOverTimeAnswer } from '../../wire/index.ts'
import { fault } from '../errors/http-fault.ts'
import { json } from '../http/respond.ts'
import { defineRoute } from './definition/route.ts'

export const eventsOverTimeRoute = defineRoute({
  name: 'listEvents',
  method: 'POST',
  path: '/api/k8s/v2/events-over-time',
  summary: 'List Kubernetes events',
  role: 'read',
  body: eventsOverTime,
  answers: [{ status: 200, description: 'A page of events.', schema: eventsOverTimeAnswer }],
  isQuery: true,
  isAvailable: (context) => context.eventList !== undefined,
  handle: async ({ body, caller, context }) => {
    if (context.eventList === undefined) throw fault('not-found', { what: 'path' })
    return json(await context.eventList.list(atNow(body, context.nowNs()), caller))
  },
})
