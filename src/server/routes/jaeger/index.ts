import type { AnyRoute } from '../definition/route.ts'
import { jaegerDependencyRoutes } from './dependencies.ts'
import { jaegerNameRoutes } from './names.ts'
import { jaegerTraceRoutes } from './traces.ts'
import { jaegerV3Routes } from './v3.ts'

/** Routes of Jaeger's query API. */
export const jaegerRoutes: readonly AnyRoute[] = [
  ...jaegerNameRoutes,
  ...jaegerTraceRoutes,
  ...jaegerDependencyRoutes,
  ...jaegerV3Routes,
]
