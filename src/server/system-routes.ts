import { z } from 'zod'
import { fault } from './http-fault.ts'
import { JSON_TYPE, json } from './respond.ts'
import type { AnyRoute } from './route.ts'
import type { Telemetry } from './telemetry.ts'

/** What operators and tools ask by GET, without a key: nothing in its answers depends on data. */
export interface SystemRoute extends Pick<AnyRoute, 'name' | 'path' | 'summary' | 'answers'> {
  /** True when it answers 503 while the server is not ready. */
  readonly isRefusedUnready: boolean
  readonly handle: () => Promise<Response> | Response
}

/** What the answers are made of. */
export interface SystemState {
  readonly telemetry: Telemetry
  readonly isReady: () => boolean
  readonly isDamaged: () => boolean
  readonly isStopping: () => boolean
  /** The OpenAPI document of everything that is served. */
  readonly describe: () => object
}

const statusOf = (word: string) => z.object({ status: z.literal(word) })

export function systemRoutes({
  telemetry,
  isReady,
  isDamaged,
  isStopping,
  describe,
}: SystemState): readonly SystemRoute[] {
  const { registry } = telemetry
  const refuseDamaged = (): void => {
    if (isDamaged()) throw fault('damaged', {})
  }
  let document: string | undefined
  return [
    {
      name: 'health',
      path: '/healthz',
      summary: 'Say that the process lives',
      answers: [{ status: 200, description: 'It does.', schema: statusOf('ok') }],
      isRefusedUnready: false,
      handle: () => json({ status: 'ok' }),
    },
    {
      name: 'ready',
      path: '/readyz',
      summary: 'Say whether requests are welcome',
      answers: [{ status: 200, description: 'They are.', schema: statusOf('ready') }],
      isRefusedUnready: true,
      handle: () => {
        refuseDamaged()
        if (isStopping()) throw fault('stopping', { reason: 'it is being stopped' })
        if (!isReady()) throw fault('busy', { reason: 'it is still starting' }, { 'Retry-After': '1' })
        return json({ status: 'ready' })
      },
    },
    {
      name: 'metrics',
      path: '/metrics',
      summary: 'Give the metrics of the server itself',
      answers: [
        {
          status: 200,
          description: 'Metrics in the text format that Prometheus scrapes.',
          schema: z.string(),
          contentType: registry.contentType,
        },
      ],
      isRefusedUnready: false,
      handle: async () => {
        refuseDamaged()
        return new Response(await registry.metrics(), { headers: { 'Content-Type': registry.contentType } })
      },
    },
    {
      name: 'openapi',
      path: '/openapi.json',
      summary: 'Give this document',
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
      handle: () => {
        refuseDamaged()
        document ??= JSON.stringify(describe())
        return new Response(document, { headers: { 'Content-Type': JSON_TYPE } })
      },
    },
  ]
}
