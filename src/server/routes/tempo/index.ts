import type { AnyRoute } from '../definition/route.ts'
import { tempoMetricsRoutes } from './metrics.ts'
import { tempoSearchRoutes } from './search.ts'
import { tempoStatusRoutes } from './status.ts'
import { tempoTagRoutes } from './tags.ts'
import { tempoTraceRoutes } from './traces.ts'

/** Routes of Tempo's read API. */
export const tempoRoutes: readonly AnyRoute[] = [
  ...tempoSearchRoutes,
  ...tempoTraceRoutes,
  ...tempoTagRoutes,
  ...tempoMetricsRoutes,
  ...tempoStatusRoutes,
]
