import { Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { newTenant } from '../../../src/server/backends/tenant.ts'
import { serverContext } from '../../../src/server/runtime/assemble.ts'
import { createMemoryDocumentStore } from '../../../src/resources/index.ts'
import {
  KeyRing,
  createApp,
  createDeleter,
  defaultServerLimits,
  routes,
  type App,
  type Role,
  type ServerContext,
} from '../../../src/server/index.ts'
import { operationsOf, typeOf, type Operation } from '../app/bad-requests/operations.ts'
import { wholeAlerting } from '../app/bad-requests/whole-alerting.ts'
import { wholeApp } from '../app/bad-requests/whole-app.ts'
import { KEY, SALT, SEARCH, key, post, searchBody, send, type Sent } from '../harness/harness.ts'
import { answersByWorker, loopback } from '../harness/loopback.ts'
import { answersOf } from '../app/openapi/answers.ts'

/** The checks of the OWASP API Security Top 10 (2023), applied to every operation of the complete server. */

const whole = wholeApp([])
const operations = await operationsOf(whole)

afterEach(() => vi.restoreAllMocks())

function appOfBackends(overrides: Partial<ServerContext> = {}): App {
  const now = (): bigint => BigInt(Date.now()) * 1_000_000n
  const clock = { nowMs: () => performance.now(), nowNs: now }
  const tenants = new Map(['a', 'b'].map((id) => [id, newTenant(clock)]))
  const documents = createMemoryDocumentStore(now)
  const context = serverContext({
    tenants,
    keys: new KeyRing(SALT, [
      key(KEY),
      key('only-a', { backends: new Set(['a']) }),
      key('bob', { email: 'bob@example.com' }),
    ]),
    log: { info: () => {}, error: () => {} },
    isReady: () => true,
    openTo: 'everyone',
    batches: undefined,
    documents,
    alerting: wholeAlerting(documents),
    deleter: createDeleter({
      targets: tenants,
      engineOver: (target) => newTenant(clock, target).engine,
      persister: undefined,
      onChange: () => undefined,
    }),
  })
  const made = { ...context, ...overrides }
  return createApp({ ...made, workers: answersByWorker ? loopback(made) : undefined }, { version: '0' })
}

function call(
  app: App,
  { method, path, takes, json }: Operation,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> {
  const type = typeOf[takes]
  const body = takes === 'nothing' ? null : JSON.stringify(json?.good ?? {})
  return send(app, path, { method, headers: { ...(type === '' ? {} : { 'Content-Type': type }), ...headers }, body })
}

const bearer = (text: string): Readonly<Record<string, string>> => ({ Authorization: `Bearer ${text}` })
const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }
const LOG = '{"_time":"2026-01-01T12:00:00Z","namespace":"secret-space","content":"secret-word","secret-field":"x"}\n'
const METRIC = 'secret_metric{namespace="secret-space"} 1 1767268800000\n'

/** Requests whose responses could reveal stored data. */
const looks: readonly (readonly [string, unknown])[] = [
  [SEARCH, { ...range, query: '*' }],
  [SEARCH, { ...range, query: '* | field_names' }],
  ['/api/explain', { ...range, query: 'sercet-field:x', analyze: true }],
  ['/api/check', { query: 'sercet-field:x' }],
  ['/api/fields/names', { ...range, query: '*' }],
  ['/api/fields/values', { ...range, query: '*', field: 'namespace' }],
  ['/api/fields/facets', { ...range, query: '*' }],
  ['/api/hits', { ...range, query: '*', step: '6h', field: 'namespace' }],
  ['/api/metrics/query', { Promql: '{namespace=~".+"}', QueryType: 'instant', End: range.end }],
  ['/api/v1/series?match[]={namespace=~".%2B"}', undefined],
  ['/api/v1/labels', undefined],
  ['/api/v1/label/namespace/values', undefined],
  ['/api/v1/label/__name__/values', undefined],
  ['/api/v1/query?query={namespace=~".%2B"}&time=2026-01-01T12:01:00Z', undefined],
]

async function lookEverywhere(app: App, headers: Readonly<Record<string, string>>): Promise<string> {
  const texts = await Promise.all(
    looks.map(async ([path, body]) => {
      const sent = await (body === undefined ? send(app, path, { headers }) : post(app, path, body, headers))
      expect(sent.status, `${path} ${sent.text}`).toBe(200)
      return sent.text
    }),
  )
  return texts.join('\n')
}

async function store(app: App, headers: Readonly<Record<string, string>>): Promise<void> {
  const sendText = (path: string, type: string, body: string): Promise<Sent> =>
    send(app, path, { method: 'POST', headers: { ...headers, 'Content-Type': type }, body })
  expect((await sendText('/api/ingest/logs', 'application/x-ndjson', LOG)).status).toBe(200)
  expect((await sendText('/api/v1/import/prometheus', 'text/plain', METRIC)).status).toBe(200)
}

describe('API1 broken object level authorization', () => {
  test('no operation on one backend returns rows of another', async () => {
    const app = appOfBackends()
    const [a, b] = ['a', 'b'].map((id) => ({ ...bearer(KEY), 'X-Backend-Id': id }))
    await store(app, present(a))
    const own = await lookEverywhere(app, present(a))
    for (const text of ['secret-word', 'secret-space', 'secret-field', 'secret_metric']) expect(own).toContain(text)
    expect(await lookEverywhere(app, present(b))).not.toContain('secret')
  })

  test('a key of one backend is refused by every operation of another', async () => {
    const app = appOfBackends()
    for (const operation of operations) {
      const sent = await call(app, operation, { ...bearer('only-a'), 'X-Backend-Id': 'b' })
      expect(sent.status, operation.name).toBe(403)
      expect((await call(app, operation, bearer('only-a'))).status, operation.name).toBe(403)
    }
  })
})

describe('API2 broken authentication', () => {
  test('every operation answers 401 without a key, before it looks at anything else', async () => {
    for (const operation of operations) {
      for (const headers of [
        {},
        { Authorization: '' },
        bearer('nobody'),
        { Authorization: `Basic ${btoa(`${KEY}:x`)}` },
        { Cookie: `key=${KEY}` },
      ]) {
        const sent = await call(whole, operation, headers)
        expect(sent.status, operation.name).toBe(401)
        expect(sent.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })
})

describe('API3 broken object property level authorization', () => {
  test('rows and series outside of a scope are shown by no operation, neither themselves nor their names', async () => {
    const app = appOfBackends()
    const a = { ...bearer(KEY), 'X-Backend-Id': 'a' }
    await store(app, a)
    const scope = { simple: { conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] } }
    const made = await post(app, '/api/rbac/policy/create', { name: 'shop', role: { read: '' }, dataScope: scope }, a)
    const { uuid } = made.body as { uuid: string }
    expect(
      (await post(app, '/api/rbac/policy/apply', { emails: ['bob@example.com'], policyUUIDs: [uuid] }, a)).status,
    ).toBe(200)
    expect(await lookEverywhere(app, { ...bearer('bob'), 'X-Backend-Id': 'a' })).not.toContain('secret')
    expect(await lookEverywhere(app, a)).toContain('secret')
  })
})

describe('API4 unrestricted resource consumption', () => {
  test('a key with too many running queries gets 429, everybody else their answer', async () => {
    let goOn = (): void => {}
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    const { context } = wholeApp([])
    const app = createApp(
      {
        ...context,
        workers: undefined,
        limits: { ...defaultServerLimits, queriesPerKey: 1 },
        keys: new KeyRing(SALT, [key(KEY), key('other')]),
        search: {
          search: async (request) => {
            if (request.query === 'slow') await waiting
            return context.search!.search({ ...request, query: '*' })
          },
        },
      },
      { version: '0' },
    )
    const slow = post(app, SEARCH, { ...searchBody, query: 'slow' })
    await new Promise((resolve) => setImmediate(resolve))
    const refused = await post(app, SEARCH, searchBody)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await post(app, SEARCH, searchBody, bearer('other'))).status).toBe(200)
    goOn()
    expect((await slow).status).toBe(200)
    expect((await post(app, SEARCH, searchBody)).status).toBe(200)
  })

  test('expressions and ranges that would cost without end are refused', async () => {
    const points = await post(whole, '/api/metrics/query', {
      Promql: 'up',
      QueryType: 'range',
      Start: '2000-01-01',
      End: '2026-01-01',
      Step: '1',
    })
    expect(points.status).toBe(400)
    const long = await post(whole, SEARCH, { ...searchBody, query: 'a OR '.repeat(20_000) + 'a' })
    expect(long.status).toBe(400)
    const deep = await post(whole, SEARCH, { ...searchBody, query: '('.repeat(5000) })
    expect(deep.status).toBe(400)
  })
})

describe('API5 broken function level authorization', () => {
  test('every operation refuses a key that has every role but its own', async () => {
    const every: readonly Role[] = ['read', 'write', 'admin']
    const keys = new KeyRing(
      SALT,
      every.map((role) => key(`no-${role}`, { roles: new Set(every.filter((each) => each !== role)) })),
    )
    const { context } = wholeApp([])
    const guarded = createApp({ ...context, keys }, { version: '0' })
    const roleOf = new Map(routes.map(({ method, path, role }) => [`${method} ${path}`, role]))
    for (const operation of operations) {
      const sent = await call(guarded, operation, bearer(`no-${roleOf.get(operation.name)}`))
      expect(sent.status, operation.name).toBe(403)
    }
    const changing = routes.filter(
      ({ path, method }) => method !== 'GET' && /ingest|import|write|\/v1\/(logs|traces)$/.test(path),
    )
    expect(changing.map(({ role }) => role)).toEqual(changing.map(() => 'write'))
    expect(changing.length).toBeGreaterThanOrEqual(9)
  })
})

describe('API6 unrestricted access to sensitive business flows', () => {
  test('the last look at who did what is not for those who did it: no operation reads or changes the audit', () => {
    expect(operations.filter(({ name }) => /audit/i.test(name))).toEqual([])
    // Administrators can list keys; nobody can create or remove keys over HTTP.
    expect(operations.map(({ name }) => name).filter((name) => /keys/i.test(name))).toEqual(['GET /api/keys'])
  })
})

describe('API7 server side request forgery', () => {
  test('no operation connects to another host', async () => {
    const connected = vi.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
      throw new Error('someone was called')
    })
    const app = wholeApp([])
    const given = await answersOf(app, await operationsOf(app))
    expect(given.length).toBeGreaterThan(100)
    expect(given.every(({ status }) => status < 500)).toBe(true)
    expect(connected).not.toHaveBeenCalled()
  })
})

describe('API8 security misconfiguration', () => {
  test('no answer opens itself to other sites, says what it runs on, or is kept by someone in between', async () => {
    for (const operation of operations) {
      for (const headers of [bearer(KEY), {}]) {
        const sent = await call(
          whole,
          { ...operation, path: operation.path.replace(/[0-9a-f-]{36}/, '99999999-9999-4999-8999-999999999999') },
          { ...headers, Origin: 'https://evil.example' },
        )
        expect(sent.headers.get('x-content-type-options'), operation.name).toBe('nosniff')
        for (const name of [
          'access-control-allow-origin',
          'access-control-allow-credentials',
          'server',
          'x-powered-by',
          'set-cookie',
        ])
          expect(sent.headers.get(name), `${operation.name} ${name}`).toBeNull()
      }
    }
    const reply = await send(whole, SEARCH, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('API9 improper inventory management', () => {
  test('the started server has every route there is, and all are documented', () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
  })

  test.each([
    '/api/logs/v1/search',
    '/api/logs/search',
    '/api/k8s/v1/events/search',
    '/api/v2/query',
    '/v2/logs',
    '/v1/profiles',
    '/debug',
    '/debug/pprof',
    '/swagger',
    '/admin',
    '/.env',
    '/api/monitors/',
    '/API/monitors',
    '/api',
  ])('there is nothing at %s', async (path) => {
    for (const method of ['GET', 'POST'])
      expect((await send(whole, path, { method, headers: bearer(KEY) })).status).toBe(404)
  })
})

describe('API10 unsafe consumption of APIs', () => {
  test('hostile data comes back as data', async () => {
    const app = wholeApp([])
    const hostile = {
      _time: '2026-01-01T12:00:00Z',
      content: 'x\n\ndata: {"done":true}\n\n<script>alert(1)</script>\u001b[2J\u2028',
      constructor: 'c',
      toString: 't',
      "');--": '${7*7}',
      'a.__proto__.b': 'p',
    }
    const line = `${JSON.stringify(hostile).slice(0, -1)},"__proto__":{"polluted":"yes"}}\n`
    const stored = await send(app, '/api/ingest/logs', {
      method: 'POST',
      headers: { ...bearer(KEY), 'Content-Type': 'application/x-ndjson' },
      body: line,
    })
    expect(stored.status).toBe(200)
    const [found] = (await post(app, SEARCH, { ...range, query: '* | limit 1' })).body as readonly Record<
      string,
      unknown
    >[]
    expect(found?.['content']).toBe(hostile.content)
    expect(Object.hasOwn(present(found), 'constructor') && Object.hasOwn(present(found), 'toString')).toBe(true)
    expect([found?.["');--"], found?.['a.__proto__.b'], found?.['__proto__.polluted']]).toEqual(['${7*7}', 'p', 'yes'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const stream = await post(
      app,
      SEARCH,
      { ...range, query: '* | limit 1', enableStream: true },
      { Accept: 'text/event-stream' },
    )
    const messages = stream.text.split('\n\n').filter((text) => text !== '')
    expect(messages).toHaveLength(2)
    expect(messages.every((text) => text.startsWith('data: {') && !text.includes('\n'))).toBe(true)
  })
})
