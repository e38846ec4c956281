import type { AnyRoute } from '../definition/route.ts'
import { selectFieldRoutes } from './fields.ts'
import { selectHitsRoutes } from './hits.ts'
import { selectQueryRoutes } from './query.ts'
import { selectStatsRoutes } from './stats.ts'
import { selectTailRoutes } from './tail.ts'
import { selectTenantRoutes } from './tenants.ts'

/** Routes of VictoriaLogs' select API. */
export const selectRoutes: readonly AnyRoute[] = [
  ...selectQueryRoutes,
  ...selectHitsRoutes,
  ...selectStatsRoutes,
  ...selectFieldRoutes,
  ...selectTailRoutes,
  ...selectTenantRoutes,
]
