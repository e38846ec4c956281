import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/server/index.ts'
import { ADMIN, LogServer, READER, faultOf, type Sent } from '../harness/log-server.ts'

/** 2026-03-10T11:00:00Z, in ns */
const START = 1_773_140_400_000_000_000n
const SECOND = 1_000_000_000n
const RANGE = { start: String(START), end: String(START + 600n * SECOND) }

let logs: LogServer

type Parameters = Readonly<Record<string, string>>

function get(path: string, parameters: Parameters = {}, headers: Parameters = {}): Promise<Sent> {
  const search = new URLSearchParams(parameters).toString()
  // Grafana sends the key with basic authentication.
  const authorization = { Authorization: `Basic ${btoa(`grafana:${ADMIN}`)}` }
  return logs.sent(`/loki/api/v1/${path}?${search}`, { headers: { ...authorization, ...headers } })
}

const asReader = { Authorization: `Bearer ${READER}` }

async function dataOf(sent: Promise<Sent>): Promise<unknown> {
  const { status, type, text } = await sent
  expect(status, text).toBe(200)
  expect(type).toBe('application/json')
  return (JSON.parse(text) as { readonly data?: unknown }).data
}

async function resultOf(sent: Promise<Sent>): Promise<unknown> {
  return ((await dataOf(sent)) as { readonly result: unknown }).result
}

beforeAll(async () => {
  logs = await LogServer.open()
  const entry = (second: number, line: string, metadata: Parameters = {}): unknown => [
    String(START + BigInt(second) * SECOND),
    line,
    metadata,
  ]
  const pushed = await logs.post('/loki/api/v1/push', {
    streams: [
      {
        stream: { app: 'pay', namespace: 'theirs' },
        values: [
          entry(1, 'level=info msg=started took=5ms'),
          entry(2, 'level=error msg=failed took=25ms', { trace_id: 'abc', app: 'metadata' }),
        ],
      },
      { stream: { app: 'shop', namespace: 'hidden' }, values: [entry(3, '{"status":500,"msg":"WARN"}')] },
    ],
  })
  expect(pushed.status, pushed.text).toBe(204)
  await logs.post('/api/ingest/logs', [
    { _time: '2026-03-10T11:00:04Z', level: 'error', _msg: 'from elsewhere', namespace: 'hidden', workload: 'cart' },
  ])
  await logs.restrictReader()
})
afterAll(() => logs.server.close())

describe('what the data source sends', () => {
  test('its health check: one element of value 2', async () => {
    const health = get('query', { query: 'vector(1)+vector(1)', time: '4000000000', direction: 'x' })
    expect(await dataOf(health)).toEqual({
      resultType: 'vector',
      result: [{ metric: {}, value: [4_000_000_000, '2'] }],
      stats: {},
    })
  })

  test('entries by stream, the newest first, with labels apart where they are asked for', async () => {
    const query = { query: '{app="pay"} | logfmt', limit: '1', direction: 'backward', step: '60000ms', ...RANGE }
    const line = 'level=error msg=failed took=25ms'
    const stream = { app: 'pay', namespace: 'theirs', service_name: 'pay' }
    const metadata = { app_extracted: 'metadata', detected_level: 'error', trace_id: 'abc' }
    const parsed = { level: 'error', msg: 'failed', took: '25ms' }
    const time = String(START + 2n * SECOND)
    expect(await resultOf(get('query_range', query))).toEqual([
      { stream: { ...stream, ...metadata, ...parsed }, values: [[time, line]] },
    ])
    const headers = { 'X-Loki-Response-Encoding-Flags': 'categorize-labels' }
    expect(await dataOf(get('query_range', query, headers))).toMatchObject({
      encodingFlags: ['categorize-labels'],
      result: [{ stream, values: [[time, line, { structuredMetadata: metadata, parsed }]] }],
    })
  })

  test('the volume of logs by level, with rows that came another way', async () => {
    const query = 'sum by (detected_level) (count_over_time({service_name=~".+"}[10m]))'
    const time = String(START + 600n * SECOND)
    const seconds = Number(START / SECOND) + 600
    expect(await resultOf(get('query', { query, time }))).toEqual([
      { metric: { detected_level: 'error' }, value: [seconds, '2'] },
      { metric: { detected_level: 'info' }, value: [seconds, '1'] },
      { metric: { detected_level: 'warn' }, value: [seconds, '1'] },
    ])
  })

  test('labels with names of columns and of members of objects', async () => {
    const hostile = '_time, content, __value__, __labels__, __count__, __at__, __proto__'
    const query = `sum by (${hostile}) (count_over_time({app="pay"} | logfmt | label_format _time="q", __count__="9" [10m]))`
    const time = String(START + 600n * SECOND)
    expect(await resultOf(get('query', { query, time }))).toEqual([
      { metric: { __count__: '9', _time: 'q' }, value: [Number(START / SECOND) + 600, '2'] },
    ])
    const parsed = await resultOf(get('query_range', { query: '{app="shop"} | json __proto__="status"', ...RANGE }))
    expect(JSON.stringify(parsed)).toContain('"__proto__":"500"')
  })

  test('the same by a form', async () => {
    const body = new URLSearchParams({
      query: 'sum(count_over_time({app="pay"}[10m]))',
      step: '600',
      ...RANGE,
    }).toString()
    const sent = logs.sent('/loki/api/v1/query_range', {
      method: 'POST',
      headers: { ...asReader, 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect(await resultOf(sent)).toEqual([{ metric: {}, values: [[Number(START / SECOND) + 600, '2']] }])
  })

  test('labels, values and series', async () => {
    expect(await dataOf(get('labels', RANGE))).toEqual(['app', 'namespace', 'service_name', 'workload'])
    expect(await dataOf(get('label/app/values', { query: '{namespace="theirs"}', ...RANGE }))).toEqual(['pay'])
    expect(await dataOf(get('label/nothing/values', RANGE))).toBeUndefined()
    expect(await dataOf(get('series', { 'match[]': '{workload="cart"}', ...RANGE }))).toEqual([
      { namespace: 'hidden', service_name: 'cart', workload: 'cart' },
    ])
  })

  test('sizes of streams, exactly', async () => {
    const bytes = 'level=info msg=started took=5ms'.length + 'level=error msg=failed took=25ms'.length
    const stats = await get('index/stats', { query: '{app="pay"}', ...RANGE })
    expect(JSON.parse(stats.text)).toEqual({ streams: 1, chunks: 1, entries: 2, bytes })
    expect(await resultOf(get('index/volume', { query: '{app="pay"}', ...RANGE }))).toEqual([
      { metric: { app: 'pay' }, value: [Number(START / SECOND) + 600, String(bytes)] },
    ])
  })

  test('fields and labels that are detected', async () => {
    const fields = await get('detected_fields', { query: '{app="pay"}', ...RANGE })
    const found = JSON.parse(fields.text) as { readonly fields: readonly { label: string; type: string }[] }
    expect(found.fields.map(({ label, type }) => `${label} ${type}`)).toEqual([
      'app_extracted string',
      'detected_level string',
      'level string',
      'msg string',
      'took duration',
      'trace_id string',
    ])
    const values = await get('detected_field/took/values', { query: '{app="pay"}', ...RANGE })
    expect(JSON.parse(values.text)).toEqual({ values: ['25ms', '5ms'], limit: 1000 })
    const labels = await get('detected_labels', { query: '{app="pay"}', ...RANGE })
    expect(JSON.parse(labels.text)).toEqual({
      detectedLabels: ['app', 'namespace', 'service_name'].map((label) => ({ label, cardinality: 1 })),
    })
  })

  test('patterns over time', async () => {
    expect(await dataOf(get('patterns', { query: '{app="pay"}', step: '10m', ...RANGE }))).toEqual([
      { pattern: 'level=error msg=failed took=<_>ms', level: 'error', samples: [[1_773_140_400, 1]] },
      { pattern: 'level=info msg=started took=<_>ms', level: 'info', samples: [[1_773_140_400, 1]] },
    ])
  })

  test('the most frequent patterns, and a warning where there are more', async () => {
    const at = START + 86_400n * SECOND
    const word = (i: number): string => i.toString(3).replaceAll(/\d/g, (digit) => 'xyz'[Number(digit)] ?? '')
    const lines = [...Array.from({ length: 301 }, (_, i) => `step ${word(i)}`), 'step zzzzzzz', 'step zzzzzzz']
    const values = lines.map((line, i) => [String(at + BigInt(i)), line])
    await logs.post('/loki/api/v1/push', { streams: [{ stream: { app: 'words' }, values }] })
    const sent = await get('patterns', { query: '{app="words"}', start: String(at), end: String(at + SECOND) })
    const answer = JSON.parse(sent.text) as { readonly warnings?: unknown; readonly data: readonly unknown[] }
    expect(answer.data).toHaveLength(300)
    expect(answer.data[0]).toMatchObject({ pattern: 'step zzzzzzz', samples: [[Number(at / SECOND), 2]] })
    expect(answer.warnings).toEqual([expect.stringContaining('300 most frequent')])
  })

  test('a query formatted, or why it is none', async () => {
    expect(await dataOf(get('format_query', { query: '{app="x"}|logfmt|core=1' }))).toBe('{app="x"} | logfmt | core==1')
    expect(await get('format_query', { query: 'bad' })).toMatchObject({
      status: 400,
      text: '{"status":"invalid-query","error":"parse error at line 1, col 1: syntax error: unexpected IDENTIFIER"}',
    })
  })
})

describe('a data scope', () => {
  test('holds on every path', async () => {
    const reader = (path: string, parameters: Parameters): Promise<Sent> =>
      get(path, { ...RANGE, ...parameters }, asReader)
    expect(await dataOf(reader('labels', {}))).toEqual(['app', 'namespace', 'service_name'])
    expect(await dataOf(reader('label/namespace/values', {}))).toEqual(['theirs'])
    expect(await dataOf(reader('series', {}))).toHaveLength(1)
    expect(await resultOf(reader('query_range', { query: '{app="shop"}' }))).toEqual([])
    expect(await resultOf(reader('query_range', { query: 'count_over_time({app="shop"}[5m])' }))).toEqual([])
    expect(await dataOf(reader('patterns', { query: '{app="shop"}' }))).toEqual([])
    for (const path of ['detected_fields', 'detected_field/status/values', 'detected_labels'])
      expect(JSON.parse((await reader(path, { query: '{app="shop"}' })).text)).toEqual({})
    const stats = await reader('index/stats', { query: '{app="shop"}' })
    expect(JSON.parse(stats.text)).toEqual({ streams: 0, chunks: 0, entries: 0, bytes: 0 })
    expect(await resultOf(reader('index/volume', { query: '{app=~".+"}' }))).toHaveLength(1)
  })
})

describe('faults are text in the words of Loki', () => {
  test.each([
    [
      'query_range',
      { query: '{app=' },
      '400 parse error at line 1, col 6: syntax error: unexpected $end, expecting STRING',
    ],
    ['query_range', { query: '{app="x"}', limit: '0' }, '400 limit must be a positive value'],
    [
      'query_range',
      { query: '{app="x"}', limit: '9999999' },
      '400 max entries limit per query exceeded, limit > max_entries_limit_per_query (9999999 > 5000)',
    ],
    ['query_range', { query: '{app="x"}', direction: 'up' }, "400 invalid direction 'up'"],
    [
      'query_range',
      { query: '{app="x"}', start: 'now' },
      `400 could not parse 'start' parameter: strconv.ParseInt: parsing "now": invalid syntax`,
    ],
    [
      'query_range',
      { query: 'rate({app="x"}[5m])', step: '0' },
      '400 zero or negative query resolution step widths are not accepted. Try a positive integer',
    ],
    [
      'query_range',
      { query: 'rate({app="a"}[1m])', step: '9'.repeat(400) },
      `400 cannot parse "${'9'.repeat(400)}" to a valid duration. It overflows int64`,
    ],
    [
      'query_range',
      { query: '{app="a"}', interval: '1e400' },
      '400 cannot parse "1e400" to a valid duration. It overflows int64',
    ],
    [
      'query',
      { query: '{app="x"}' },
      '400 log queries are not supported as an instant query type, please change your query to a range query type',
    ],
    ['series', { 'match[]': '{app="x"} |= "y"' }, '400 only label matchers are supported'],
    ['index/volume', { query: '{app=~".+"}', aggregateBy: 'x' }, '400 invalid aggregation option'],
    ['nope', {}, '404 404 page not found'],
  ])('%s %j', async (path, parameters, fault) => {
    expect(await faultOf(get(path, parameters as Parameters))).toBe(fault)
  })

  test('an entry that a stage could not read stops a metric query', async () => {
    const query = 'count_over_time({app="pay"} | json [10m])'
    const fault = await faultOf(get('query', { query, time: String(START + 600n * SECOND) }))
    expect(fault).toMatch(/^400 pipeline error: 'JSONParserErr' for series: '\{/)
  })

  test('no key, no answer', async () => {
    expect((await get('labels', {}, { Authorization: 'Bearer wrong' })).status).toBe(401)
  })
})

test('logs are stored as they are sent where labels are not discovered', async () => {
  const plain = await createServer({ keys: [ADMIN], limits: { discoversLabels: false } })
  try {
    const headers = { Authorization: ADMIN, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ streams: [{ stream: { app: 'a' }, values: [[String(START), 'level=error x']] }] })
    await plain.fetch(new Request('http://localhost/loki/api/v1/push', { method: 'POST', headers, body }))
    const search = new URLSearchParams({ query: '{app="a"}', ...RANGE }).toString()
    const answer = await plain.fetch(new Request(`http://localhost/loki/api/v1/query_range?${search}`, { headers }))
    const { data } = (await answer.json()) as { readonly data: { readonly result: unknown } }
    expect(data.result).toEqual([{ stream: { app: 'a' }, values: [[String(START), 'level=error x']] }])
  } finally {
    await plain.close()
  }
})

describe('the older forms', () => {
  const old = (path: string, parameters: Parameters): Promise<Sent> =>
    logs.sent(`/api/prom/${path}?${new URLSearchParams(parameters).toString()}`, { headers: { Authorization: ADMIN } })

  test('a search has labels as one text and times in RFC 3339', async () => {
    const { status, text } = await old('query', { query: '{app="pay"}', regexp: 'fail(ed|s)', ...RANGE })
    expect(status, text).toBe(200)
    expect(JSON.parse(text)).toEqual({
      streams: [
        {
          labels:
            '{app="pay",app_extracted="metadata",detected_level="error",namespace="theirs",service_name="pay",trace_id="abc"}',
          entries: [{ ts: '2026-03-10T11:00:02Z', line: 'level=error msg=failed took=25ms' }],
        },
      ],
    })
    expect(await old('query', { query: '{app="none"}', ...RANGE })).toMatchObject({ text: '{"streams":[]}' })
  })

  test('a search takes no metric query and no broken pattern', async () => {
    expect(await faultOf(old('query', { query: 'rate({app="pay"}[1m])' }))).toMatch(/^400 legacy endpoints only/)
    expect(await faultOf(old('query', { query: '{app="pay"}', regexp: '(' }))).toMatch(/^400 .*missing closing/)
    expect(await faultOf(old('query', { query: '{app="pay"}', limit: '5001' }))).toMatch(/^400 max entries limit/)
  })

  test('labels and their values', async () => {
    expect(await dataOf(old('label/app/values', RANGE))).toEqual(['pay', 'shop'])
  })
})

test('is ready without a key, at the paths of Loki and Tempo', async () => {
  for (const path of ['/ready', '/tempo/ready']) {
    await expect.poll(async () => (await logs.sent(path)).status, { timeout: 10_000 }).toBe(200)
    expect(await logs.sent(path)).toMatchObject({ type: 'text/plain; charset=utf-8', text: 'ready\n' })
  }
})
