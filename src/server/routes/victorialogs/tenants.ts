import { z } from 'zod'
import { json } from '../../http/respond.ts'
import { RequestParameters } from '../../metrics/parameters.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { isSearched } from '../search.ts'
import { selectErrors } from './errors.ts'
import { rangeParameters } from './parameters.ts'

const tenantsAnswer = z
  .array(z.object({ account_id: z.number(), project_id: z.number() }))
  .meta({ id: 'SelectTenants', description: 'Tenants, in the form of VictoriaLogs.' })

const TENANT = /^(\d{1,10}):(\d{1,10})$/

/** Returns the tenant that clients see for a backend: the one in its id, or the default tenant. */
function tenantOf(backend: string | undefined): z.output<typeof tenantsAnswer>[number] {
  const [, account = '0', project = '0'] = TENANT.exec(backend ?? '') ?? []
  return { account_id: Number(account), project_id: Number(project) }
}

export const selectTenantRoutes: readonly AnyRoute[] = [
  defineRoute({
    name: 'selectTenants',
    method: 'GET',
    path: '/select/tenant_ids',
    summary: 'Return the tenant of the request, as VictoriaLogs does',
    role: 'read',
    ...selectErrors,
    parameters: [
      { name: 'start', description: 'Read, and not needed.', schema: z.string() },
      { name: 'end', description: 'Read, and not needed.', schema: z.string() },
    ],
    answers: [{ status: 200, description: 'A list with the tenant of the backend.', schema: tenantsAnswer }],
    isQuery: false,
    isAvailable: isSearched('logs'),
    // oxlint-disable-next-line require-await
    handle: async ({ query, context, identity }) => {
      rangeParameters(new RequestParameters(new URLSearchParams(), query), context.nowNs())
      return json([tenantOf(identity.backend)])
    },
  }),
]
