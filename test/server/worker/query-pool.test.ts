// @module-tag slow
import { RE2JS } from 're2js'
import { Composer } from 'yaml'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readFileSync } from 'node:fs'
import {
  createServer,
  defaultServerLimits,
  newTarget,
  newTenant,
  routes,
  type SluiceServer,
} from '../../../src/server/index.ts'
import { AnswerMemory } from '../../../src/server/http/answer-memory.ts'
import { queryServices } from '../../../src/server/routes/definition/query-services.ts'
import { CallAnswerer } from '../../../src/server/worker/answer-call.ts'
import type { QueryWorkerRequest } from '../../../src/server/worker/messages.ts'
import { SEARCH, contextOf } from '../harness/harness.ts'

/** One server runs its queries in a worker thread, the other does not. Both read the same data. */
let servers: readonly SluiceServer[]
const target = newTarget()
const incident = readFileSync(new URL('../../../fixtures/logs/payments-pool-exhausted.ndjson', import.meta.url), 'utf8')
const NOW_NS = 1_773_141_600_000_000_000n

beforeAll(async () => {
  const options = {
    store: target.store,
    samples: target.samples,
    metricCatalog: target.metricCatalog,
    keys: ['secret', { key: 'bob', email: 'bob@example.com' }],
    clock: { nowMs: () => performance.now(), nowNs: () => NOW_NS },
  }
  servers = [await createServer(options), await createServer({ ...options, workers: 1 })]
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
})

afterEach(() => vi.restoreAllMocks())

interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

async function send(server: SluiceServer | undefined, path: string, init: RequestInit = {}): Promise<Sent> {
  const headers = { Authorization: 'secret', 'Content-Type': 'application/json', ...(init.headers as object) }
  const response = await (server as SluiceServer).fetch(new Request(`http://localhost${path}`, { ...init, headers }))
  const text = (await response.text()).replaceAll(/"trace_id":"\w+"/g, '"trace_id":""')
  const { 'x-request-id': _, ...rest } = Object.fromEntries(response.headers)
  return { status: response.status, headers: rest, text }
}

test('a server is ready once a thread can answer, and then it can', async () => {
  const server = await createServer({ store: target.store, keys: ['secret'], workers: 1 })
  try {
    const states = new Set<number>()
    const isReady = async (): Promise<boolean> => {
      const { status } = await send(server, '/readyz')
      states.add(status)
      return status === 200
    }
    await expect.poll(isReady, { interval: 1 }).toBe(true)
    expect([...states]).toEqual([503, 200])
    const metrics = await send(server, '/metrics')
    expect(metrics.text).toMatch(/^sluice_query_workers [12]$/m)
  } finally {
    await server.close()
  }
})

/** Sends a request to both servers, expects the same answer and returns it. */
async function same(path: string, init?: RequestInit): Promise<Sent> {
  const [plain, worker] = await Promise.all(servers.map((server) => send(server, path, init)))
  expect(worker).toEqual(plain)
  return plain as Sent
}

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
})
const range = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' }

/** Sends data to the first server; both read the same store. */
async function ingest(path: string, body: string, type = 'application/json'): Promise<void> {
  expect((await send(servers[0], path, post(body, { 'Content-Type': type }))).status).toBe(200)
}

test('acknowledged rows are visible to the next query', async () => {
  expect((await same(SEARCH, post({ ...range, query: '*' }))).text).toBe('[]')
  await ingest('/api/ingest/logs', incident)
  for (let i = 0; i < 5; i++) {
    const { text } = await same(SEARCH, post({ ...range, query: '* | stats count() n' }))
    expect(JSON.parse(text)).toEqual([{ n: incident.trim().split('\n').length + i }])
    await ingest(
      '/api/ingest/logs',
      JSON.stringify({ _time: '2026-03-10T11:20:00Z', content: `late ${i}`, [`new${i}`]: i }),
    )
  }
})

test.each([
  ['rows, cut', { ...range, query: '* | sort by (_time)' }],
  [
    'groups',
    { ...range, query: 'level:error | stats by (workload) count() n, quantile(0.5, duration_ms) p | sort by (n desc)' },
  ],
  ['a subquery', { ...range, query: 'workload:in(level:error | fields workload) | stats count() n' }],
  ['a pipeline', { ...range, pipeline: { filter: { operator: 'and', conditions: [] } } }],
  ['a syntax error', { ...range, query: 'level:error |' }],
  ['a body of another shape', { ...range, query: 7 }],
  ['no JSON', '{"start": '],
  ['too long a text', { ...range, query: 'a '.repeat(40_000) }],
  [
    'relative times',
    { query: '_time:7d | stats count() n', start: '2026-01-01T00:00:00Z', end: '2026-04-01T00:00:00Z' },
  ],
])('searches answer alike: %s', async (_, body) => {
  await same(SEARCH, post(body))
  await same(`${SEARCH}?dialect=logsql`, post(body))
})

test.each([
  [
    'is stored',
    {
      title: 'good',
      model: { queries: [{ name: 'q', dataType: 'logs', expression: 'level:error | stats count() n' }] },
    },
    200,
  ],
  [
    'does not compile',
    { title: 'bad', model: { queries: [{ name: 'q', dataType: 'logs', expression: 'level:error | srot' }] } },
    422,
  ],
  [
    'has inputs that are not there',
    {
      title: 'bad',
      model: {
        queries: [{ name: 'a', dataType: 'logs', expression: '*' }],
        thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [1] }],
      },
    },
    422,
  ],
  ['is of another shape', { title: 7 }, 400],
])('a monitor that %s is checked alike', async (_, body, status) => {
  const [plain, worker] = await Promise.all(servers.map((server) => send(server, '/api/monitors', post(body))))
  expect(worker?.status).toBe(status)
  expect(worker?.text.replace(/"monitorId":"[^"]+"/, '')).toBe(plain?.text.replace(/"monitorId":"[^"]+"/, ''))
})

test.each([
  ['application/x-yaml', 200],
  ['application/json', 400],
])('a monitor in YAML that is called %s is read alike', async (type, status) => {
  const body = (i: number): RequestInit => ({ ...post(`title: yaml ${i}\n`, { 'Content-Type': type }) })
  const answers = await Promise.all(servers.map((server, i) => send(server, '/api/monitors', body(i))))
  expect(answers.map((answer) => answer.status)).toEqual([status, status])
})

test('a monitor in YAML is read once, and not by the thread of all requests', async () => {
  const text = 'title: read once\nlabels: {a: true, b: 1.50}\nx-more: [1, 9007199254740993]\n'
  const stored = async (server: SluiceServer): Promise<string> => {
    const created = await send(server, '/api/monitors', post(text, { 'Content-Type': 'application/x-yaml' }))
    const { monitorId } = JSON.parse(created.text) as { monitorId: string }
    return (await send(server, `/api/monitors/${monitorId}`, { headers: { Authorization: 'secret' } })).text
  }
  const parse = vi.spyOn(Composer.prototype, 'compose')
  const there = await stored(servers[1] as SluiceServer)
  expect(parse).toHaveBeenCalledTimes(0)
  expect(there).toBe(await stored(servers[0] as SluiceServer))
  expect(parse).toHaveBeenCalledTimes(1)
  expect(there).toMatch(/b: "1.50"[^]*9007199254740993/)
})

test.each([
  ['a text', { query: 'title:good' }, 200],
  ['a long text', { query: `title:in(${'x,'.repeat(3000)}good)` }, 200],
  [
    'conditions',
    {
      conditions: [{ key: 'monitor_name', origin: 'root', type: 'string', filters: [{ op: 'match', value: 'good' }] }],
    },
    200,
  ],
  ['a text that is too long', { query: `title:in(${'x,'.repeat(40_000)}good)` }, 400],
  ['a text with a fault', { query: 'title:(good' }, 400],
  ['a text with a pipe', { query: 'title:good | limit 1' }, 400],
])('monitors are picked alike by %s', async (_, body, status) => {
  await Promise.all(servers.map((server) => send(server, '/api/monitors', post({ title: 'good' }))))
  const answers = await Promise.all(servers.map((server) => send(server, '/api/monitors/list', post(body))))
  const [plain, worker] = answers.map(({ text }) => text.replaceAll(/"(uuid|trace_id)":"[^"]+"/g, ''))
  expect(answers.map((answer) => answer.status)).toEqual([status, status])
  expect(worker).toBe(plain)
  if (status === 200) expect(worker).toContain('"title":"good"')
})

test('the filters of lists and the patterns of silences are read by a worker', async () => {
  const compile = vi.spyOn(RE2JS, 'compile')
  const span = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2036-01-01T00:00:00Z' }
  const matchers = [{ name: 'a', value: '(b|c)+', isRegex: true }]
  const work = (server: SluiceServer | undefined) => [
    send(server, '/api/monitors/silences', post({ ...span, matchers })),
    send(server, '/api/monitors/silences', post({ ...span, matchers: [{ ...matchers[0], value: '(b' }] })),
    send(server, '/api/monitors/list', post({ query: 'title:~"^(b|c|g)*ood"' })),
  ]
  const there = await Promise.all(work(servers[1]))
  expect(compile).toHaveBeenCalledTimes(0)
  const here = await Promise.all(work(servers[0]))
  expect(compile.mock.calls.length).toBeGreaterThan(2)
  expect(there.map(({ status }) => status)).toEqual([200, 400, 200])
  const plain = (answers: typeof there) =>
    answers.map(({ text }) => text.replaceAll(/"(id|uuid|trace_id|createdBy)":"[^"]+"/g, ''))
  expect(plain(there)).toEqual(plain(here))
})

test.each(['text/event-stream', 'application/x-ndjson', 'application/json'])(
  'streams answer alike: %s',
  async (accept) => {
    const { text } = await same(SEARCH, post({ ...range, query: '*', enableStream: true }, { Accept: accept }))
    expect(text.length).toBeGreaterThan(1000)
    await same(SEARCH, post({ ...range, query: '* | math 1 +', enableStream: true }, { Accept: accept }))
  },
)

test('lists, fields and metrics answer alike', async () => {
  await ingest(
    '/api/ingest/workloads',
    JSON.stringify({ _time: '2026-03-10T11:00:00Z', uid: '1', workload: 'cart', namespace: 'shop' }),
  )
  await ingest(
    '/api/v1/import/prometheus',
    '# HELP up Whether it is.\nup{a="b"} 1 1773141500000\nup{a="c"} 2 1773141500000\n',
    'text/plain',
  )
  await same('/api/k8s/v3/workloads/list', post({ start: range.start, end: range.end }))
  await same('/api/k8s/v3/clusters/list', post({}))
  await same('/api/fields/names', post(range))
  await same('/api/fields/values', post({ ...range, field: 'level' }))
  await same('/api/hits', post({ ...range, field: 'level' }))
  expect((await same('/api/v1/query?query=sum(up)&time=1773141501')).text).toContain('"3"')
  await same('/api/v1/query?query=sum(')
  await same('/api/v1/query?query=up', {
    method: 'POST',
    body: 'query=up',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  await same('/api/v1/series?match[]=up&start=1773141000&end=1773142000')
  await same('/api/v1/labels')
  await same('/api/v1/label/a/values')
  expect((await same('/api/v1/metadata')).text).toContain('Whether it is.')
  await same('/api/v1/format_query?query=sum(up)by(a)')
  await ingest('/api/v1/import/prometheus', 'up{a="b"} 7 1773141501000\n', 'text/plain')
  expect((await same('/api/v1/query?query=sum(up)&time=1773141502')).text).toContain('"9"')
})

test('a worker sees no more than the policies let through', async () => {
  const policy = {
    name: 'errors only',
    role: { read: '' },
    dataScope: {
      simple: {
        operator: 'and',
        conditions: [{ key: 'level', origin: 'root', type: 'string', filters: [{ op: 'match', value: 'error' }] }],
      },
    },
  }
  const question = post({ ...range, query: '* | stats by (level) count() n' }, { Authorization: 'bob' })
  const before = await same(SEARCH, question)
  expect(JSON.parse(before.text).length).toBeGreaterThan(1)
  for (const server of servers) {
    const made = await send(server, '/api/rbac/policy/create', post(policy))
    expect(made.status, made.text).toBe(201)
    const uuid = (JSON.parse(made.text) as { uuid: string }).uuid
    const applied = await send(
      server,
      '/api/rbac/policy/apply',
      post({ emails: ['bob@example.com'], policyUUIDs: [uuid] }),
    )
    expect(applied.status, applied.text).toBe(200)
  }
  expect(JSON.parse((await same(SEARCH, question)).text)).toMatchObject([{ level: 'error' }])
})

test('a request that does not say what its caller may see is refused', async () => {
  const tenant = newTenant(undefined, target)
  const limits = defaultServerLimits
  const tenants = new Map([['default', tenant]])
  const context = contextOf({ ...queryServices(tenants, limits) })
  const answerer = new CallAnswerer(routes, context, () => tenant.engine, new AnswerMemory(limits.answersBytes))
  const request = {
    route: 'searchLogs',
    path: new Map(),
    search: '',
    accept: null,
    contentType: null,
    body: new TextEncoder().encode(JSON.stringify({ ...range, query: '* | limit 1' })),
    backend: 'default',
    keyId: 'key',
    traceId: 'abc',
    nowNs: NOW_NS,
  }
  const status = async (more: object): Promise<number> =>
    (await answerer.answer({ ...request, ...more } as unknown as QueryWorkerRequest, new AbortController().signal)).head
      .status
  expect(await status({ scope: 'everything' })).toBe(200)
  for (const more of [{}, { scope: undefined }, { scope: null }, { scope: 'all' }, { scope: {} }, { scope: [{}] }])
    expect(await status(more)).toBe(500)
  // A worker serves only its own routes.
  expect(await status({ scope: 'everything', route: 'listPolicies' })).toBe(500)
})
