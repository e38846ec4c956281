import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { answersByWorker } from '../harness/loopback.ts'

const ADMIN = 'key-of-an-administrator'
const READER = 'key-of-a-reader-of-theirs'
const EMAIL = 'reader@example.com'

/** 2026-03-10T11:00:00Z, in µs */
const START_US = 1_773_140_400_000_000
const TRACES = ['0000000000000000000000000000000a', '0000000000000000000000000000000b'] as const

let server: SluiceServer

async function sentOf(path: string, init: RequestInit): Promise<{ status: number; type: string; text: string }> {
  const response = await server.fetch(new Request(`http://localhost${path}`, init))
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function get(path: string, key = ADMIN): Promise<Answer> {
  // Grafana sends the key with basic authentication.
  const headers = { Authorization: `Basic ${btoa(`grafana:${key}`)}` }
  const { status, type, text } = await sentOf(`/jaeger/api/${path}`, { headers })
  expect(type, text).toBe('application/json')
  return { status, body: JSON.parse(text) as Answer['body'] }
}

async function dataOf(path: string, key?: string): Promise<readonly unknown[]> {
  const { status, body } = await get(path, key)
  expect([status, body['errors'], body['limit'], body['offset']], JSON.stringify(body)).toEqual([200, null, 0, 0])
  const data = body['data'] as readonly unknown[]
  expect(body['total']).toBe(data.length)
  return data
}

async function idsOf(path: string, key?: string): Promise<readonly string[]> {
  return (await dataOf(path, key)).map((trace) => (trace as { readonly traceID: string }).traceID.slice(-1))
}

async function faultOf(path: string): Promise<unknown> {
  const { status, body } = await get(path)
  expect(body).toMatchObject({ data: null, total: 0, limit: 0, offset: 0, errors: [{ code: status }] })
  const [first] = body['errors'] as readonly { readonly msg: string }[]
  return `${status} ${first?.msg}`
}

const text = (value: string): object => ({ stringValue: value })
const nanos = (us: number): string => `${START_US + us}000`

const frontend = {
  resource: {
    attributes: [
      { key: 'service.name', value: text('frontend') },
      { key: 'k8s.namespace.name', value: text('shop') },
      { key: 'process.pid', value: { intValue: '17' } },
    ],
  },
  scopeSpans: [
    {
      scope: { name: 'http', version: '1.2.0' },
      spans: [
        {
          traceId: TRACES[0],
          spanId: '00000000000000a1',
          name: 'GET /pay',
          kind: 2,
          startTimeUnixNano: nanos(0),
          endTimeUnixNano: nanos(250_000),
          traceState: 'a=b',
          attributes: [
            { key: 'http.status_code', value: { intValue: '500' } },
            { key: 'big', value: { intValue: '9007199254740993' } },
            { key: 'ratio', value: { doubleValue: 1 } },
            { key: 'list', value: { arrayValue: { values: [text('a')] } } },
          ],
          events: [
            { timeUnixNano: nanos(1000), name: 'retry', attributes: [{ key: 'attempt', value: { intValue: '2' } }] },
          ],
          links: [{ traceId: TRACES[1], spanId: '00000000000000b1' }],
          status: { code: 2, message: 'no stock' },
        },
        {
          traceId: TRACES[1],
          spanId: '00000000000000b1',
          name: 'GET /items',
          kind: 2,
          startTimeUnixNano: nanos(5_000_000),
          endTimeUnixNano: nanos(5_010_000),
        },
      ],
    },
  ],
}
const payments = {
  resource: {
    attributes: [
      { key: 'k8s.namespace.name', value: text('bank') },
      { key: 'service.name', value: text('payments') },
    ],
  },
  scopeSpans: [
    {
      spans: [
        {
          traceId: TRACES[0],
          spanId: '00000000000000a2',
          parentSpanId: '00000000000000a1',
          name: 'charge',
          kind: 3,
          startTimeUnixNano: nanos(10_000),
          endTimeUnixNano: nanos(20_500),
        },
      ],
    },
  ],
}

beforeAll(async () => {
  server = await createServer({
    keys: [ADMIN, { key: READER, email: EMAIL, roles: ['read'] }],
    ...(answersByWorker ? { workers: 1 } : {}),
  })
  const post = async (path: string, body: unknown): Promise<string> => {
    const headers = { Authorization: ADMIN, 'Content-Type': 'application/json' }
    const sent = await sentOf(path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(sent.status, sent.text).toBeLessThan(300)
    return sent.text
  }
  await post('/v1/traces', { resourceSpans: [frontend, payments] })
  await post('/api/ingest/spans', [
    {
      _time: '2026-03-10T11:00:09Z',
      trace_id: 'c',
      span_id: 'c1',
      span_name: 'nightly',
      workload: 'batch',
      namespace: 'shop',
      duration_seconds: 2,
    },
  ])
  const filters = [{ op: 'match', value: 'shop' }]
  const dataScope = { simple: { conditions: [{ key: 'namespace', type: 'string', origin: 'root', filters }] } }
  const made = await post('/api/rbac/policy/create', { name: 'theirs', role: { read: null }, dataScope })
  const { uuid } = JSON.parse(made) as { readonly uuid: string }
  await post('/api/rbac/policy/apply', { emails: [EMAIL], policyUUIDs: [uuid], override: true })
})
afterAll(() => server.close())

const RANGE = `start=${START_US - 1_000_000}&end=${START_US + 60_000_000}`

describe('what data sources and the user interface ask', () => {
  test('services, the health check of the data source', async () => {
    expect(await dataOf('services')).toEqual(['batch', 'frontend', 'payments'])
  })

  test('operations of a service, by name and with kinds', async () => {
    expect(await dataOf('services/frontend/operations')).toEqual(['GET /items', 'GET /pay'])
    expect(await dataOf('services/no%2Fsuch/operations')).toEqual([])
    expect(await dataOf('operations?service=payments')).toEqual([{ name: 'charge', spanKind: 'client' }])
    expect(await dataOf('operations?service=payments&spanKind=server')).toEqual([])
  })

  test('a trace by its id, with references, processes, tags and logs', async () => {
    const tag = (key: string, type: string, value: unknown): object => ({ key, type, value })
    const scope = [tag('otel.scope.name', 'string', 'http'), tag('otel.scope.version', 'string', '1.2.0')]
    const trace = {
      traceID: TRACES[0],
      spans: [
        {
          traceID: TRACES[0],
          spanID: '00000000000000a1',
          operationName: 'GET /pay',
          references: [{ refType: 'FOLLOWS_FROM', traceID: TRACES[1], spanID: '00000000000000b1' }],
          startTime: START_US,
          duration: 250_000,
          tags: expect.arrayContaining([
            tag('http.status_code', 'int64', 500),
            tag('ratio', 'float64', 1),
            tag('list', 'string', '["a"]'),
            tag('span.kind', 'string', 'server'),
            tag('error', 'bool', true),
            tag('otel.status_code', 'string', 'ERROR'),
            tag('otel.status_description', 'string', 'no stock'),
            tag('w3c.tracestate', 'string', 'a=b'),
            ...scope,
          ]) as unknown,
          logs: [{ timestamp: START_US + 1000, fields: [tag('event', 'string', 'retry'), tag('attempt', 'int64', 2)] }],
          processID: 'p1',
          flags: 1,
          warnings: null,
        },
        {
          traceID: TRACES[0],
          spanID: '00000000000000a2',
          operationName: 'charge',
          references: [{ refType: 'CHILD_OF', traceID: TRACES[0], spanID: '00000000000000a1' }],
          startTime: START_US + 10_000,
          duration: 10_500,
          tags: [tag('span.kind', 'string', 'client')],
          logs: [],
          processID: 'p2',
          flags: 1,
          warnings: null,
        },
      ],
      processes: {
        p1: {
          serviceName: 'frontend',
          tags: expect.arrayContaining([
            tag('k8s.namespace.name', 'string', 'shop'),
            tag('process.pid', 'int64', 17),
          ]) as unknown,
        },
        p2: { serviceName: 'payments', tags: [tag('k8s.namespace.name', 'string', 'bank')] },
      },
      warnings: null,
    }
    expect(await dataOf(`traces/${TRACES[0]}`)).toEqual([trace])
    expect(await dataOf('traces/A')).toEqual([trace])
  })

  test('an integer beyond 2^53 keeps its digits', async () => {
    const { text: body } = await sentOf('/jaeger/api/traces/a', { headers: { Authorization: ADMIN } })
    expect(body).toContain('{"key":"big","type":"int64","value":9007199254740993}')
  })

  test('a trace by its id in a range of milliseconds', async () => {
    const at = START_US / 1000
    expect(await idsOf(`traces/a?start=${at}&end=${at + 1}`)).toEqual(['a'])
    expect(await faultOf(`traces/a?start=${at + 1000}&end=${at + 2000}`)).toBe('404 trace not found')
  })

  test('several traces by their ids, in the order of the ids', async () => {
    expect(await idsOf('traces?traceID=b&traceID=a')).toEqual(['b', 'a'])
  })

  test.each([
    [`service=frontend&limit=20&lookback=custom&minDuration&maxDuration&${RANGE}`, ['b', 'a']],
    [`service=frontend&limit=1&${RANGE}`, ['b']],
    [`service=payments&${RANGE}`, ['a']],
    [`service=batch&${RANGE}`, ['c']],
    [`service=frontend&operation=GET%20%2Fpay&${RANGE}`, ['a']],
    [`service=frontend&start=${START_US}&end=${START_US}`, ['a']],
    [`service=frontend&minDuration=0.25s&${RANGE}`, ['a']],
    [`service=frontend&minDuration=250001us&${RANGE}`, []],
    [`service=frontend&maxDuration=100ms&${RANGE}`, ['b']],
    [`service=no-such&${RANGE}`, []],
  ])('a search: %s', async (query, ids) => {
    expect(await idsOf(`traces?${query}`)).toEqual(ids)
  })

  test.each([
    [{ 'http.status_code': '500' }, ['a']],
    [{ 'http.status_code': '200' }, []],
    [{ error: 'true' }, ['a']],
    [{ 'span.kind': 'server' }, ['b', 'a']],
    [{ 'otel.status_code': 'ERROR', 'process.pid': '17' }, ['a']],
    [{ 'otel.scope.version': '1.2.0' }, ['b', 'a']],
    [{ 'w3c.tracestate': 'a=b' }, ['a']],
    [{ event: 'retry' }, ['a']],
    [{ attempt: '2' }, ['a']],
    [{ attempt: '3' }, []],
    [{ ratio: '1', list: '["a"]', big: '9007199254740993' }, ['a']],
    [{ 'k8s.namespace.name': 'shop' }, ['b', 'a']],
  ])('a search by tags: %j', async (tags, ids) => {
    const query = new URLSearchParams({ service: 'frontend', tags: JSON.stringify(tags) })
    expect(await idsOf(`traces?${query.toString()}&${RANGE}`)).toEqual(ids)
  })

  test('a search by a tag of the resource of a row that did not come by OTLP', async () => {
    const tags = encodeURIComponent('{"k8s.namespace.name":"shop"}')
    expect(await idsOf(`traces?service=batch&tags=${tags}&${RANGE}`)).toEqual(['c'])
    expect(await idsOf(`traces?service=batch&tag=k8s.namespace.name:bank&${RANGE}`)).toEqual([])
  })

  test('calls from service to service', async () => {
    const endTs = START_US / 1000 + 60_000
    expect(await dataOf(`dependencies?endTs=${endTs}&lookback=604800000`)).toEqual([
      { parent: 'frontend', child: 'payments', callCount: 1 },
    ])
    expect(await dataOf(`dependencies?endTs=${endTs}&lookback=1000`)).toEqual([])
  })
})

describe('version 3', () => {
  test('services and operations', async () => {
    expect((await get('v3/services')).body).toEqual({ services: ['batch', 'frontend', 'payments'] })
    expect((await get('v3/operations?service=payments')).body).toEqual({
      operations: [{ name: 'charge', spanKind: 'client' }],
    })
  })

  const paymentsSpan = {
    ...payments.scopeSpans[0]?.spans[0],
    status: {},
  }

  test('a trace, in OTLP/JSON', async () => {
    const { body } = await get(`v3/traces/${TRACES[0]}`)
    const { resourceSpans } = body['result'] as { readonly resourceSpans: readonly unknown[] }
    expect(resourceSpans).toHaveLength(2)
    expect(resourceSpans[1]).toEqual({ ...payments, scopeSpans: [{ scope: {}, spans: [paymentsSpan] }] })
  })

  test('a search', async () => {
    const query = new URLSearchParams({
      'query.service_name': 'payments',
      'query.operation_name': 'charge',
      'query.attributes': '{"span.kind":"client"}',
      'query.duration_min': '10ms',
      'query.start_time_min': '2026-03-10T10:00:00Z',
      'query.start_time_max': '2026-03-10T12:00:00Z',
    })
    const { body } = await get(`v3/traces?${query.toString()}`)
    expect(JSON.stringify(body)).toContain('"spanId":"00000000000000a1"')
  })

  test.each([
    ['v3/traces/ff', 404, 5, 'No traces found'],
    ['v3/operations', 400, 3, "parameter 'service' is required"],
    [
      'v3/traces?query.start_time_min=soon',
      400,
      3,
      'malformed parameter query.start_time_min: "soon" is no RFC 3339 time',
    ],
  ])('%s is refused', async (path, status, grpcCode, message) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.body['error']).toMatchObject({ httpCode: status, grpcCode, message })
  })
})

test('a policy hides spans, services and calls', async () => {
  expect(await dataOf('services', READER)).toEqual(['batch', 'frontend'])
  expect(await idsOf(`traces?service=payments&${RANGE}`, READER)).toEqual([])
  const [trace] = await dataOf('traces/a', READER)
  expect((trace as { readonly spans: readonly unknown[] }).spans).toHaveLength(1)
  expect(await dataOf(`dependencies?endTs=${START_US / 1000 + 60_000}`, READER)).toEqual([])
})

test.each([
  ['traces', "400 parameter 'service' is required"],
  ['traces?service=a&tags={', '400 malformed \'tags\' parameter, cannot unmarshal JSON: "{"'],
  ['traces?service=a&tags=[]', '400 malformed \'tags\' parameter, expecting a JSON object of texts: "[]"'],
  ['traces?service=a&tag=x', '400 malformed \'tag\' parameter, expecting key:value, received: "x"'],
  [
    'traces?service=a&start=x',
    '400 unable to parse param \'start\': "x" is not a whole number of microseconds since 1970',
  ],
  ['traces?service=a&limit=0', '400 unable to parse param \'limit\': "0" is not a whole number from 1 to 10000'],
  [
    'traces?service=a&minDuration=1',
    '400 unable to parse param \'minDuration\': "1" is no duration, such as 1.2s, 100ms or 500us',
  ],
  ['traces?service=a&minDuration=2s&maxDuration=1s', "400 'maxDuration' should be greater than 'minDuration'"],
  ['traces?traceID=x', '400 "x" is no trace id: it has 1 to 32 hexadecimal digits'],
  ['traces/ff', '404 trace not found'],
  ['operations', "400 parameter 'service' is required"],
  ['dependencies', "400 parameter 'endTs' is required"],
  [
    'metrics/calls?service=a',
    '404 There is no such path here. Metrics of services (/api/metrics) and archives of traces are not answered.',
  ],
])('%s is refused in the envelope', async (path, message) => {
  expect(await faultOf(path)).toBe(message)
})
