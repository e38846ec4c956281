import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, LogServer, READER, faultOf, type Sent } from '../harness/log-server.ts'

/** 2026-03-10T11:00:00Z, in seconds */
const START = 1_773_140_400
const RANGE = { start: String(START), end: String(START + 600) }

let spans: LogServer

type Parameters = Readonly<Record<string, string>>

/** Sends a request as Grafana's data source does: JSON, with basic authentication. */
function get(path: string, parameters: Parameters = {}, key = ADMIN): Promise<Sent> {
  const search = new URLSearchParams(parameters).toString()
  const headers = { Authorization: `Basic ${btoa(`grafana:${key}`)}`, Accept: 'application/json' }
  return spans.sent(`${path}?${search}`, { headers })
}

async function jsonOf(sent: Promise<Sent>): Promise<Record<string, unknown>> {
  const { status, type, text } = await sent
  expect(status, text).toBe(200)
  expect(type).toBe('application/json')
  return JSON.parse(text) as Record<string, unknown>
}

async function idsOf(sent: Promise<Sent>): Promise<readonly string[]> {
  const { traces } = (await jsonOf(sent)) as { readonly traces: readonly { readonly traceID: string }[] }
  return traces.map(({ traceID }) => traceID)
}

const attribute = (key: string, value: object): object => ({ key, value })
const text = (key: string, stringValue: string): object => attribute(key, { stringValue })

interface Drawn {
  readonly trace: number
  readonly id: number
  readonly parent?: number
  readonly second: number
  readonly seconds?: number
  readonly name: string
  readonly service: string
  readonly namespace?: string
  readonly given?: object
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')

function exported({
  trace,
  id,
  parent,
  second,
  seconds = 1,
  name,
  service,
  namespace = 'theirs',
  given,
}: Drawn): object {
  const nanoseconds = (at: number): string => `${START + at}000000000`
  const span = {
    traceId: hex(trace, 32),
    spanId: hex(id, 16),
    parentSpanId: parent === undefined ? '' : hex(parent, 16),
    name,
    kind: 2,
    startTimeUnixNano: nanoseconds(second),
    endTimeUnixNano: nanoseconds(second + seconds),
    ...given,
  }
  const attributes = [text('service.name', service), text('k8s.namespace.name', namespace)]
  return { resource: { attributes }, scopeSpans: [{ scope: { name: 'http' }, spans: [span] }] }
}

const failed = {
  status: { code: 2, message: 'no stock' },
  attributes: [attribute('http.status_code', { intValue: '503' }), text('http.route', '/pay')],
}

beforeAll(async () => {
  spans = await LogServer.open()
  const resourceSpans = [
    exported({ trace: 0xa1, id: 1, second: 1, seconds: 4, name: 'GET /cart', service: 'shop' }),
    exported({ trace: 0xa1, id: 2, parent: 1, second: 2, name: 'charge', service: 'pay', given: failed }),
    exported({ trace: 0xb2, id: 3, second: 60, name: 'GET /cart', service: 'shop' }),
    exported({ trace: 0xc3, id: 4, second: 120, name: 'secret', service: 'vault', namespace: 'hidden', given: failed }),
  ]
  const sent = await spans.post('/v1/traces', { resourceSpans })
  expect(sent.status, sent.text).toBe(200)
  await spans.restrictReader()
})
afterAll(() => spans.server.close())

describe('what the data source sends', () => {
  test('a search: traces with the latest start first, and what the query read of their spans', async () => {
    const q = '{status=error && resource.service.name="pay"} | select(span.http.status_code)'
    const { traces } = await jsonOf(get('/tempo/api/search', { q, limit: '20', spss: '3', ...RANGE }))
    const found = {
      spanID: hex(2, 16),
      startTimeUnixNano: `${START + 2}000000000`,
      durationNanos: '1000000000',
      attributes: [
        text('status', 'error'),
        text('service.name', 'pay'),
        attribute('http.status_code', { intValue: '503' }),
      ],
    }
    expect(traces).toEqual([
      {
        traceID: 'a1',
        rootServiceName: 'shop',
        rootTraceName: 'GET /cart',
        startTimeUnixNano: `${START + 1}000000000`,
        durationMs: 4000,
        spanSet: { spans: [found], matched: 1 },
        spanSets: [{ spans: [found], matched: 1 }],
        serviceStats: { shop: { spanCount: 1 }, pay: { spanCount: 1, errorCount: 1 } },
      },
    ])
  })

  test('a search without a query: every trace of the range, without spans', async () => {
    expect(await idsOf(get('/api/search', RANGE))).toEqual(['c3', 'b2', 'a1'])
    expect(await idsOf(get('/api/search', { ...RANGE, limit: '1' }))).toEqual(['c3'])
    const { traces } = await jsonOf(get('/api/search', { ...RANGE, limit: '1' }))
    expect(Object.keys((traces as readonly object[])[0] ?? {})).toEqual(
      expect.not.arrayContaining(['spanSets', 'serviceStats']),
    )
  })

  test('the older parameters of a search', async () => {
    const tags = { tags: 'service.name=pay http.status_code=503', ...RANGE }
    expect(await idsOf(get('/api/search', tags))).toEqual(['a1'])
    expect(await idsOf(get('/api/search', { minDuration: '2s', ...RANGE }))).toEqual(['a1'])
  })

  test('a search as a form', async () => {
    const body = new URLSearchParams({ q: '{ name = "secret" }', ...RANGE })
    const headers = { Authorization: ADMIN, 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await idsOf(spans.sent('/tempo/api/search', { method: 'POST', headers, body }))).toEqual(['c3'])
  })

  test('series over time, whose samples stand at the end of their steps', async () => {
    const q = '{nestedSetParent<0 && true} | rate() by(resource.service.name)'
    expect(await jsonOf(get('/tempo/api/metrics/query_range', { q, step: '300s', exemplars: '0', ...RANGE }))).toEqual({
      series: [
        {
          labels: [text('resource.service.name', 'shop')],
          samples: [
            { timestampMs: `${START}000` },
            { timestampMs: `${START + 300}000`, value: 2 / 300 },
            { timestampMs: `${START + 600}000` },
          ],
        },
        {
          labels: [text('resource.service.name', 'vault')],
          samples: [
            { timestampMs: `${START}000` },
            { timestampMs: `${START + 300}000`, value: 1 / 300 },
            { timestampMs: `${START + 600}000` },
          ],
        },
      ].toReversed(),
      metrics: {},
    })
  })

  test('one value of a range', async () => {
    const q = '{ kind = server } | quantile_over_time(duration, .5)'
    expect(await jsonOf(get('/tempo/api/metrics/query', { q, ...RANGE }))).toEqual({
      series: [{ labels: [attribute('p', { doubleValue: 0.5 })], value: 2 ** (29 + 2 / 3) / 1e9 }],
      metrics: {},
    })
  })

  test('the attributes that differ between spans', async () => {
    const q = '{} | compare({ status = error })'
    const { series } = await jsonOf(get('/tempo/api/metrics/query', { q, ...RANGE }))
    const labels = (series as readonly { readonly labels: readonly object[]; readonly value?: number }[]).map(
      ({ labels: each, value }) => JSON.stringify([...each, value]),
    )
    const of = (type: string, name: string, value: object, count: number): string =>
      JSON.stringify([text('__meta_type', type), attribute(name, value), count])
    expect(labels).toContain(of('selection', 'span.http.status_code', { intValue: '503' }, 2))
    expect(labels).toContain(of('baseline', 'resource.service.name', { stringValue: 'shop' }, 2))
    expect(labels).toContain(of('selection_total', 'span.http.status_code', { stringValue: 'nil' }, 2))
  })

  test('names of attributes, and values of one', async () => {
    const { scopes } = await jsonOf(get('/tempo/api/v2/search/tags', { limit: '5000', ...RANGE }))
    expect(scopes).toMatchObject([
      { name: 'intrinsic' },
      { name: 'resource', tags: ['k8s.namespace.name', 'service.name'] },
      { name: 'span', tags: ['http.route', 'http.status_code'] },
    ])
    const values = get('/tempo/api/v2/search/tag/resource.service.name/values', { limit: '5000', ...RANGE })
    expect(await jsonOf(values)).toEqual({
      tagValues: ['pay', 'shop', 'vault'].map((value) => ({ type: 'string', value })),
      metrics: {},
    })
    const statuses = get('/tempo/api/v2/search/tag/status/values', { q: '{ name = "charge" }', ...RANGE })
    expect(await jsonOf(statuses)).toEqual({ tagValues: [{ type: 'keyword', value: 'error' }], metrics: {} })
  })
})

describe('a key whose policy shows one namespace', () => {
  test('finds the traces of it', async () => {
    expect(await idsOf(get('/tempo/api/search', { q: '{ status = error }', ...RANGE }, READER))).toEqual(['a1'])
  })

  test('counts the spans of it', async () => {
    const q = '{} | count_over_time()'
    const { series } = await jsonOf(get('/tempo/api/metrics/query', { q, ...RANGE }, READER))
    expect(series).toMatchObject([{ value: 3 }])
  })

  test('sees the values of it', async () => {
    const values = get('/tempo/api/search/tag/service.name/values', RANGE, READER)
    expect(await jsonOf(values)).toEqual({ tagValues: ['pay', 'shop'], metrics: {} })
  })
})

describe('a refusal has the status and the words of Tempo', () => {
  test.each<readonly [string, Parameters, string]>([
    [
      'search',
      { q: '{ name = x }', ...RANGE },
      '400 invalid TraceQL query: parse error at line 1, col 10: unknown identifier: x',
    ],
    ['search', { q: '{} | rate()', ...RANGE }, expect.stringMatching(/^400 /) as string],
    ['search', { spss: '101', ...RANGE }, '400 spans per span set exceeds 100. received 101'],
    ['search', { start: '5', end: '4' }, '400 http parameter start must be before end. received start=5 end=4'],
    ['search', { tags: 'a=b', q: '{}', ...RANGE }, "400 invalid request: can't specify tags and q in the same query"],
    [
      'search',
      { tags: 'a '.repeat(1500), ...RANGE },
      '400 invalid tags: at most 1000 are searched for at once, received 1500',
    ],
    ['metrics/query', { q: '{}', ...RANGE }, '400 not a metrics query'],
    ['metrics/query', { q: '', ...RANGE }, '400 not a metrics query'],
    ['metrics/query_range', { q: '{} | rate()', start: '2', end: '1' }, '400 end must be greater than start'],
    [
      'metrics/query_range',
      { q: '{} | rate()', step: '1ms', ...RANGE },
      '400 step of 1ms is too small, minimum step for given range is 0.06s',
    ],
    ['v2/search/tags', { scope: 'all' }, '400 invalid scope: all'],
  ])('%s %j', async (path, parameters, fault) => {
    expect(await faultOf(get(`/tempo/api/${path}`, parameters))).toEqual(fault)
  })
})

test.each<Parameters>([
  { ...RANGE, step: '9'.repeat(400) },
  { ...RANGE, step: `-${'9'.repeat(400)}.5` },
  { start: `${START}`, end: `${'9'.repeat(400)}.5`, step: '10000h' },
  { start: `${'9'.repeat(400)}.5`, end: `${START}`, step: '10000h' },
])('a time or a step beyond every number is the largest there is, or refused: %j', async (times) => {
  const { status, text: body } = await get('/api/metrics/query_range', { q: '{} | rate()', ...times })
  expect([200, 400], body).toContain(status)
})

test('a tag may have the name of a member of every object', async () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(await jsonOf(get(`/api/search/tag/${name}/values`, RANGE))).toEqual({ tagValues: [], metrics: {} })
})

test('the values of trace ids are those of the traces', async () => {
  const values = get('/api/search/tag/trace:id/values', RANGE)
  expect(await jsonOf(values)).toEqual({ tagValues: ['a1', 'b2', 'c3'], metrics: {} })
})

test('a name with more of a query behind it is no name', async () => {
  const values = get(`/api/v2/search/tag/${encodeURIComponent('.a) | topk(1')}/values`, RANGE)
  expect(await faultOf(values)).toMatch(/^400 please provide a valid tagName/)
})

test('a query of 120 nested parentheses is answered, and one of 100,000 is refused', async () => {
  const nested = (depth: number): string => `{ ${'('.repeat(depth)}true${')'.repeat(depth)} }`
  expect((await get('/api/search', { q: nested(120), ...RANGE })).status).toBe(200)
  expect((await get('/api/search', { q: nested(100_000), ...RANGE })).status).toBe(400)
})
