import { z } from 'zod'
import type { HttpAnswer } from '../http/answer.ts'
import { admitToSystem, refuseForeignName, refuseUnreadable } from '../auth/auth.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import type { Exchange } from './exchange.ts'
import { fault } from '../errors/http-fault.ts'
import { JSON_TYPE, empty, json } from '../http/respond.ts'
import type { AnyRoute } from '../routes/definition/route.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** A route for operators, tools and signing in. Answers of such a route do not depend on stored data. */
export interface SystemRoute extends Pick<AnyRoute, 'name' | 'method' | 'path' | 'summary' | 'body' | 'answers'> {
  /** True if the route answers 503 while the server is not ready. */
  readonly isRefusedUnready: boolean
  /** Required access: none, the access that `openTo` sets, or a key. */
  readonly access: 'everyone' | 'operators' | 'key'
  readonly handle: (exchange: Exchange) => Promise<HttpAnswer> | HttpAnswer
}

/** State of the server that system routes report. */
export interface SystemState {
  readonly telemetry: Telemetry
  readonly context: ServerContext
  readonly isStopping: () => boolean
  /** Returns the OpenAPI document of all served routes. */
  readonly describe: () => object
}

const statusOf = (word: string) => z.object({ status: z.literal(word) })

const PLAIN_TYPE = 'text/plain; charset=utf-8'
const PLAIN_TEXT = { status: 200, description: 'The server answers.', schema: z.string(), contentType: PLAIN_TYPE }

function plain(body: string): HttpAnswer {
  return { status: 200, headers: { 'Content-Type': PLAIN_TYPE }, body }
}

export function systemRoutes({ telemetry, context, isStopping, describe }: SystemState): readonly SystemRoute[] {
  const { registry } = telemetry
  const admit = ({ request, transport }: Exchange): void => {
    refuseUnreadable(context)
    admitToSystem(request, () => transport?.isLocal() === true, context)
  }
  const checkReady = async (): Promise<void> => {
    refuseUnreadable(context)
    if (isStopping()) throw fault('stopping', { reason: 'it is being stopped' })
    if (!context.isReady() || context.workers?.hasStarted() === false)
      throw fault('busy', { reason: 'it is still starting' }, { 'Retry-After': '1' })
    await context.readiness?.()
  }
  let document: string | undefined
  const routes: readonly SystemRoute[] = [
    {
      name: 'health',
      method: 'GET',
      path: '/healthz',
      summary: 'Liveness check',
      answers: [{ status: 200, description: 'The process is alive.', schema: statusOf('ok') }],
      isRefusedUnready: false,
      access: 'everyone',
      handle: () => json({ status: 'ok' }),
    },
    {
      name: 'ready',
      method: 'GET',
      path: '/readyz',
      summary: 'Readiness check',
      answers: [{ status: 200, description: 'The server is ready.', schema: statusOf('ready') }],
      isRefusedUnready: true,
      access: 'everyone',
      handle: async () => {
        await checkReady()
        return json({ status: 'ready' })
      },
    },
    ...(['/ready', '/tempo/ready'] as const).map((path): SystemRoute => ({
      name: path === '/ready' ? 'agentToolsReady' : 'traceToolsReady',
      method: 'GET',
      path,
      summary: `Readiness check, at the path of ${path === '/ready' ? 'Loki and Tempo' : 'Tempo below its base address'}`,
      answers: [PLAIN_TEXT],
      isRefusedUnready: true,
      access: 'everyone',
      handle: async () => {
        await checkReady()
        return plain('ready\n')
      },
    })),
    {
      name: 'metricToolsHealthy',
      method: 'GET',
      path: '/-/healthy',
      summary: 'Liveness check, at the path of Prometheus',
      answers: [PLAIN_TEXT],
      isRefusedUnready: false,
      access: 'everyone',
      handle: () => plain('Sluice is healthy.\n'),
    },
    {
      name: 'metricToolsReady',
      method: 'GET',
      path: '/-/ready',
      summary: 'Readiness check, at the path of Prometheus',
      answers: [PLAIN_TEXT],
      isRefusedUnready: true,
      access: 'everyone',
      handle: async () => {
        await checkReady()
        return plain('Sluice is ready.\n')
      },
    },
    {
      name: 'logToolsHealthy',
      method: 'GET',
      path: '/health',
      summary: 'Liveness check, at the path of VictoriaLogs',
      answers: [PLAIN_TEXT],
      isRefusedUnready: false,
      access: 'everyone',
      handle: () => plain('OK'),
    },
    {
      name: 'logToolsPing',
      method: 'GET',
      path: '/ping',
      summary: 'Liveness check without a body, at the path of VictoriaLogs',
      answers: [{ status: 204, description: 'The server answers.' }],
      isRefusedUnready: false,
      access: 'everyone',
      handle: () => empty(204),
    },
    {
      name: 'metrics',
      method: 'GET',
      path: '/metrics',
      summary: 'Return the metrics of the server itself',
      answers: [
        {
          status: 200,
          description: 'Metrics in the text format that Prometheus scrapes.',
          schema: z.string(),
          contentType: registry.contentType,
        },
      ],
      isRefusedUnready: false,
      access: 'operators',
      handle: async (exchange) => {
        admit(exchange)
        return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() }
      },
    },
    {
      name: 'openapi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Return this document',
      answers: [
        {
          status: 200,
          description: 'An OpenAPI 3.1 document.',
          schema: z.looseObject({
            openapi: z.literal('3.1.0'),
            paths: z.looseObject({}),
            components: z.looseObject({}),
          }),
        },
      ],
      isRefusedUnready: false,
      access: 'operators',
      handle: (exchange) => {
        admit(exchange)
        document ??= JSON.stringify(describe())
        return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body: document }
      },
    },
  ]
  return routes.map((route) => ({
    ...route,
    handle: (exchange) => {
      refuseForeignName(exchange.request.headers, exchange.transport?.loopbackName?.(), context)
      return route.handle(exchange)
    },
  }))
}
