import { present } from '../../base/index.ts'
import type { Clock } from '../../engine/index.ts'
import { serveJobs, startData } from '../../workers/index.ts'
import type { ServerContext } from '../context.ts'
import { queryServices, tenantFinder } from '../query-services.ts'
import { routes } from '../routes/index.ts'
import { CallAnswerer } from './answer-call.ts'
import type { QueryWorkerData, QueryWorkerNews, QueryWorkerRequest } from './messages.ts'
import { TenantReplica } from './replica.ts'

/** Answers the queries of a server, over replicas of its backends, until the thread is ended. */
export function serveQueries(): void {
  const { backends, limits } = startData() as QueryWorkerData
  // Relative times count from when the request came in, by the clock of the server.
  let nowNs = 0n
  const clock: Clock = { nowMs: () => performance.now(), nowNs: () => nowNs }
  const tenants = new Map(backends.map(({ id, tables }) => [id, new TenantReplica(tables, clock)]))
  const context: ServerContext = {
    clock: { nowMs: () => Date.now() },
    randomBytes: () => new Uint8Array(),
    log: { info: () => undefined, error: () => undefined },
    limits,
    keys: { size: 0, find: () => undefined },
    backends: [...tenants.keys()],
    access: undefined,
    isReady: () => true,
    ...queryServices(tenants, limits),
  }
  const tenantOf = tenantFinder(tenants)
  const answerer = new CallAnswerer(routes, context, (backend) => tenantOf(backend).engine)
  serveJobs({
    news: (given) => {
      const news = given as QueryWorkerNews
      present(tenants.get(news.backend), 'a backend').apply(news)
    },
    answer: (given, signal) => {
      const request = given as QueryWorkerRequest
      nowNs = request.nowNs
      return answerer.answer(request, signal)
    },
  })
}
