import { describe, expect, test } from 'vitest'
import { createClusterList, createEventList, createWorkloadList } from '../../../src/server/index.ts'
import { appOf, post } from '../harness/harness.ts'
import { incident, searchOver } from '../harness/real-engine.ts'

const range = { start: '2026-03-10T11:00:00Z', end: '2026-03-10T12:00:00Z' }

const lines = (records: readonly unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n')

describe('searches over the engine', () => {
  const app = appOf({ search: incident() })
  const request = async (body: unknown, path = '/api/logs/v2/search'): Promise<{ status: number; body: unknown }> =>
    post(app, path, { ...range, ...(body as object) })

  test('a stream has the rows of the array, in the same order', async () => {
    const query = 'level:error | fields _time, workload'
    const { body } = await request({ query })
    const { text } = await post(
      app,
      '/api/logs/v2/search',
      { ...range, query, enableStream: true },
      { Accept: 'application/x-ndjson' },
    )
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(body)
    expect(body).toHaveLength(30)
  })

  test('dialect logsql is stricter with case and writes text', async () => {
    const sent = await post(app, '/api/logs/v2/search?dialect=logsql', {
      ...range,
      query: 'level:ERROR | stats count() n',
    })
    expect(sent.body).toEqual([{ n: '0' }])
    expect((await request({ query: 'level:ERROR | stats count() n' })).body).toEqual([{ n: 30 }])
  })

  describe('parameters', () => {
    const parameter = (name: string): object => ({ $parameter: name })

    test('stand in texts, in the pipeline and in sources', async () => {
      const plain = await request({ query: 'level:error workload:in("payments","web")', pipeline: { limit: 2 } })
      const bound = await request({
        query: 'level:$level',
        filters: 'workload:in($names)',
        sources: [{ key: 'level', filters: [{ op: 'eq', value: parameter('level') }] }],
        pipeline: { LIMIT: parameter('n') },
        Parameters: { level: 'error', names: ['payments', 'web'], n: 2 },
      })
      expect(bound.status).toBe(200)
      expect(bound.body).toEqual(plain.body)
      expect(plain.body).toHaveLength(2)
    })

    test.each<readonly [string, object, string, string]>([
      ['no value for a text', { query: 'level:$x', parameters: {} }, 'log/missing-parameter', '$.query'],
      ['no values at all', { query: 'level:$x' }, 'log/missing-parameter', '$.query'],
      [
        'no value for the pipeline',
        { query: '*', pipeline: { limit: parameter('n') } },
        'json/missing-parameter',
        '$.pipeline.limit',
      ],
      ['a value for nothing', { query: '*', parameters: { x: 1 } }, 'json/unused-parameter', '$.parameters.x'],
      ['another type', { query: '* | limit $n', parameters: { n: 'x' } }, 'log/bad-parameter', '$.query'],
      [
        'another type in the pipeline',
        { pipeline: { limit: parameter('n') }, parameters: { n: 'x' } },
        'json/bad-parameter',
        '$.pipeline.limit',
      ],
      ['an object', { query: 'level:$x', parameters: { x: { a: 1 } } }, 'wire/wrong-type', '$.parameters.x'],
      ['no object of values', { query: 'level:$x', parameters: [1] }, 'wire/wrong-type', '$.parameters'],
      ['a list with objects', { query: 'level:in($x)', parameters: { x: [{}] } }, 'log/bad-parameter', '$.query'],
      [
        'a name',
        { pipeline: { domain: parameter('d') }, parameters: { d: 'logs' } },
        'json/parameter-as-name',
        '$.pipeline.domain',
      ],
    ])('%s is refused', async (_, sent, code, path) => {
      const { status, body } = await request(sent)
      expect([status, (body as { code: string }).code]).toEqual([400, code])
      expect(JSON.stringify(body)).toContain(path)
    })
  })

  test('pages join to the whole', async () => {
    const whole = (await request({ query: '* | sort by (workload)' })).body as readonly unknown[]
    const pages: unknown[] = []
    for (let offset = 0; offset < whole.length; offset += 50) {
      const { body } = await request({ query: `* | sort by (workload) | offset ${offset} | limit 50` })
      pages.push(...(body as readonly unknown[]))
    }
    expect(pages).toEqual(whole)
    expect(whole).toHaveLength(204)
  })

  test('a domain of its own in the pipeline, unknown ones refused', async () => {
    expect((await request({ pipeline: { domain: 'traces' } })).body).toEqual([])
    const { status, body } = await request({ pipeline: { domain: 'trases' } })
    expect([status, (body as { code: string }).code]).toEqual([400, 'json/unknown-word'])
  })

  test('events and traces without a query find nothing in the logs', async () => {
    expect((await request({}, '/api/k8s/v2/events/search')).body).toEqual([])
    expect((await request({}, '/api/traces/v2/search')).body).toEqual([])
  })

  test('hostile texts are refused', async () => {
    const deep = '('.repeat(20_000)
    for (const query of [
      deep,
      `a${' OR a'.repeat(20_000)}`,
      '"'.repeat(9999),
      '\u0000',
      'x'.repeat(70_000),
      `*${' | limit 1'.repeat(500)}`,
    ]) {
      const { status } = await request({ query })
      expect([200, 400], query.slice(0, 20)).toContain(status)
    }
  })
})

describe('lists over the engine', () => {
  const search = searchOver({
    events: lines([
      { timestamp: '2026-03-10T11:00:00Z', type: 'Normal', reason: 'Started', namespace: 'shop', cluster: 'eu' },
      {
        timestamp: '2026-03-10T11:10:00Z',
        type: 'Warning',
        reason: 'OOMKilled',
        namespace: 'shop',
        cluster: 'eu',
        exitCode: 137,
      },
      { timestamp: '2026-03-10T11:20:00Z', type: 'Normal', reason: 'Pulled', namespace: 'pay', cluster: 'us' },
    ]),
    clusters: lines([
      { timestamp: '2026-03-10T11:00:00Z', name: 'eu', nodesCount: 3, pods: { Running: 1 } },
      { timestamp: '2026-03-10T11:30:00Z', name: 'eu', nodesCount: 4, pods: { Running: 7 }, cpu: { Usage: 0.5 } },
      { timestamp: '2026-03-10T11:20:00Z', name: 'us', nodesCount: 1 },
    ]),
    workloads: lines([
      {
        timestamp: '2026-03-10T11:00:00Z',
        workload: 'api',
        namespace: 'shop',
        cluster: 'eu',
        kind: 'Deployment',
        rps: 1,
      },
      {
        timestamp: '2026-03-10T11:30:00Z',
        workload: 'api',
        namespace: 'shop',
        cluster: 'eu',
        kind: 'Deployment',
        rps: 5,
      },
      {
        timestamp: '2026-03-10T11:00:00Z',
        workload: 'db',
        namespace: 'shop',
        cluster: 'eu',
        kind: 'StatefulSet',
        rps: 2,
      },
    ]),
  })
  const app = appOf({
    search,
    eventList: createEventList(search, 10_000),
    clusters: createClusterList(search),
    workloads: createWorkloadList(search),
  })

  test('events: newest first, filtered, in pages', async () => {
    const path = '/api/k8s/v2/events-over-time'
    const reasons = async (body: object): Promise<unknown> => {
      const sent = await post(app, path, { ...range, ...body })
      expect(sent.status, sent.text).toBe(200)
      return (sent.body as { events: readonly { reason: string }[] }).events.map(({ reason }) => reason)
    }
    expect(await reasons({})).toEqual(['Pulled', 'OOMKilled', 'Started'])
    expect(await reasons({ SortOrder: 'asc', Limit: 1, Skip: 1 })).toEqual(['OOMKilled'])
    expect(await reasons({ Query: 'type:Warning' })).toEqual(['OOMKilled'])
    expect(await reasons({ SortBy: 'reason', SortOrder: 'asc' })).toEqual(['OOMKilled', 'Pulled', 'Started'])
    expect(await reasons({ Conditions: [{ key: 'cluster', filters: [{ op: 'eq', value: 'eu' }] }] })).toEqual([
      'OOMKilled',
      'Started',
    ])
    const group = {
      operator: 'or',
      conditions: [
        { key: 'reason', filters: [{ op: 'eq', value: 'Pulled' }] },
        { key: 'type', filters: [{ op: 'eq', value: 'Warning' }] },
      ],
    }
    expect(await reasons({ Group: group })).toEqual(['Pulled', 'OOMKilled'])
    const broken = await post(app, path, { ...range, Query: 'type:(' })
    expect(broken.body).toMatchObject({ code: 'log/expected-filter', details: { diagnostics: [{ path: '$.Query' }] } })
  })

  test('clusters: the newest record of each', async () => {
    expect((await post(app, '/api/k8s/v3/clusters/list', {})).body).toEqual({
      clusters: [
        { name: 'eu', nodesCount: 4, pods: { Running: 7 }, cpu: { Usage: 0.5 } },
        { name: 'us', nodesCount: 1 },
      ],
      totalCount: 2,
    })
  })

  test('workloads: the newest record of each, most requests first', async () => {
    expect((await post(app, '/api/k8s/v3/workloads/list', {})).body).toMatchObject({
      total: 2,
      workloads: [
        { workload: 'api', rps: 5 },
        { workload: 'db', rps: 2 },
      ],
    })
    expect((await post(app, '/api/k8s/v3/workloads/list', { gcqlFilter: 'kind:StatefulSet' })).body).toMatchObject({
      total: 1,
    })
  })
})
