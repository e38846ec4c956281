import { clusterList, clusterListAnswer } from '../../wire/index.ts'
import { fault } from '../errors/http-fault.ts'
import { json } from '../http/respond.ts'
import { defineRoute } from './definition/route.ts'

export const clusterListRoute = defineRoute({
  name: 'listClusters',
  method: 'POST',
  path: '/api/k8s/v3/clusters/list',
  summary: 'List Kubernetes clusters',
  role: 'read',
  body: clusterList,
  answers: [{ status: 200, description: 'The clusters.', schema: clusterListAnswer }],
  isQuery: true,
  isAvailable: (context) => context.clusters !== undefined,
  handle: async ({ body, caller, context }) => {
    if (context.clusters === undefined) throw fault('not-found', { what: 'path' })
    return json(await context.clusters.list(body, caller))
  },
})
