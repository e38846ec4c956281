import type { Random } from '../../base/index.ts'
import { storedFields } from '../writer.ts'
import type { EndpointRequest } from './endpoint.ts'
import type { HttpRequest } from './http-request.ts'

/** Values of the fuzz logs that are used as span ids here. */
const IDS = ['a', '0', '1', '5', 'b', 'e', '200']
const SERVICES = ['a', 'api', 'web', 'shop', 'unknown_service', '']
const TEXTS = ['a', '', 'error', '0', '5', 'true', 'server']
const DURATIONS = ['0s', '1us', '500ms', '2s']

function drawTags(random: Random): string {
  const keys = [...storedFields, 'error', 'span.kind', 'otel.status_code', 'k8s.namespace.name', 'event']
  const count = random.below(3)
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, () => [random.pick(keys), random.pick(TEXTS)])),
  )
}

/** Draws a request of Jaeger's query API, or a request of Tempo's API for a trace by id. */
export function drawJaeger(random: Random, { start, end, limit }: EndpointRequest): HttpRequest {
  const get = (path: string, pairs: readonly (readonly [string, string])[] = []): HttpRequest => {
    const given = pairs.map(([name, value]): [string, string] => [name, value])
    return { method: 'GET', path: `${path}?${new URLSearchParams(given).toString()}` }
  }
  const microseconds = (text: string): string => `${Date.parse(text)}000`
  const id = random.pick(IDS)
  const service = random.pick(SERVICES)
  const durations = ['minDuration', 'maxDuration'].filter(() => random.next() < 0.2)
  const search = [
    ['service', service],
    ['tags', drawTags(random)],
    ['start', microseconds(start)],
    ['end', microseconds(end)],
    ['limit', String(limit)],
    ...durations.map((name) => [name, random.pick(DURATIONS)] as const),
  ] as const
  return random.pick([
    get('/jaeger/api/services'),
    get(`/jaeger/api/services/${encodeURIComponent(service === '' ? 'a' : service)}/operations`),
    get('/jaeger/api/operations', [['service', service]]),
    get('/jaeger/api/traces', search),
    get('/jaeger/api/traces', search),
    get('/jaeger/api/traces', [
      ['traceID', id],
      ['traceID', random.pick(IDS)],
    ]),
    get(`/jaeger/api/traces/${id}`),
    get('/jaeger/api/dependencies', [
      ['endTs', String(Date.parse(end))],
      ['lookback', String(Date.parse(end) - Date.parse(start))],
    ]),
    get('/jaeger/api/v3/services'),
    get('/jaeger/api/v3/traces', [
      ['query.service_name', service],
      ['query.attributes', drawTags(random)],
      ['query.start_time_min', start],
      ['query.start_time_max', end],
    ]),
    get(`/jaeger/api/v3/traces/${id}`),
    get(`/api/v2/traces/${id}`),
    get(`/tempo/api/traces/${id}`),
  ])
}
