import { workloadList, workloadListAnswer } from '../../wire/index.ts'
import { fault } from '../errors/http-fault.ts'
import { json } from '../http/respond.ts'
import { defineRoute } from './definition/route.ts'

export const workloadListRoute = defineRoute({
  name: 'listWorkloads',
  method: 'POST',
  path: '/api/k8s/v3/workloads/list',
  summary: 'List Kubernetes workloads',
  role: 'read',
  body: workloadList,
  answers: [{ status: 200, description: 'A page of workloads.', schema: workloadListAnswer }],
  isQuery: true,
  isAvailable: (context) => context.workloads !== undefined,
  handle: async ({ body, caller, context }) => {
    if (context.workloads === undefined) throw fault('not-found', { what: 'path' })
    return json(await context.workloads.list(body, caller))
  },
})
