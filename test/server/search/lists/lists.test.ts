import { describe, expect, test } from 'vitest'
import { createClusterList, createEventList, createWorkloadList } from '../../../../src/server/index.ts'
import { answerFaults } from '../../harness/contract.ts'
import { GivenRows, appOf, post, row } from '../../harness/harness.ts'

const range = { Start: '2026-01-01T00:00:00Z', End: '2026-01-02T00:00:00Z' }
const noon = '1767268800000000000'

describe('events over time', () => {
  const event = {
    _time: { time: noon },
    type: 'Warning',
    reason: 'OOMKilled',
    count: { integer: '9007199254740993' },
    exitCode: 137,
    env: '',
  }

  test('asks for one row more than the page, sorted', async () => {
    const search = new GivenRows([[row(event), row({ _time: { time: noon }, type: 'Normal' })]])
    const app = appOf({ search, eventList: createEventList(search, 10_000) })
    const body = {
      ...range,
      Limit: 1,
      Skip: '5',
      SortBy: 'TIMESTAMP',
      SortOrder: 'asc',
      Query: 'reason:OOMKilled',
      Group: { conditions: [{ key: 'env' }] },
      Conditions: [{ key: 'cluster' }],
      Sources: [{ key: 'namespace' }],
    }
    const { status, body: answer } = await post(app, '/api/k8s/v2/events-over-time', body)
    expect(status).toBe(200)
    expect(answerFaults('/api/k8s/v2/events-over-time', 'POST', 200, 'application/json', answer)).toBeUndefined()
    expect(answer).toEqual({
      events: [{ timestamp: '2026-01-01T12:00:00.000000000Z', type: 'Warning', reason: 'OOMKilled', exitCode: 137 }],
      isLimitReached: true,
      warningIndicator: true,
    })
    expect(search.requests[0]).toMatchObject({
      domain: 'events',
      filters: 'reason:OOMKilled',
      sources: [{ key: 'cluster' }, { key: 'namespace' }],
      pipeline: {
        filters: { conditions: [{ key: 'env' }] },
        orderBy: [{ direction: 'asc', selector: { key: '_time' } }],
        offset: 5,
        limit: 2,
      },
    })
  })

  test('raw events only when asked for, with every digit', async () => {
    const search = new GivenRows([[row(event)]])
    const app = appOf({ search, eventList: createEventList(search, 10_000) })
    const { text } = await post(app, '/api/k8s/v2/events-over-time', { ...range, WithRawEvents: true })
    expect(text).toContain(
      '"raw":{"_time":"2026-01-01T12:00:00.000000000Z","type":"Warning","reason":"OOMKilled","count":9007199254740993,',
    )
    expect(JSON.parse(text)).toMatchObject({ isLimitReached: false })
    expect(search.requests[0]?.pipeline).toEqual({
      orderBy: [{ direction: 'desc', selector: { key: '_time' } }],
      limit: 1001,
    })
  })
})

test('clusters: the latest state of each, flat columns as objects', async () => {
  const search = new GivenRows([
    [
      row({ name: 'b', 'pods.Running': 5, 'pods.Failed': 0, 'cpu.Usage': 1.5, nodesCount: 3, other: 'x' }),
      row({ name: 'a', 'memory.Limit': { integer: '9007199254740993' }, env: null }),
    ],
  ])
  const app = appOf({ search, clusters: createClusterList(search) })
  const { text } = await post(app, '/api/k8s/v3/clusters/list', { Sources: [{ key: 'env' }] })
  expect(text).toBe(
    '{"clusters":[{"name":"a","memory":{"Limit":9007199254740993}},{"name":"b","nodesCount":3,"pods":{"Running":5,"Failed":0},"cpu":{"Usage":1.5}}],"totalCount":2}',
  )
  expect(answerFaults('/api/k8s/v3/clusters/list', 'POST', 200, 'application/json', JSON.parse(text))).toBeUndefined()
  expect(search.requests[0]).toMatchObject({
    domain: 'clusters',
    sources: [{ key: 'env' }],
    pipeline: { limitBy: { limit: 1, selectors: [{ key: 'name' }] } },
  })
})

describe('workloads', () => {
  const rows = [
    row({ workload: 'a', namespace: 'n', cluster: 'c', kind: 'Deployment', rps: 1 }),
    row({ workload: 'b', namespace: 'n', cluster: 'c', kind: 'Deployment', rps: 10 }),
    row({ workload: 'c', namespace: 'n', cluster: 'c', kind: 'Deployment' }),
    row({
      workload: 'd',
      namespace: 'n',
      cluster: 'c',
      kind: 'Deployment',
      rps: 2,
      uid: 'u-d',
      'identifiers.app': 'x',
    }),
  ]

  const list = async (
    body: unknown,
  ): Promise<{ names: readonly string[]; total: number; search: GivenRows; answer: unknown }> => {
    const search = new GivenRows([rows])
    const { body: answer } = await post(
      appOf({ search, workloads: createWorkloadList(search) }),
      '/api/k8s/v3/workloads/list',
      body,
    )
    const { workloads, total } = answer as { workloads: readonly { workload: string }[]; total: number }
    return { names: workloads.map(({ workload }) => workload), total, search, answer }
  }

  test('by requests per second, most first, missing last', async () => {
    expect(await list({})).toMatchObject({ names: ['b', 'd', 'a', 'c'], total: 4 })
    expect(await list({ Order: 'ASC' })).toMatchObject({ names: ['a', 'd', 'b', 'c'] })
    expect(await list({ sortBy: 'workload', order: 'desc' })).toMatchObject({ names: ['d', 'c', 'b', 'a'] })
  })

  test('pages; the total counts before paging', async () => {
    expect(await list({ Limit: 2, Skip: 1 })).toMatchObject({ names: ['d', 'a'], total: 4 })
    expect(await list({ Skip: 9 })).toMatchObject({ names: [], total: 4 })
  })

  test('ids and identifiers', async () => {
    const { answer } = await list({ Limit: 2 })
    expect(answerFaults('/api/k8s/v3/workloads/list', 'POST', 200, 'application/json', answer)).toBeUndefined()
    expect(answer).toMatchObject({
      workloads: [{ uid: 'c/n/b/Deployment' }, { uid: 'u-d', identifiers: { app: 'x' } }],
    })
  })

  test('a text filter stands in for the conditions, not for the sources', async () => {
    const { search } = await list({ Conditions: [{ key: 'a' }], Sources: [{ key: 'b' }], gcqlFilter: 'env:prod' })
    expect(search.requests[0]).toMatchObject({ domain: 'workloads', filters: 'env:prod', sources: [{ key: 'b' }] })
    const { search: plain } = await list({ Conditions: [{ key: 'a' }], Sources: [{ key: 'b' }], gcqlFilter: '' })
    expect(plain.requests[0]).toMatchObject({ filters: undefined, sources: [{ key: 'a' }, { key: 'b' }] })
  })
})
