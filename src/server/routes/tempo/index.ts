import type { AnyRoute } from '../definition/route.ts'
import { tempoStatusRoutes } from './status.ts'
import { tempoTraceRoutes } from './traces.ts'

/** The read API of Tempo. */
export const tempoRoutes: readonly AnyRoute[] = [...tempoTraceRoutes, ...tempoStatusRoutes]
