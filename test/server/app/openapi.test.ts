import { describe, expect, test } from 'vitest'
import { routes } from '../../../src/server/routes/index.ts'
import { endpoints } from './bad-bodies.ts'
import { answerFaults, bodyFaults, document, resources, services } from '../harness/contract.ts'
import { appOf, contextOf, post, send } from '../harness/harness.ts'

const systemPaths = [
  '/healthz',
  '/readyz',
  '/ready',
  '/tempo/ready',
  '/-/healthy',
  '/-/ready',
  '/health',
  '/ping',
  '/metrics',
  '/openapi.json',
]

/** Returns every `$ref` inside a value. */
function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : references(member),
  )
}

describe('the OpenAPI document', () => {
  test('is 3.1 and has every operation once', () => {
    expect(document.openapi).toBe('3.1.0')
    const context = contextOf({ ...services, ...resources })
    const served = routes.filter((route) => route.isAvailable(context))
    const known = new Set([...served.map(({ path }) => path), ...systemPaths])
    expect(Object.keys(document.paths).toSorted()).toEqual([...known].toSorted())
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('recursive shapes are references, and every reference leads somewhere', () => {
    const all = new Set(references(document))
    expect(all).toContain('#/components/schemas/Pipeline')
    expect(all).toContain('#/components/schemas/FilterGroup')
    expect(all).toContain('#/components/schemas/MetricPipeline')
    for (const reference of all) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document)
      expect(target, reference).toBeTypeOf('object')
    }
  })

  test('accepts the good bodies and refuses others', () => {
    for (const { path, good } of endpoints) expect(bodyFaults(path, good), path).toBeUndefined()
    expect(bodyFaults('/api/metrics/query', { SubPipelines: { a: { metric: 'x' } } })).toBeUndefined()
    expect(bodyFaults('/api/metrics/query', { SubPipelines: { a: { metric: 5 } } })).toContain('must be string')
    expect(bodyFaults('/api/logs/v2/search', { start: 'x' })).toContain("required property 'end'")
  })

  test('has only routes whose services exist', async () => {
    const { body } = await send(appOf({ search: undefined }), '/openapi.json')
    expect(Object.keys((body as typeof document).paths)).toEqual(systemPaths)
  })

  test('what it says to need no key answers without one, as described, and nothing else does', async () => {
    const app = appOf({ ...services, ...resources })
    const open: string[] = []
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const sent = await send(app, path, { method: method.toUpperCase() })
        if (security === undefined) {
          expect([path, sent.status]).toEqual([path, 401])
          continue
        }
        open.push(path)
        expect([path, sent.status, security]).toEqual([path, path === '/ping' ? 204 : 200, []])
        const contentType = sent.headers.get('content-type') ?? ''
        const body = contentType === 'application/json' ? sent.body : sent.text
        if (sent.status !== 204) expect(answerFaults(path, 'GET', 200, contentType, body), path).toBeUndefined()
      }
    }
    expect(open).toEqual(systemPaths)
  })
})

describe('metric answers', () => {
  const answer = {
    status: 'success',
    data: { resultType: 'matrix', result: [{ metric: { a: 'b' }, values: [[1767225600, '1']] }] },
    warnings: ['x'],
  }

  test('the service writes them, the route sends them', async () => {
    const received: unknown[] = []
    const text = JSON.stringify(answer)
    const metrics = {
      query: (request: unknown) => {
        received.push(request)
        return Promise.resolve({ chunks: () => [Buffer.from(text.slice(0, 20)), Buffer.from(text.slice(20))] })
      },
    }
    const sent = await post(appOf({ metrics }), '/api/metrics/query', {
      promql: 'up',
      QUERYTYPE: 'Instant',
      end: '2026-01-01T00:00:00Z',
    })
    expect([sent.status, sent.text]).toEqual([200, text])
    expect(received).toEqual([{ Promql: 'up', QueryType: 'instant', End: 1767225600000000000n }])
    expect(answerFaults('/api/metrics/query', 'POST', 200, 'application/json', sent.body)).toBeUndefined()
  })

  test('the schema knows the other kinds', () => {
    const fits = (data: unknown): string | undefined =>
      answerFaults('/api/metrics/query', 'POST', 200, 'application/json', { status: 'success', data })
    expect(fits({ resultType: 'scalar', result: [1.5, 'NaN'] })).toBeUndefined()
    const histogram = { count: '3', sum: '1.5', buckets: [[0, '0', '1', '3']] }
    expect(fits({ resultType: 'vector', result: [{ metric: {}, histogram: [1, histogram] }] })).toBeUndefined()
    expect(fits({ resultType: 'scalar', result: [1.5, 2] })).toBeDefined()
    expect(fits({ resultType: 'table', result: [] })).toBeDefined()
  })
})

test('the metrics page counts requests by route, never by path', async () => {
  const app = appOf()
  await send(app, '/secret-path-42')
  await post(app, '/api/logs/v2/search', { start: '2026-01-01', end: '2026-01-02', query: '*' })
  const { text, headers } = await send(app, '/metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toContain('sluice_http_requests_total{route="searchLogs",method="POST",status="200"} 1')
  expect(text).toContain('sluice_http_requests_total{route="other",method="GET",status="404"} 1')
  expect(text).not.toContain('secret-path')
})
