import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../src/alerting/service/index.ts'
import { createServer, type AlertingSettings, type SluiceServer } from '../../../src/server/index.ts'
import { Webhook } from '../../harness/webhook.ts'

const ADMIN = 'key-of-the-administrator-of-this-server'
const SCOPED = 'key-of-somebody-who-sees-the-shop-only'
const START_MS = Date.parse('2026-03-10T12:00:00Z')

const RULES = `
groups:
  - name: load
    rules:
      - record: job:load:sum
        expr: sum by (job) (load)
      - record: job:load:double
        expr: job:load:sum * 2
      - alert: HighLoad
        expr: job:load:double > 10
        for: 1m
        labels: { severity: page }
  - name: logs
    type: vlogs
    interval: 1m
    rules:
      - alert: Errors
        expr: 'level:error | stats by (workload) count() as n'
        annotations: { summary: '{{ $labels.workload }} has {{ $value }} errors' }
`

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Running {
  readonly server: SluiceServer
  readonly hook: Webhook
  readonly faults: unknown[]
  /** Sets the clock to this many minutes after the start and evaluates. */
  readonly moveTo: (minutes: number) => Promise<void>
  readonly call: (method: string, path: string, body?: string, key?: string) => Promise<unknown>
  /** Returns the values of a query's series by label set. */
  readonly query: (text: string, minutes: number) => Promise<Readonly<Record<string, string>>>
}

interface Choices extends AlertingSettings {
  readonly workers?: number
  readonly data?: string
  readonly series?: number
  /** Id of the only backend. Default: `default`. */
  readonly backend?: string
}

async function run({ workers = 0, data, series, backend = 'default', ...alerting }: Choices): Promise<Running> {
  const hook = new Webhook()
  const url = await hook.open()
  ends.push(() => hook.close())
  const clock = new TestClock()
  const faults: unknown[] = []
  const server = await createServer({
    keys: [{ key: ADMIN }, { key: SCOPED, email: 'shop@example.com' }],
    workers,
    backends: { [backend]: {} },
    ...(data === undefined ? {} : { data }),
    ...(series === undefined ? {} : { limits: { series } }),
    clock: { nowMs: () => performance.now(), nowNs: () => BigInt(clock.nowMs()) * 1_000_000n },
    logger: { info: () => {}, error: (fields) => void faults.push(fields) },
    alerting: {
      testClock: clock,
      notify: `
route: { receiver: team, group_by: [alertname], group_wait: 0s, group_interval: 1s }
receivers: [{ name: team, webhook_configs: [{ url: '${url}' }] }]
allow_addresses: [127.0.0.1]
`,
      ...alerting,
    },
  })
  ends.push(() => server.close())
  await server.loaded
  const call: Running['call'] = async (method, path, body, key = ADMIN) => {
    const type = body?.startsWith('{') === true ? 'application/json' : 'text/plain'
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type }
    const init = { method, headers, ...(body === undefined ? {} : { body }) }
    const response = await server.fetch(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    expect(response.status, `${path} ${text}`).toBeLessThan(300)
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return isJson ? JSON.parse(text) : text
  }
  const timeOf = (minutes: number): number => START_MS + minutes * 60_000
  return {
    server,
    hook,
    faults,
    call,
    moveTo: async (minutes) => {
      await call('POST', '/test/clock', JSON.stringify({ now: new Date(timeOf(minutes)).toISOString() }))
    },
    query: async (text, minutes) => {
      const parameters = new URLSearchParams({ query: text, time: String(timeOf(minutes) / 1000) })
      const { data: answer } = (await call('GET', `/api/v1/query?${parameters.toString()}`)) as {
        data: { result: readonly { metric: Readonly<Record<string, string>>; value: readonly [number, string] }[] }
      }
      return Object.fromEntries(answer.result.map(({ metric, value }) => [JSON.stringify(metric), value[1]]))
    },
  }
}

const ROW = { time: new Date(START_MS - 30_000).toISOString(), level: 'error', workload: 'cart', content: 'no' }

const FILES = [{ name: 'load.yaml', text: RULES }]

async function sendLoad({ call }: Running, minutes: number, values: Readonly<Record<string, number>>): Promise<void> {
  const timeMs = START_MS + minutes * 60_000
  const lines = Object.entries(values).map(([job, value]) => `load{job="${job}"} ${value} ${timeMs}\n`)
  await call('POST', '/api/v1/import/prometheus', lines.join(''))
}

describe.each([0, 1])('with %i workers', (workers) => {
  test('rules see the series of earlier rules, record them, and alert receivers', async () => {
    const running = await run({ workers, rules: FILES, externalLabels: { region: 'eu' } })
    const { moveTo, query, hook, call, faults } = running
    await sendLoad(running, 0, { api: 7, web: 1 })
    await moveTo(0)
    expect(await query('{__name__=~"job:.*"}', 0)).toEqual({
      '{"__name__":"job:load:sum","job":"api"}': '7',
      '{"__name__":"job:load:sum","job":"web"}': '1',
      '{"__name__":"job:load:double","job":"api"}': '14',
      '{"__name__":"job:load:double","job":"web"}': '2',
    })
    expect(hook.received.length).toBe(0)
    await moveTo(1)
    expect(hook.received.map(({ status, alerts }) => [status, alerts.map(({ labels }) => labels)])).toEqual([
      ['firing', [{ alertname: 'HighLoad', job: 'api', region: 'eu', severity: 'page' }]],
    ])
    expect(await query('ALERTS', 1)).toEqual({
      '{"__name__":"ALERTS","alertname":"HighLoad","alertstate":"firing","job":"api","severity":"page"}': '1',
    })
    // The stale marker of the resolved alert ends its series immediately.
    await sendLoad(running, 2, { api: 1, web: 1 })
    await moveTo(2)
    expect(await query('ALERTS', 2)).toEqual({})
    await moveTo(2.1)
    expect(hook.received.map(({ status }) => status)).toEqual(['firing', 'resolved'])
    expect(await call('GET', '/api/v1/rules?type=record')).toMatchObject({
      data: { groups: [{ name: 'load', file: 'load.yaml', rules: [{ health: 'ok' }, { health: 'ok' }] }] },
    })
    expect(faults).toEqual([])
  })

  test('log queries alert, and their rows are values of templates', async () => {
    const { moveTo, call, hook } = await run({ workers, rules: FILES })
    await call('POST', '/api/ingest/logs', `${JSON.stringify(ROW)}\n${JSON.stringify(ROW)}`)
    await moveTo(0)
    expect(hook.received.flatMap(({ alerts }) => alerts.map(({ labels }) => labels))).toEqual([
      { alertname: 'Errors', workload: 'cart', stats_result: 'n' },
    ])
    expect(await call('GET', '/api/v1/alerts')).toMatchObject({
      data: { alerts: [{ annotations: { summary: 'cart has 2 errors' }, state: 'firing', value: '2e+00' }] },
    })
  })
})

test('`/metrics` has the figures of evaluations and notifications', async () => {
  const running = await run({ rules: FILES })
  await sendLoad(running, 0, { api: 7 })
  await running.moveTo(0)
  await running.moveTo(1)
  const text = String(await running.call('GET', '/metrics'))
  const found = Array.from(text.matchAll(/^(sluice_alerting_\S+) (\S+)$/gm), ([, name, value]) => [name, value])
  expect(Object.fromEntries(found)).toEqual({
    'sluice_alerting_evaluations_total{kind="monitors"}': '0',
    'sluice_alerting_evaluations_total{kind="rules"}': '8',
    'sluice_alerting_evaluation_failures_total{kind="monitors"}': '0',
    'sluice_alerting_evaluation_failures_total{kind="rules"}': '0',
    'sluice_alerting_lateness_seconds{kind="monitors"}': '0',
    'sluice_alerting_lateness_seconds{kind="rules"}': '0',
    'sluice_alerting_waiting{kind="monitors"}': '0',
    'sluice_alerting_waiting{kind="rules"}': '0',
    sluice_alerting_notifications_delivered_total: '1',
    sluice_alerting_notifications_failed_total: '0',
  })
})

test('recorded samples and alerts survive a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sluice-rules-'))
  ends.push(() => rmSync(data, { recursive: true, force: true }))
  const first = await run({ data, rules: FILES })
  await sendLoad(first, 0, { api: 7 })
  await first.moveTo(0)
  await first.server.close()
  const second = await run({ data, rules: FILES })
  expect(await second.query('job:load:double', 0)).toEqual({ '{"__name__":"job:load:double","job":"api"}': '14' })
})

test('files are read again; a faulty version is logged once and keeps the earlier rules', async () => {
  let text = 'groups: [{ name: a, rules: [{ record: "a:b", expr: "1" }] }]'
  const { moveTo, query, faults, call } = await run({ rules: () => [{ name: 'a.yaml', text }] })
  await moveTo(0)
  expect(Object.values(await query('a:b', 0))).toEqual(['1'])
  text = 'groups: [{ name: a, rules: [{ record: "a:b", expr: "1 +" }] }]'
  await moveTo(1)
  expect(faults).toMatchObject([{ fault: expect.stringMatching(/^a\.yaml:1:\d+: The expression cannot be read: /) }])
  text = 'groups: [{ name: a, rules: [{ record: "a:b", expr: "2" }] }]'
  await moveTo(2)
  expect(Object.values(await query('a:b', 2))).toEqual(['2'])
  expect(await call('GET', '/api/v1/rules')).toMatchObject({ data: { groups: [{ rules: [{ query: '2' }] }] } })
})

test('rules and monitors of the only backend are evaluated, whatever its id', async () => {
  const running = await run({ rules: FILES, backend: 'prod' })
  const query = { name: 'q', dataType: 'logs', expression: 'level:error | stats count() as n' }
  const threshold = { name: 't', inputName: 'q', operator: 'gt', values: [0] }
  const model = { queries: [query], thresholds: [threshold] }
  const monitor = { title: 'M', severity: 'S2', evaluationInterval: { interval: '1m' }, model }
  await running.call('POST', '/api/monitors', JSON.stringify(monitor))
  await running.call('POST', '/api/ingest/logs', JSON.stringify(ROW))
  await running.moveTo(0)
  const names = running.hook.received.flatMap(({ alerts }) => alerts.map(({ labels }) => labels['alertname']))
  expect(new Set(names)).toEqual(new Set(['Errors', 'M']))
})

test('a caller with a data scope sees the rules without their alerts', async () => {
  const { moveTo, call } = await run({ rules: FILES })
  const conditions = [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }]
  const dataScope = { advanced: { logs: { operator: 'and', conditions } } }
  const policy = { name: 'shop only', role: { read: '' }, dataScope }
  const { uuid } = (await call('POST', '/api/rbac/policy/create', JSON.stringify(policy))) as { uuid: string }
  const users = { emails: ['shop@example.com'], policyUUIDs: [uuid] }
  await call('POST', '/api/rbac/policy/apply', JSON.stringify(users))
  await call('POST', '/api/ingest/logs', JSON.stringify(ROW))
  await moveTo(0)
  expect(await call('GET', '/api/v1/alerts', undefined, SCOPED)).toMatchObject({ data: { alerts: [] } })
  expect(await call('GET', '/api/v1/rules?rule_group[]=logs', undefined, SCOPED)).toMatchObject({
    data: { groups: [{ name: 'logs', rules: [{ name: 'Errors', alerts: [] }] }] },
  })
  expect(await call('GET', '/api/v1/alerts')).toMatchObject({ data: { alerts: [{ state: 'firing' }] } })
})

test('a rule whose samples cannot be stored says why', async () => {
  const running = await run({ rules: FILES, series: 3 })
  await sendLoad(running, 0, { api: 7, web: 1 })
  await running.moveTo(0)
  expect(await running.call('GET', '/api/v1/rules?rule_name[]=job:load:sum')).toMatchObject({
    data: { groups: [{ rules: [{ health: 'err', lastError: expect.stringContaining('a new series beyond the 3') }] }] },
  })
})

test('a faulty file and a server that stores nothing refuse to start', async () => {
  const options = { keys: [ADMIN], alerting: { rules: [{ name: 'a.yaml', text: 'groups: 1' }] } }
  await expect(createServer(options)).rejects.toMatchObject({ name: 'SourceError', source: 'a.yaml' })
  await expect(createServer({ ...options, tables: { logs: [{ n: 1 }] } })).rejects.toThrow(
    'what is served is only read',
  )
})
