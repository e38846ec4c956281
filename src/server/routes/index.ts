import type { AnyRoute } from '../route.ts'
import { clusterListRoute } from './cluster-list.ts'
import { eventSearchRoute } from './event-search.ts'
import { eventsOverTimeRoute } from './events-over-time.ts'
import { logSearchRoute } from './log-search.ts'
import { metricQueryRoute } from './metric-query.ts'
import { traceSearchRoute } from './trace-search.ts'
import { workloadListRoute } from './workload-list.ts'

/** Every operation of the API that takes a key. */
export const routes: readonly AnyRoute[] = [
  logSearchRoute,
  eventSearchRoute,
  traceSearchRoute,
  metricQueryRoute,
  eventsOverTimeRoute,
  clusterListRoute,
  workloadListRoute,
]
