import { present } from '../../../base/index.ts'
import { expositionFormat } from '../../../ingest/metrics/index.ts'
import { ingestAnswer, ingestBody } from '../../../wire/index.ts'
import { json } from '../../http/respond.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { bodyPackings } from '../../http/unpack-stream.ts'
import { checked } from './ingest.ts'

const importRoute = defineRoute({
  name: 'prometheusImport',
  method: 'POST',
  path: '/api/v1/import/prometheus',
  summary: 'Store metric samples in the text format or OpenMetrics',
  role: 'write',
  body: ingestBody,
  // Simple clients send the last of these types with any body.
  bodyTypes: ['text/plain', 'application/openmetrics-text', 'application/x-www-form-urlencoded'],
  bodyEncodings: bodyPackings,
  isIngest: true,
  answers: [
    {
      status: 200,
      description: 'Counts of accepted and rejected samples; accepted ones are stored.',
      schema: ingestAnswer,
    },
  ],
  isQuery: false,
  isAvailable: (context) => context.ingest !== undefined,
  handle: async ({ packed, context, identity, headers }) => {
    const isOpenMetrics = expositionFormat(headers.get('content-type') ?? '') === 'open-metrics'
    const format = isOpenMetrics ? 'open-metrics' : 'prometheus-text'
    const request = { backend: identity.backend, table: 'samples', format, body: present(packed) }
    const report = await present(context.ingest).ingest(request)
    const { accepted, rejected, errors } = checked(report)
    return json({ accepted, rejected, errors })
  },
})

export const prometheusImportRoutes: readonly AnyRoute[] = [importRoute]
