import { present } from '../../base/index.ts'
import { remoteWriteVersion } from '../../ingest/metrics/index.ts'
import { ingestBody } from '../../wire/index.ts'
import { defineRoute, type AnyRoute } from '../route.ts'
import { checked } from './ingest.ts'

const WRITTEN = 'X-Prometheus-Remote-Write'

const remoteWriteRoute = defineRoute({
  name: 'prometheusWrite',
  method: 'POST',
  path: '/api/v1/write',
  summary: 'Store metric samples sent by remote write, version 1 or 2',
  role: 'write',
  body: ingestBody,
  bodyTypes: ['application/x-protobuf'],
  // The decoder unpacks it, so that the batch log keeps it as it came.
  bodyEncodings: ['snappy'],
  isIngest: true,
  answers: [
    { status: 204, description: 'Everything that could be stored is stored; headers of version 2 say how much.' },
  ],
  isQuery: false,
  isAvailable: (context) => context.ingest !== undefined,
  handle: async ({ packed, context, identity, headers }) => {
    const version = remoteWriteVersion(headers.get('content-type') ?? '')
    const format = `remote-write-${version}`
    const request = { backend: identity.backend, table: 'samples', format, body: present(packed) }
    const { accepted, histograms = 0 } = checked(await present(context.ingest).ingest(request))
    return {
      status: 204,
      headers: {
        [`${WRITTEN}-Samples-Written`]: String(accepted - histograms),
        [`${WRITTEN}-Histograms-Written`]: String(histograms),
        [`${WRITTEN}-Exemplars-Written`]: '0',
      },
      body: null,
    }
  },
})

export const prometheusWriteRoutes: readonly AnyRoute[] = [remoteWriteRoute]
