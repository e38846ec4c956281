import { TrieRouter } from 'hono/router/trie-router'
import { getPath, tryDecodeURIComponent } from 'hono/utils/url'
import { presentedKeys, refuseForeignName } from '../auth/auth.ts'
import { Admission } from '../admission/admission.ts'
import { responseOf, withoutBody, type HttpAnswer } from '../http/answer.ts'
import { AnswerMemory } from '../http/answer-memory.ts'
import { packedAnswer } from '../http/packed-answer.ts'
import { agentRoutes } from './agent-routes.ts'
import { answerRoute, type AppState } from './answer-route.ts'
import { BodyMemory } from '../http/body-memory.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { CrossOrigins } from './cors.ts'
import { Exchange, type Transport } from './exchange.ts'
import { fault } from '../errors/http-fault.ts'
import { openApiDocument } from './openapi.ts'
import { shapeMetricFault } from '../metrics/shape-error.ts'
import { RequestsInWork } from '../admission/requests-in-work.ts'
import type { AnyRoute } from '../routes/definition/route.ts'
import { routes as allRoutes } from '../routes/index.ts'
import { shapeJaegerPath } from '../routes/jaeger/errors.ts'
import { shapeLokiPath } from '../routes/loki/errors.ts'
import { shapeTempoPath } from '../routes/tempo/errors.ts'
import { shapeUnknownPath } from '../routes/victorialogs/errors.ts'
import { sessionRoutes } from './session-routes.ts'
import { systemRoutes, type SystemRoute } from './system-routes.ts'
import { tellingOfSpace } from '../ingest/intake-stops.ts'
import { watchedIntake, type IntakeWatch } from '../ingest/intake-watch.ts'
import { Telemetry } from '../telemetry/telemetry.ts'
import { StepwiseTask } from '../admission/turns.ts'
import { BlockPool } from '../../workers/index.ts'

/** The HTTP API as a function from request to response, without sockets. */
export interface App {
  readonly answer: (request: Request, transport?: Transport) => Promise<HttpAnswer>
  /** Answers a request without a socket. */
  readonly fetch: (request: Request, transport?: Transport) => Promise<Response>
  readonly context: ServerContext
  readonly telemetry: Telemetry
  /** Scheduler of this thread, also for sending answers. */
  readonly turns: StepwiseTask
  /** Number of requests in flight. */
  readonly inWork: () => number
  /** Makes the server report that it is not ready. */
  readonly beginStop: () => void
  /** Bytes of bodies that are being read or stored. */
  readonly bodyBytes: () => number
  /** Bytes of answers in flight, of all threads. */
  readonly answerBytes: () => number
  /** Cancels all requests in flight. */
  readonly stopAll: () => void
}

export interface AppOptions {
  readonly version: string
  /** Routes of the API. Default: all routes. */
  readonly routes?: readonly AnyRoute[]
}

type Path = ReadonlyMap<string, string>
type Make = (exchange: Exchange, path: Path) => Promise<HttpAnswer> | HttpAnswer

interface Named {
  readonly name: string
  readonly make: Make
}

const nowhere: Named = {
  name: 'other',
  make: () => {
    throw fault('not-found', { what: 'path' })
  },
}

function otherMethod(method: string, allowed: readonly string[]): Named {
  const headers = { Allow: [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ') }
  return {
    name: 'other',
    make: () => {
      if (method === 'OPTIONS') return { status: 204, headers, body: null }
      throw fault('method-not-allowed', { method: method.slice(0, 20), allowed }, headers)
    },
  }
}

const noMembers: Path = new Map()

/** A path with a handler for each method. */
interface Endpoint {
  readonly path: string
  readonly byMethod: ReadonlyMap<string, Named>
}

function endpointFor({ byMethod }: Endpoint, method: string): Named {
  return byMethod.get(method === 'HEAD' ? 'GET' : method) ?? otherMethod(method, [...byMethod.keys()])
}

export function createApp(given: ServerContext, options: AppOptions): App {
  const telemetry = new Telemetry()
  const { ingest, log, clock } = given
  const watches: readonly IntakeWatch[] = [
    ...tellingOfSpace(log, clock),
    { taken: ({ table }, report) => telemetry.took(table, report) },
  ]
  const context = { ...given, ingest: ingest && watchedIntake(ingest, watches) }
  const routes = (options.routes ?? allRoutes).filter((route) => route.isAvailable(context))
  const turns = new StepwiseTask(context.limits.queriesPerKey)
  const state: AppState = {
    context,
    admission: new Admission(context.limits, context.workers?.line, context.beginRead),
    turns,
    memory: new AnswerMemory(context.limits.answersBytes, new BlockPool(context.answers)),
    bodies: new BodyMemory(context.limits.ingestBytes),
    inWork: new RequestsInWork(turns),
  }
  const origins = new CrossOrigins(context.cors ?? [])
  let isStopping = false
  telemetry.gauge('sluice_requests_in_work', 'Requests in flight.', () => state.inWork.count)
  telemetry.gauge('sluice_queries_running', 'Running queries.', () => state.admission.running)
  telemetry.gauge('sluice_queries_waiting', 'Queued queries.', () => state.admission.waiting)
  telemetry.gauge('sluice_query_workers', 'Query workers that are ready.', () => context.workers?.ready() ?? 0)
  telemetry.gauge('sluice_answer_bytes', 'Bytes of answers in flight.', () => state.memory.usedBytes)

  const system: readonly SystemRoute[] = [
    ...systemRoutes({
      telemetry,
      context,
      isStopping: () => isStopping,
      describe: () => openApiDocument(routes, system, options.version, context.openTo),
    }),
    ...sessionRoutes(context, options.version),
    ...agentRoutes(context, async (request) => responseOf(await answer(request))),
  ]
  const endpoints = withConsole([...systemEndpoints(system), ...apiEndpoints(routes, state)], context)
  const router = new TrieRouter<Endpoint>()
  for (const endpoint of endpoints) router.add('ALL', endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), endpoint)

  // Most requests have one of these paths. A map lookup avoids the router, which splits each path.
  const fixed = new Map(
    endpoints.filter(({ path }) => !path.includes('{')).map((endpoint) => [endpoint.path, endpoint]),
  )
  const found = (method: string, address: string): Named & { readonly path: Path } => {
    const known = fixed.get(address)
    if (known !== undefined) return { ...endpointFor(known, method), path: noMembers }
    const [match] = router.match('ALL', address)[0]
    if (match === undefined) return { ...nowhere, path: noMembers }
    const [endpoint, members] = match
    const path = new Map(
      Object.entries(members as Record<string, string>).map(([k, v]) => [k, tryDecodeURIComponent(v)]),
    )
    return { ...endpointFor(endpoint, method), path }
  }
  const answer = async (request: Request, transport?: Transport): Promise<HttpAnswer> => {
    const address = getPath(request)
    const preflight = origins.preflight(request)
    const { name, make, path } = found(request.method, address)
    const exchange = new Exchange(request, name, context, telemetry, transport)
    if (address.startsWith('/api/v1/')) exchange.shapeError = shapeMetricFault
    if (address.startsWith('/select/')) exchange.shapeError = shapeUnknownPath
    if (address.startsWith('/loki/')) exchange.shapeError = shapeLokiPath
    if (address.startsWith('/jaeger/')) exchange.shapeError = shapeJaegerPath
    if (address.startsWith('/tempo/')) exchange.shapeError = shapeTempoPath
    const made = await exchange.answer((given) => preflight ?? make(given, path))
    const sent = request.method === 'HEAD' ? withoutBody(made) : await packedAnswer(made, request.headers)
    return origins.permit(sent, request)
  }
  return {
    answer,
    fetch: async (request, transport) => responseOf(await answer(request, transport)),
    context,
    telemetry,
    turns: state.turns,
    inWork: () => state.inWork.count,
    beginStop: () => {
      isStopping = true
    },
    bodyBytes: () => state.bodies.usedBytes,
    answerBytes: () => state.memory.usedBytes,
    stopAll: () => state.inWork.stopAll(),
  }
}

/**
 * Returns the API's endpoints. Paths without parameters come first, so that `/api/monitors/list` is not taken as a
 * monitor's id.
 */
function apiEndpoints(routes: readonly AnyRoute[], state: AppState): readonly Endpoint[] {
  const routed = routes.flatMap((route) => [route.path, ...(route.alsoAt ?? [])].map((path) => ({ path, route })))
  const byPath = Map.groupBy(routed, ({ path }) => path)
  const paths = [...byPath.keys()].toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  return paths.map((path) => ({
    path,
    byMethod: new Map(
      (byPath.get(path) ?? []).map(({ route }) => [
        route.method,
        { name: route.name, make: (exchange, members) => answerRoute(route, members, exchange, state) },
      ]),
    ),
  }))
}

/**
 * Adds the console. Clients of the bulk API also request `/`: a request with a key in a header gets the bulk API's
 * answer, since browsers do not send keys.
 */
function withConsole(endpoints: readonly Endpoint[], context: ServerContext): readonly Endpoint[] {
  const { console: files } = context
  if (files === undefined) return endpoints
  const page: Named = {
    name: 'console',
    make: ({ request, transport }) => {
      refuseForeignName(request.headers, transport?.loopbackName?.(), context)
      return files.answer(getPath(request), request.headers)
    },
  }
  const forClients = endpoints.find(({ path }) => path === '/')?.byMethod ?? new Map<string, Named>()
  const known = forClients.get('GET') ?? page
  const root: Named = {
    name: 'console',
    make: (exchange, path) =>
      (presentedKeys(exchange.request.headers).length === 0 ? page : known).make(exchange, path),
  }
  return [
    ...endpoints.filter(({ path }) => path !== '/'),
    { path: '/', byMethod: new Map([...forClients, ['GET', root]]) },
    ...['/assets/*', '/console', '/console/*'].map((path) => ({ path, byMethod: new Map([['GET', page]]) })),
  ]
}

function systemEndpoints(system: readonly SystemRoute[]): readonly Endpoint[] {
  return Array.from(
    Map.groupBy(system, ({ path }) => path),
    ([path, routes]) => ({
      path,
      byMethod: new Map(routes.map(({ method, name, handle }) => [method, { name, make: handle }])),
    }),
  )
}
