import { present } from '../../../base/index.ts'
import { remoteWriteVersion } from '../../../ingest/metrics/index.ts'
import { ingestBody } from '../../../wire/index.ts'
import { plainErrors } from '../../http/error-forms.ts'
import { fault } from '../../errors/http-fault.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { checked } from './ingest.ts'

const MESSAGE_TYPES = [
  'application/x-protobuf;proto=prometheus.WriteRequest',
  'application/x-protobuf;proto=io.prometheus.write.v2.Request',
] as const

const WRITTEN = 'X-Prometheus-Remote-Write'

const remoteWriteRoute = defineRoute({
  name: 'prometheusWrite',
  method: 'POST',
  path: '/api/v1/write',
  summary: 'Store metric samples sent by remote write, version 1 or 2',
  role: 'write',
  body: ingestBody,
  bodyTypes: ['application/x-protobuf'],
  // The decoder decompresses the body, so that the batch log keeps it compressed.
  bodyEncodings: ['snappy'],
  isIngest: true,
  ...plainErrors,
  answers: [
    { status: 204, description: 'All samples are stored, except those that the headers of version 2 leave out.' },
  ],
  isQuery: false,
  isAvailable: (context) => context.ingest !== undefined,
  handle: async ({ packed, context, identity, headers }) => {
    const contentType = headers.get('content-type') ?? ''
    const version = remoteWriteVersion(contentType)
    if (version === undefined)
      throw fault('wrong-content-type', { found: contentType.slice(0, 80), accepted: MESSAGE_TYPES })
    const format = `remote-write-${version}`
    const request = { backend: identity.backend, table: 'samples', format, body: present(packed) }
    const report = checked(await present(context.ingest).ingest(request))
    const { accepted, histograms = 0, exemplars = 0, errors } = report
    const written = {
      [`${WRITTEN}-Samples-Written`]: String(accepted - histograms),
      [`${WRITTEN}-Histograms-Written`]: String(histograms),
      [`${WRITTEN}-Exemplars-Written`]: String(exemplars),
    }
    const [first] = errors
    // Remote write cannot express a partial success.
    if (first !== undefined)
      throw fault('partly-accepted', { ...report, ...first, excerpt: first.excerpt ?? '' }, written)
    return { status: 204, headers: written, body: null }
  },
})

export const prometheusWriteRoutes: readonly AnyRoute[] = [remoteWriteRoute]
