import { decodeRemoteWrite, storeMetrics } from '../../../src/ingest/metrics/index.ts'
import { SampleStore } from '../../../src/store/samples/index.ts'
import { serve, type EditReply, type Service } from './http-service.ts'
import { metricBody } from './metric-engine.ts'

const decoder = new TextDecoder()
const LIMIT_BYTES = 2 ** 28

function timeMs(text: string | null): number {
  return Math.round(Number(text) * 1000)
}

/**
 * Starts Sluice without optimizer rules as a service with the reference implementation's HTTP API. `edit` changes its
 * replies to queries.
 */
export async function startMetricModel(edit: EditReply = (reply) => reply): Promise<Service> {
  const store = new SampleStore()
  return serve(async ({ path, body }) => {
    if (path === '/api/v1/write') {
      storeMetrics(store, decodeRemoteWrite(body, { version: 1, limitBytes: LIMIT_BYTES }).samples)
      return { status: 204, body: '' }
    }
    const given = new URLSearchParams(decoder.decode(body))
    const text = given.get('query') ?? ''
    switch (path) {
      case '/api/v1/query': {
        const atMs = timeMs(given.get('time'))
        return edit(await metricBody(store.reader, text, { startMs: atMs, endMs: atMs, stepMs: 0 }, true), text)
      }
      case '/api/v1/query_range': {
        const times = {
          startMs: timeMs(given.get('start')),
          endMs: timeMs(given.get('end')),
          stepMs: timeMs(given.get('step')),
        }
        return edit(await metricBody(store.reader, text, times, true), text)
      }
      default:
        return { status: 404, body: '404 page not found' }
    }
  })
}
