import { Hono, type Context } from 'hono'
import { Admission } from './admission.ts'
import { AnswerMemory } from './answer-memory.ts'
import { answerRoute, type AppState } from './answer-route.ts'
import type { ServerContext } from './context.ts'
import { Exchange, type Transport } from './exchange.ts'
import { fault } from './http-fault.ts'
import { openApiDocument } from './openapi.ts'
import { RequestsInWork } from './requests-in-work.ts'
import type { AnyRoute } from './route.ts'
import { routes as allRoutes } from './routes/index.ts'
import { systemRoutes, type SystemRoute } from './system-routes.ts'
import { Telemetry } from './telemetry.ts'

/** The HTTP API as a function from request to response; it knows no sockets. */
export interface App {
  readonly fetch: (request: Request, transport?: Transport) => Promise<Response>
  readonly context: ServerContext
  readonly telemetry: Telemetry
  /** Requests whose answer has not ended. */
  readonly inWork: () => number
  /** From now on the server calls itself not ready, and answers ask the client to close the connection. */
  readonly beginStop: () => void
  /** Cancels whatever is still in work. */
  readonly stopAll: () => void
}

export interface AppOptions {
  readonly version: string
  /** The operations; those of this program when not given. */
  readonly routes?: readonly AnyRoute[]
}

interface Env {
  Bindings: { readonly transport: Transport | undefined }
}

type Answer = (exchange: Exchange, path: ReadonlyMap<string, string>) => Promise<Response> | Response

/** One path with its answer per method. */
interface Endpoint {
  readonly path: string
  readonly byMethod: ReadonlyMap<string, { readonly name: string; readonly answer: Answer }>
}

export function createApp(context: ServerContext, options: AppOptions): App {
  const routes = (options.routes ?? allRoutes).filter((route) => route.isAvailable(context))
  const telemetry = new Telemetry()
  const state: AppState = {
    context,
    admission: new Admission(context.limits),
    memory: new AnswerMemory(context.limits.answersBytes),
    bodies: new AnswerMemory(context.limits.ingestBytes, 'too many large bodies are being taken in'),
    inWork: new RequestsInWork(),
  }
  let isStopping = false
  telemetry.gauge('sluice_requests_in_work', 'Requests whose answer has not ended.', () => state.inWork.count)
  telemetry.gauge('sluice_queries_running', 'Queries that run.', () => state.admission.running)
  telemetry.gauge('sluice_queries_waiting', 'Queries that wait for their turn.', () => state.admission.waiting)
  telemetry.gauge('sluice_query_workers', 'Threads that are ready to run queries.', () => context.workers?.ready() ?? 0)
  telemetry.gauge('sluice_answer_bytes', 'Bytes of answers not yet sent.', () => state.memory.usedBytes)

  const run = async (c: Context<Env>, name: string, answer: (exchange: Exchange) => Promise<Response> | Response) => {
    const response = await new Exchange(c.req.raw, name, context, telemetry, c.env.transport).answer(answer)
    if (isStopping) response.headers.set('Connection', 'close')
    return response
  }

  const system = systemRoutes({
    telemetry,
    context,
    isStopping: () => isStopping,
    describe: () => openApiDocument(routes, system, options.version, context.openTo),
  })
  const endpoints = [...system.map(systemEndpoint), ...apiEndpoints(routes, state)]
  const hono = new Hono<Env>({ strict: true })
  for (const { path, byMethod } of endpoints) {
    const allowed = [...byMethod.keys()]
    hono.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
      const request = c.req.raw
      // hono leaves the body of an answer to HEAD out.
      const found = byMethod.get(request.method === 'HEAD' ? 'GET' : request.method)
      if (found !== undefined) {
        const members = new Map(Object.entries<string>(c.req.param()))
        return run(c, found.name, (exchange) => found.answer(exchange, members))
      }
      return run(c, 'other', () => {
        const headers = { Allow: [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ') }
        if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers })
        throw fault('method-not-allowed', { method: request.method.slice(0, 20), allowed }, headers)
      })
    })
  }
  hono.notFound((c) =>
    run(c, 'other', () => {
      throw fault('not-found', { what: 'path' })
    }),
  )
  hono.onError((error, c) =>
    run(c, 'other', () => {
      throw error
    }),
  )
  return {
    fetch: async (request, transport) => hono.fetch(request, { transport }),
    context,
    telemetry,
    inWork: () => state.inWork.count,
    beginStop: () => {
      isStopping = true
    },
    stopAll: () => state.inWork.stopAll(),
  }
}

/** Fixed paths stand before paths with members: `/api/monitors/list` is not a monitor's id. */
function apiEndpoints(routes: readonly AnyRoute[], state: AppState): readonly Endpoint[] {
  const byPath = Map.groupBy(routes, (route) => route.path)
  const paths = [...byPath.keys()].toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  return paths.map((path) => ({
    path,
    byMethod: new Map(
      (byPath.get(path) ?? []).map((route) => [
        route.method,
        { name: route.name, answer: (exchange, members) => answerRoute(route, members, exchange, state) },
      ]),
    ),
  }))
}

function systemEndpoint({ path, name, handle }: SystemRoute): Endpoint {
  return { path, byMethod: new Map([['GET', { name, answer: handle }]]) }
}
