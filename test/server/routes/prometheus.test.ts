import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EMPTY_HISTOGRAM, Labels } from '../../../src/data/index.ts'
import { createMemoryDocumentStore } from '../../../src/resources/index.ts'
import { createMetricReadService, defaultServerLimits, listen, type Listening } from '../../../src/server/index.ts'
import type { Expr } from '../../../src/plan/index.ts'
import { MetricCatalog, SampleStore } from '../../../src/store/index.ts'
import { KEY, appOf, send, zoneIsEu, type Sent } from '../harness/harness.ts'
import { NOW_NS, resourceApp } from '../harness/resource-app.ts'

/** 2026-01-01T00:00:00Z */
const start = 1_767_225_600
const source = new SampleStore()
for (const [name, zone, pod] of [
  ['load', 'eu', 'api-1'],
  ['load', 'eu', 'api-2'],
  ['load', 'us', 'db-1'],
  ['hits_total', 'us', 'db-1'],
] as const) {
  const labels = Labels.of({ __name__: name, zone, pod, 'a.b/ü': 'x' })
  for (let i = 0; i <= 40; i++) source.writer.append(labels, { timeMs: (start + i * 15) * 1000, value: i })
}
const catalog = new MetricCatalog()
catalog.add([
  { name: 'load', type: 'gauge', help: 'Load.', unit: '' },
  { name: 'hits', type: 'counter', help: 'Hits.', unit: '' },
  { name: 'gone', type: 'counter', help: 'Not seen any more.', unit: '' },
])

const clock = { nowMs: () => performance.now(), nowNs: () => BigInt(start + 600) * 1_000_000_000n }
const limits = { memoryBytes: 2 ** 26, timeoutMs: 120_000, scanRows: Number.MAX_SAFE_INTEGER }
const given = { sourceOf: () => source.reader, catalogOf: () => catalog, clock, limits }
const metricRead = createMetricReadService(given)
const app = appOf({ metricRead })

const AUTH = { Authorization: `Bearer ${KEY}` }

function get(path: string, parameters: Readonly<Record<string, string>> = {}, on = app): Promise<Sent> {
  return send(on, `/api/v1/${path}?${String(new URLSearchParams(parameters))}`, { headers: AUTH })
}

function form(path: string, fields: readonly (readonly [string, string])[], on = app): Promise<Sent> {
  const headers = { ...AUTH, 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const body = String(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])))
  return send(on, `/api/v1/${path}`, { method: 'POST', headers, body })
}

async function dataOf(sent: Promise<Sent>): Promise<unknown> {
  const { status, text, body } = await sent
  expect(status, text).toBe(200)
  expect(body).toMatchObject({ status: 'success' })
  return (body as { data: unknown }).data
}

/** Returns the status and error type, and checks that the error has every required member. */
async function faultOf(sent: Promise<Sent>): Promise<unknown> {
  const { status, body } = await sent
  const { status: word, errorType, error, message, trace_id: traceId } = body as Record<string, string>
  expect([word, typeof error, typeof message, typeof traceId]).toEqual(['error', 'string', 'string', 'string'])
  return [status, errorType]
}

describe('queries', () => {
  test('at one time, by GET and by form, with either form of the key', async () => {
    const answer = { resultType: 'vector', result: [{ metric: { zone: 'eu' }, value: [start + 60.5, '8'] }] }
    const query = 'sum by (zone) (load{zone="eu"})'
    const time = String(start + 60.5)
    expect(await dataOf(get('query', { query, time }))).toEqual(answer)
    expect(
      await dataOf(
        form('query', [
          ['query', query],
          ['time', time],
        ]),
      ),
    ).toEqual(answer)
    const plain = await send(app, `/api/v1/query?query=1`, { headers: { Authorization: KEY } })
    expect(plain.body).toMatchObject({ data: { resultType: 'scalar', result: [start + 600, '1'] } })
    const at = new Date((start + 60) * 1000).toISOString()
    expect(await dataOf(get('query', { query: 'time()', time: at }))).toMatchObject({
      result: [start + 60, '1767225660'],
    })
  })

  test('at every step of a range', async () => {
    const range = { start: String(start), end: String(start + 30), step: '15' }
    const values = [
      [start, '0'],
      [start + 15, '1'],
      [start + 30, '2'],
    ]
    expect(await dataOf(get('query_range', { query: 'load{pod="api-1"} * 1', ...range }))).toEqual({
      resultType: 'matrix',
      result: [{ metric: { 'a.b/ü': 'x', pod: 'api-1', zone: 'eu' }, values }],
    })
    const asForm = form('query_range', [['query', 'max(load)'], ...Object.entries({ ...range, step: '15s' })])
    expect(await dataOf(asForm)).toEqual({ resultType: 'matrix', result: [{ metric: {}, values }] })
  })

  test('a limit cuts with a warning, a look-back is taken', async () => {
    const { body } = await get('query', { query: 'load', limit: '2' })
    expect(body).toMatchObject({ warnings: ['results truncated due to limit'] })
    expect((body as { data: { result: unknown[] } }).data.result).toHaveLength(2)
    const late = { query: 'count(load)', time: String(start + 660) }
    expect(await dataOf(get('query', late))).toMatchObject({ result: [{ value: [start + 660, '3'] }] })
    expect(await dataOf(get('query', { ...late, lookback_delta: '30s' }))).toMatchObject({ result: [] })
  })

  test.each(['0', '0s', '0m', '0.0', '-0', '+0', '0e5', '0ms'])('a look-back of %s is the default', async (zero) => {
    const late = { query: 'count(load)', time: String(start + 660), lookback_delta: zero }
    expect(await dataOf(get('query', late))).toMatchObject({ result: [{ value: [start + 660, '3'] }] })
    const range = { query: late.query, start: late.time, end: late.time, step: '15', lookback_delta: zero }
    expect(await dataOf(get('query_range', range))).toMatchObject({ result: [{ values: [[start + 660, '3']] }] })
  })

  test.each(['-1', '-1s', '0.0001', '0x', 'none', '0s0'])('a look-back of %s is refused', async (text) => {
    expect(await faultOf(get('query', { query: 'load', lookback_delta: text }))).toEqual([400, 'bad_data'])
  })

  test('errors as metric tools read them', async () => {
    expect((await get('query', { query: 'sum(load{)' })).body).toMatchObject({
      errorType: 'bad_data',
      error: expect.stringMatching(/^invalid parameter "query": 1:10: parse error: /),
      details: { diagnostics: [{ path: '$.query' }] },
    })
    const computed = await get('query', { query: 'sum(\n  rate(load[step()]))' })
    expect([computed.status, computed.body]).toMatchObject([
      400,
      {
        errorType: 'bad_data',
        error: 'invalid parameter "query": 2:13: duration must be greater than 0',
        details: { diagnostics: [{ path: '$.query' }] },
      },
    ])
    expect(await faultOf(get('query'))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query', { query: '1', time: 'soon' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query', { query: 'load + on (zone) load' }))).toEqual([422, 'execution'])
    const range = { query: 'load', start: String(start), end: String(start + 12_000) }
    expect(await faultOf(get('query_range', { ...range, step: '1' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query_range', { ...range, step: '0' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query_range', { ...range, end: '0', step: '1' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query_range', range))).toEqual([400, 'bad_data'])
    expect(await faultOf(send(app, '/api/v1/query?query=1'))).toEqual([401, 'unauthorized'])
  })

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['query', { query: 'sum(' }, 'query'],
    ['query', {}, 'query'],
    ['query', { query: '1', time: 'soon' }, 'time'],
    ['query', { query: '1', limit: 'few' }, 'limit'],
    ['query', { query: '1', timeout: '-1' }, 'timeout'],
    ['query_range', { query: 'load[1m]', start: '0', end: '60', step: '15' }, 'query'],
    ['query_range', { query: 'load', start: '60', end: '0', step: '15' }, 'end'],
    ['query_range', { query: 'load', start: '0', end: '60', step: '0' }, 'step'],
    ['query_range', { query: 'load', start: '0', end: '60' }, 'step'],
    ['series', { 'match[]': '{' }, 'match[]'],
    ['labels', { start: 'x' }, 'start'],
    ['format_query', { query: 'sum(' }, 'query'],
    ['parse_query', { query: 'sum(' }, 'query'],
  ])('%s with %j names the parameter %s', async (path, parameters, name) => {
    const { status, body } = await get(path, parameters)
    expect(status).toBe(400)
    expect((body as { error: string }).error).toMatch(`invalid parameter "${name}": `)
  })

  test('what is wrong with a whole question names no parameter', async () => {
    const { body } = await get('query', { query: 'load + on (zone) load' })
    expect((body as { error: string }).error).toMatch(/^found duplicate series/)
  })

  test.each([
    ['/api/v1/nothing', 'GET', 404, 'not_found'],
    ['/api/v1/query', 'DELETE', 405, 'bad_data'],
    ['/api/v1/label', 'GET', 404, 'not_found'],
  ])('%s by %s has the members of errors too', async (path, method, status, type) => {
    expect(await faultOf(send(app, path, { method, headers: AUTH }))).toEqual([status, type])
  })

  test('what a query has cost, where that is asked for', async () => {
    const query = 'sum(rate(load[1m])) + count(hits_total)'
    const at = { query, time: String(start + 60) }
    expect(await dataOf(get('query', at))).not.toHaveProperty('stats')
    const once = (await dataOf(get('query', { ...at, stats: 'true' }))) as { stats: Record<string, object> }
    // The window has three series with four samples each, and one series of another metric.
    expect(once.stats['samples']).toEqual({ totalQueryableSamples: 13, peakSamples: 12 })
    expect(Object.keys(once.stats['timings'] ?? {})).toEqual([
      'evalTotalTime',
      'resultSortTime',
      'queryPreparationTime',
      'innerEvalTime',
      'execQueueTime',
      'execTotalTime',
    ])
    const range = { query: 'load', start: String(start), end: String(start + 30), step: '15', stats: 'all' }
    const answer = (await dataOf(get('query_range', range))) as { stats: { samples: object } }
    expect(answer.stats.samples).toEqual({
      totalQueryableSamplesPerStep: [
        [start, 3],
        [start + 15, 3],
        [start + 30, 3],
      ],
      totalQueryableSamples: 9,
      peakSamples: 9,
    })
    const inner = await dataOf(get('query', { query: 'max_over_time(load{zone="us"}[1m:15s])', stats: 'all' }))
    expect(inner).toMatchObject({ stats: { samples: { totalQueryableSamplesPerStep: [[start + 600, 8]] } } })
  })

  test('a range of 11,000 steps is answered, and each of its 11,001 points has its cost', async () => {
    const range = { query: 'load{zone="us"}', start: String(start), step: '1', stats: 'all' }
    const longest = await dataOf(get('query_range', { ...range, end: String(start + 11_000) }))
    const { samples } = (longest as { stats: { samples: { totalQueryableSamplesPerStep: [number, number][] } } }).stats
    expect(samples.totalQueryableSamplesPerStep).toHaveLength(11_001)
    expect(samples.totalQueryableSamplesPerStep.slice(0, 2)).toEqual([
      [start, 1],
      [start + 1, 1],
    ])
    const longer = await faultOf(get('query_range', { ...range, end: String(start + 11_001) }))
    expect(longer).toEqual([400, 'bad_data'])
  })
})

describe('listings', () => {
  test('series, labels and values', async () => {
    const bare = { 'a.b/ü': 'x', __name__: 'load', zone: 'eu' }
    expect(
      await dataOf(
        form('series', [
          ['match[]', 'load{zone="eu"}'],
          ['match[]', 'hits_total'],
        ]),
      ),
    ).toEqual([
      { 'a.b/ü': 'x', __name__: 'hits_total', pod: 'db-1', zone: 'us' },
      { ...bare, pod: 'api-1' },
      { ...bare, pod: 'api-2' },
    ])
    expect(await dataOf(get('labels'))).toEqual(['__name__', 'a.b/ü', 'pod', 'zone'])
    expect(await dataOf(get('label/__name__/values'))).toEqual(['hits_total', 'load'])
    expect(await dataOf(get('label/pod/values', { 'match[]': 'load{zone!="eu"}' }))).toEqual(['db-1'])
    expect(await dataOf(get(`label/${encodeURIComponent('a.b/ü')}/values`))).toEqual(['x'])
    expect(await dataOf(get('label/U__a_2E_b_2F__FC_/values'))).toEqual(['x'])
    expect(await dataOf(get('labels', { end: String(start - 1) }))).toEqual([])
    expect(await dataOf(get('labels', { start: String(start + 600), end: String(start + 600) }))).toHaveLength(4)
    const { body } = await get('label/pod/values', { limit: '1' })
    expect(body).toMatchObject({ data: ['api-1'], warnings: ['results truncated due to limit'] })
  })

  test.each([
    ['series', { 'match[]': 'load' }],
    ['series', { 'match[]': '{pod=~".+"}' }],
    ['labels', {}],
    ['labels', { 'match[]': 'load' }],
    ['label/pod/values', {}],
    ['label/__name__/values', { 'match[]': 'load' }],
    ['label/none/values', {}],
  ])('%s with %j finds nothing in a time that ends before it starts', async (path, asked) => {
    // The ranges end before they start and lie within series: some have samples on both sides.
    for (const [from, to] of [
      [start + 400, start + 200],
      [start + 1, start],
      [start + 600.001, start + 600],
      [5, 4],
    ]) {
      const { status, body } = await get(path, { ...asked, start: String(from), end: String(to) })
      expect([status, body]).toEqual([200, { status: 'success', data: [] }])
    }
  })

  test('a question with another fault is refused in such a time too', async () => {
    const backwards = { start: '5', end: '4' }
    expect(await faultOf(get('series', backwards))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('series', { ...backwards, 'match[]': 'load[1m]' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('labels', { ...backwards, limit: '-1' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query_exemplars', { ...backwards, query: 'load' }))).toEqual([400, 'bad_data'])
  })

  test('what is wrong with them', async () => {
    expect(await faultOf(get('series'))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('series', { 'match[]': 'rate(load[1m])' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('series', { 'match[]': 'load offset 1m' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('labels', { limit: '-1' }))).toEqual([400, 'bad_data'])
  })

  test('metadata of metrics that are there', async () => {
    expect(await dataOf(get('metadata'))).toEqual({
      hits: [{ type: 'counter', help: 'Hits.', unit: '' }],
      load: [{ type: 'gauge', help: 'Load.', unit: '' }],
    })
    expect(Object.keys((await dataOf(get('metadata', { metric: 'load' }))) as object)).toEqual(['load'])
  })

  test('trees, layout, version', async () => {
    expect(await dataOf(get('parse_query', { query: 'sum(up)' }))).toMatchObject({ type: 'aggregation', op: 'sum' })
    expect(await dataOf(form('format_query', [['query', 'sum  (up)']]))).toBe('sum(up)')
    expect(await faultOf(get('format_query', { query: 'sum(' }))).toEqual([400, 'bad_data'])
    expect(await dataOf(get('status/buildinfo'))).toMatchObject({ version: expect.stringMatching(/^3\./) })
  })
})

describe('what data sources ask beside queries', () => {
  test('status of the server', async () => {
    expect(await dataOf(get('status/config'))).toEqual({ yaml: '' })
    expect(await dataOf(get('status/flags'))).toMatchObject({
      'query.lookback-delta': '5m',
      'query.timeout': '2m',
      'query.max-samples': '50000000',
    })
    expect(await dataOf(get('status/runtimeinfo'))).toMatchObject({ reloadConfigSuccess: true, CWD: '', hostname: '' })
    expect(await dataOf(get('targets'))).toEqual({ activeTargets: [], droppedTargets: [], droppedTargetCounts: {} })
    expect(await dataOf(get('alertmanagers'))).toEqual({ activeAlertmanagers: [], droppedAlertmanagers: [] })
  })

  test('what only a server that scrapes has is empty', async () => {
    expect(await dataOf(get('targets/metadata', { match_target: '{job="a"}', metric: 'up', limit: '5' }))).toEqual([])
    expect(await dataOf(get('scrape_pools'))).toEqual({ scrapePools: [] })
    expect(await dataOf(get('features'))).toEqual({})
    expect(await dataOf(get('notifications'))).toEqual([])
    expect(await dataOf(get('status/walreplay'))).toEqual({ min: 0, max: 0, current: 0, state: 'done' })
    expect(await dataOf(get('status/tsdb/blocks'))).toEqual({ blocks: [] })
    expect((await get('notifications/live')).status).toBe(204)
    expect(await faultOf(get('targets/metadata', { limit: 'x' }))).toEqual([400, 'bad_data'])
    const { body } = await get('targets/metadata', { match_target: '{job=}' })
    expect((body as { readonly error: string }).error).toMatch(/^invalid parameter "match_target": 1:6: parse error/)
  })

  test('counts of series and labels', async () => {
    expect(await dataOf(get('status/tsdb', { limit: '2' }))).toEqual({
      headStats: {
        numSeries: 4,
        numLabelPairs: 8,
        chunkCount: 4,
        minTime: start * 1000,
        maxTime: (start + 600) * 1000,
      },
      seriesCountByMetricName: [
        { name: 'load', value: 3 },
        { name: 'hits_total', value: 1 },
      ],
      labelValueCountByLabelName: [
        { name: 'pod', value: 3 },
        { name: '__name__', value: 2 },
      ],
      memoryInBytesByLabelName: [
        { name: '__name__', value: 14 },
        { name: 'pod', value: 14 },
      ],
      seriesCountByLabelValuePair: [
        { name: 'a.b/ü=x', value: 4 },
        { name: '__name__=load', value: 3 },
      ],
    })
    expect(await faultOf(get('status/tsdb', { limit: '-1' }))).toEqual([400, 'bad_data'])
  })

  test('exemplars of expressions that can be read; a series without any is left out', async () => {
    const range = { start: String(start), end: String(start + 60) }
    expect(await dataOf(get('query_exemplars', { query: 'load', ...range }))).toEqual([])
    expect(await faultOf(get('query_exemplars', { query: 'load{', ...range }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query_exemplars', { query: 'load' }))).toEqual([400, 'bad_data'])
    expect(await faultOf(get('query_exemplars', { query: 'load', start: '5', end: '4' }))).toEqual([400, 'bad_data'])
  })

  const federate = (matches: readonly string[], on = app): Promise<Sent> => {
    const query = new URLSearchParams(matches.map((text): [string, string] => ['match[]', text]))
    return send(on, `/federate?${String(query)}`, { headers: AUTH })
  }

  test('the newest sample of each series, as text', async () => {
    const { text, headers } = await federate(['load{zone="us"}', '{pod="db-1"}'])
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const labels = '"a.b/ü"="x",pod="db-1",zone="us",instance=""'
    expect(text.split('\n')).toEqual([
      '# TYPE hits_total untyped',
      `hits_total{${labels}} 40 ${(start + 600) * 1000}`,
      '# TYPE load untyped',
      `load{${labels}} 40 ${(start + 600) * 1000}`,
      '',
    ])
    expect((await federate([])).text).toBe('')
    const { body } = await federate(['load{'])
    expect(body).toMatchObject({
      status: 'error',
      errorType: 'bad_data',
      error: expect.stringContaining('"match[]": '),
    })
  })

  test('what is stale, too old or a histogram is left out of it; texts are escaped', async () => {
    const odd = new SampleStore()
    const at = { timeMs: (start + 590) * 1000 }
    odd.writer.append(Labels.of({ __name__: 'stale' }), { ...at, value: NaN, isStale: true })
    odd.writer.append(Labels.of({ __name__: 'old' }), { timeMs: (start + 300) * 1000, value: 1 })
    odd.writer.append(Labels.of({ __name__: 'native' }), { ...at, value: 0, histogram: EMPTY_HISTOGRAM })
    odd.writer.append(Labels.of({ __name__: 'näme', instance: 'i', text: 'a"b\\c\nd' }), { ...at, value: -Infinity })
    const on = appOf({ metricRead: createMetricReadService({ ...given, sourceOf: () => odd.reader }) })
    const { text } = await federate(['{__name__=~".+"}'], on)
    const line = `{"näme",instance="i",text="a\\"b\\\\c\\nd"} -Inf ${(start + 590) * 1000}`
    expect(text).toBe(`# TYPE "näme" untyped\n${line}\n`)
  })

  test('health and readiness where metric tools look, without a key', async () => {
    expect((await send(app, '/-/healthy')).status).toBe(200)
    expect((await send(app, '/-/ready')).status).toBe(200)
    expect((await send(appOf({ metricRead, isReady: () => false }), '/-/ready')).status).toBe(503)
    expect((await send(appOf({ metricRead, isReady: () => false }), '/-/healthy')).status).toBe(200)
  })

  test('monitors that were never evaluated are alerting rules without alerts', async () => {
    const whole = resourceApp(
      createMemoryDocumentStore(() => NOW_NS),
      { metricRead },
    )
    const make = (body: object): Promise<Sent> =>
      send(whole, '/api/monitors', {
        method: 'POST',
        headers: { ...AUTH, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const queries = [{ name: 'q', dataType: 'metrics', expression: 'rate(load[5m]) > 2' }]
    const { status, text } = await make({
      title: 'load is high',
      severity: 'S2',
      labels: { team: 'core' },
      annotations: { summary: 'look' },
      evaluationInterval: { interval: '1m', pendingFor: '5 minutes' },
      model: { queries },
    })
    expect(status, text).toBe(200)
    await make({ title: 'another', model: { queries: [{ name: 'q', expression: 'level:error' }] } })
    expect(await dataOf(get('rules', { 'rule_name[]': 'load is high' }, whole))).toEqual({
      groups: [
        {
          name: 'load is high',
          file: 'monitors',
          interval: 60,
          limit: 0,
          evaluationTime: 0,
          lastEvaluation: '0001-01-01T00:00:00Z',
          rules: [
            {
              type: 'alerting',
              name: 'load is high',
              query: 'rate(load[5m]) > 2',
              duration: 300,
              keepFiringFor: 0,
              labels: { severity: 'S2', team: 'core' },
              annotations: { summary: 'look' },
              alerts: [],
              state: 'inactive',
              health: 'unknown',
              evaluationTime: 0,
              lastEvaluation: '0001-01-01T00:00:00Z',
            },
          ],
        },
      ],
    })
    const names = async (parameters: Readonly<Record<string, string>>): Promise<unknown> =>
      ((await dataOf(get('rules', parameters, whole))) as { groups: { name: string }[] }).groups.map(({ name }) => name)
    expect(await names({})).toEqual(['another', 'load is high'])
    expect(await names({ type: 'alert', 'rule_group[]': 'another' })).toEqual(['another'])
    expect(await names({ type: 'record' })).toEqual([])
    expect(await names({ 'file[]': 'none' })).toEqual([])
    expect(await faultOf(get('rules', { type: 'x' }, whole))).toEqual([400, 'bad_data'])
    expect(await dataOf(get('alerts', {}, whole))).toEqual({ alerts: [] })
  })
})

test('the OpenAPI document has each question, by GET and by form', async () => {
  const { body } = await send(app, '/openapi.json')
  const { paths } = body as { paths: Record<string, Record<string, { operationId: string; responses: object }>> }
  const found = Object.entries(paths).filter(([path]) => path.startsWith('/api/v1/'))
  expect(Object.fromEntries(found.map(([path, methods]) => [path.slice(8), Object.keys(methods).join(' ')]))).toEqual({
    query: 'get post',
    query_range: 'get post',
    series: 'get post',
    labels: 'get post',
    'label/{name}/values': 'get',
    metadata: 'get',
    parse_query: 'get post',
    format_query: 'get post',
    'status/buildinfo': 'get',
    'status/config': 'get',
    'status/flags': 'get',
    'status/runtimeinfo': 'get',
    'status/tsdb': 'get',
    'status/tsdb/blocks': 'get',
    'status/walreplay': 'get',
    features: 'get',
    notifications: 'get',
    'notifications/live': 'get',
    query_exemplars: 'get post',
    rules: 'get',
    alerts: 'get',
    targets: 'get',
    'targets/metadata': 'get',
    scrape_pools: 'get',
    alertmanagers: 'get',
    read: 'post',
  })
  const ids = found.flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
  expect(new Set(ids).size).toBe(ids.length)
  expect(paths['/api/v1/query']?.['get']?.responses).toHaveProperty('422')
})

describe('what a caller may see', () => {
  const scoped = appOf({
    metricRead,
    access: { accessOf: () => ({ roles: undefined, scope: (table) => (table === 'samples' ? zoneIsEu : undefined) }) },
  })

  test('guards every question', async () => {
    const count = { query: 'count({zone=~".+"} or load{zone="us"})' }
    expect(await dataOf(get('query', count, scoped))).toMatchObject({ result: [{ value: [start + 600, '2'] }] })
    expect(await dataOf(get('label/__name__/values', {}, scoped))).toEqual(['load'])
    expect(await dataOf(get('label/zone/values', { 'match[]': '{zone="us"}' }, scoped))).toEqual([])
    expect(await dataOf(get('series', { 'match[]': '{__name__=~".+"}' }, scoped))).toHaveLength(2)
    expect(await dataOf(get('metadata', {}, scoped))).toEqual({ load: [{ type: 'gauge', help: 'Load.', unit: '' }] })
    const { text } = await send(scoped, '/federate?match[]={pod=~".%2B"}&match[]=hits_total', { headers: AUTH })
    expect(text.match(/^[^#].*/gm)).toHaveLength(2)
    expect(text).not.toContain('zone="us"')
    const counts = await get('status/tsdb', { limit: '100' }, scoped)
    expect(counts.body).toMatchObject({ data: { headStats: { numSeries: 2, numLabelPairs: 5 } } })
    expect(counts.text).not.toMatch(/=us|db-1|hits/)
  })

  test('says when labels cannot decide what policies say', async () => {
    const later: Expr = { ...zoneIsEu, test: { kind: 'compare-text', op: 'lt', text: 'x' } }
    const unclear = appOf({ metricRead, access: { accessOf: () => ({ roles: undefined, scope: () => later }) } })
    const { body } = await get('query', { query: 'count(load)' }, unclear)
    expect(body).toMatchObject({ data: { result: [] }, warnings: [expect.stringContaining('policies')] })
    const { body: whole } = await get('query', { query: 'count(load)' }, scoped)
    expect(whole).not.toHaveProperty('warnings')
  })
})

describe('limits, through HTTP', () => {
  const many = new SampleStore()
  for (let s = 0; s < 3000; s++) {
    const series = many.writer.getOrCreateSeries(Labels.of({ __name__: 'many', id: `series-${s}` }))
    for (let i = 0; i < 60; i++) series.append({ timeMs: (start + i * 10) * 1000, value: i * 1.5 })
  }
  const servers: Listening[] = []
  const ranges = `start=${start}&end=${start + 590}`

  async function serve(more: object, serverLimits = defaultServerLimits): Promise<string> {
    const service = createMetricReadService({ ...given, sourceOf: () => many.reader, ...more })
    const listening = await listen(appOf({ metricRead: service, limits: serverLimits }), { host: '127.0.0.1', port: 0 })
    servers.push(listening)
    return `http://127.0.0.1:${listening.port}/api/v1`
  }

  async function request(url: string): Promise<Sent> {
    const response = await fetch(url, { headers: AUTH })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }

  let free = ''
  beforeAll(async () => {
    free = await serve({})
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  test('a large answer comes whole', async () => {
    const { status, text, body } = await request(`${free}/query_range?query=many&step=10&${ranges}`)
    expect(status).toBe(200)
    expect(text.length).toBeGreaterThan(2_000_000)
    const { result } = (body as { data: { result: readonly { values: unknown[] }[] } }).data
    expect([result.length, result[2999]?.values.length]).toEqual([3000, 60])
  })

  test('steps, samples, memory, time and bytes', async () => {
    expect(await faultOf(request(`${free}/query_range?query=many&step=0.05&${ranges}`))).toEqual([400, 'bad_data'])
    const few = await serve({ limitSamples: 1000 })
    expect(await faultOf(request(`${few}/query?query=many[5m]`))).toEqual([422, 'execution'])
    const small = await serve({ limits: { ...limits, memoryBytes: 100_000 } })
    expect(await faultOf(request(`${small}/query_range?query=many&step=10&${ranges}`))).toEqual([422, 'execution'])
    const hasty = `${free}/query_range?query=sum(rate(many[5m]))&step=0.1&timeout=1ms&${ranges}`
    expect(await faultOf(request(hasty))).toEqual([503, 'timeout'])
    const narrow = await serve({}, { ...defaultServerLimits, answerBytes: 100_000 })
    expect(await faultOf(request(`${narrow}/query_range?query=many&step=10&${ranges}`))).toEqual([400, 'bad_data'])
  })

  test('a client that leaves ends its query', async () => {
    let wasStopped = false
    const asked = Promise.withResolvers<void>()
    const hasGone = Promise.withResolvers<void>()
    const slow = {
      series: () => [],
      select: async () => {
        asked.resolve()
        await hasGone.promise
        return []
      },
    }
    const service = createMetricReadService({ ...given, sourceOf: () => slow })
    const watched = {
      ...service,
      query: (...[query, caller]: Parameters<typeof service.query>) => {
        caller.signal.addEventListener('abort', () => hasGone.resolve())
        const answer = service.query(query, caller)
        answer.catch((error: unknown) => {
          wasStopped = error instanceof Error && error.message.includes('cancelled')
        })
        return answer
      },
    }
    const listening = await listen(appOf({ metricRead: watched }), { host: '127.0.0.1', port: 0 })
    servers.push(listening)
    const leaving = new AbortController()
    const url = `http://127.0.0.1:${listening.port}/api/v1/query?query=many`
    const running = fetch(url, { headers: AUTH, signal: leaving.signal })
    void asked.promise.then(() => leaving.abort())
    await expect(running).rejects.toThrow('abort')
    await expect.poll(() => wasStopped).toBe(true)
  })
})
