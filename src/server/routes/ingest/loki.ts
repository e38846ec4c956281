import { present } from '../../../base/index.ts'
import { ingestBody } from '../../../wire/index.ts'
import { isJsonType, mediaTypeOf } from '../../http/body.ts'
import { plainErrors } from '../../http/error-forms.ts'
import { fault } from '../../errors/http-fault.ts'
import { AS_SENT } from '../../ingest/decoders/loki.ts'
import { recordOptionParameters, recordOptionsOf } from '../../ingest/record-options.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { bodyPackings } from '../../http/unpack-stream.ts'
import { checked } from './ingest.ts'

function pushRoute(name: string, path: string): AnyRoute {
  return defineRoute({
    name,
    method: 'POST',
    path,
    summary: 'Store logs sent by the push API of Loki',
    role: 'write',
    body: ingestBody,
    bodyTypes: ['application/x-protobuf', 'application/json'],
    // A protobuf body is always Snappy-compressed, even if no header says so.
    bodyEncodings: [...bodyPackings, 'snappy'],
    isIngest: true,
    ...plainErrors,
    answers: [{ status: 204, description: 'All lines are stored and can be searched.' }],
    isQuery: false,
    isAvailable: (context) => context.ingest !== undefined,
    parameters: recordOptionParameters,
    handle: async ({ packed, context, identity, headers, query }) => {
      const type = mediaTypeOf(headers)
      const report = checked(
        await present(context.ingest).ingest({
          backend: identity.backend,
          table: 'logs',
          format: `${type !== undefined && isJsonType(type) ? 'loki-json' : 'loki-protobuf'}${context.limits.discoversLabels ? '' : AS_SENT}`,
          options: recordOptionsOf(headers, query),
          body: present(packed),
        }),
      )
      const [first] = report.errors
      // Agents look only at the status, so a partly accepted body must have an error status.
      if (first !== undefined) throw fault('partly-accepted', { ...report, ...first, excerpt: first.excerpt ?? '' })
      return { status: 204, headers: {}, body: null }
    },
  })
}

export const lokiRoutes: readonly AnyRoute[] = [
  pushRoute('lokiPush', '/loki/api/v1/push'),
  pushRoute('lokiPushOld', '/api/prom/push'),
]
