import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { createMemoryDocumentStore, defaultPolicies, type DocumentStore } from '../../../src/resources/index.ts'
import { KeyRing, routes, type App, type Role } from '../../../src/server/index.ts'
import {
  JSON_HEADERS,
  KEY,
  SALT,
  SEARCH,
  key,
  post,
  searchBody,
  send,
  type Logged,
  type Sent,
} from '../harness/harness.ts'
import { NOW_NS, resourceApp } from '../harness/resource-app.ts'

/** Tests for each of the ten risks of the OWASP API Security Top 10 (2023). */

const MONITORS = '/api/monitors'
const SILENCES = `${MONITORS}/silences`
const POLICY = '/api/rbac/policy'
const UNKNOWN = '99999999-9999-4999-8999-999999999999'
const silence = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' }

let store: DocumentStore
let app: App
let logged: Logged[]

beforeEach(() => {
  store = createMemoryDocumentStore(() => NOW_NS)
  logged = []
  app = resourceApp(store, {}, logged)
})

afterEach(() => vi.unstubAllGlobals())

function call(
  target: App,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  return send(target, path, {
    method,
    headers: { ...JSON_HEADERS, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  })
}

function idOf({ body }: Sent): string {
  const record = body as Readonly<Record<string, string>>
  return present(record['monitorId'] ?? record['id'] ?? record['uuid'])
}

/** Returns the status and body of an answer without `trace_id`, which differs in every answer. */
function said({ status, body }: Sent): unknown {
  return { status, ...(body as object), trace_id: '' }
}

describe('API1 broken object level authorization', () => {
  test('on all nine paths with an id, one of another backend answers exactly as one that does not exist', async () => {
    const two = resourceApp(store, { backends: ['a', 'b'] })
    const [a, b] = [{ 'X-Backend-Id': 'a' }, { 'X-Backend-Id': 'b' }]
    const bodies = { monitor: { title: 'x' }, silence, policy: { name: 'x' } }
    const created = {
      monitor: idOf(await call(two, 'POST', MONITORS, bodies.monitor, a)),
      silence: idOf(await call(two, 'POST', SILENCES, bodies.silence, a)),
      policy: idOf(await call(two, 'POST', `${POLICY}/create`, bodies.policy, a)),
    }
    const paths = { monitor: MONITORS, silence: SILENCES, policy: POLICY }
    let count = 0
    for (const kind of ['monitor', 'silence', 'policy'] as const) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? bodies[kind] : undefined
        const foreign = await call(two, method, `${paths[kind]}/${created[kind]}`, body, b)
        const unknown = await call(two, method, `${paths[kind]}/${UNKNOWN}`, body, b)
        expect(foreign.status, `${method} ${kind}`).toBe(404)
        expect(said(foreign)).toEqual(said(unknown))
        count++
      }
      expect((await call(two, 'GET', `${paths[kind]}/${created[kind]}`, undefined, a)).status).toBe(200)
    }
    expect(count).toBe(9)
    const applied = { emails: ['bob@example.com'], policyUUIDs: [created.policy] }
    expect((await call(two, 'POST', `${POLICY}/apply`, applied, b)).status).toBe(404)
    // Names and titles must be unique only within a backend.
    expect((await call(two, 'POST', MONITORS, bodies.monitor, b)).status).toBe(200)
    expect((await call(two, 'POST', `${POLICY}/create`, bodies.policy, b)).status).toBe(201)
    const lists = await Promise.all([
      call(two, 'POST', `${MONITORS}/list`, {}, b),
      call(two, 'GET', SILENCES, undefined, b),
    ])
    expect((lists[0].body as { monitors: unknown[] }).monitors).toHaveLength(1)
    expect(lists[1].body).toEqual([])
  })

  test('policies of one backend do not free anyone on another: only its own policies or a key that names it let in', async () => {
    const two = resourceApp(store, { backends: ['a', 'b'] })
    const [a, b] = [{ 'X-Backend-Id': 'a' }, { 'X-Backend-Id': 'b' }]
    const hidden = { name: 'none', dataScope: { simple: { disabled: true } } }
    const id = idOf(await call(two, 'POST', `${POLICY}/create`, hidden, a))
    await call(two, 'POST', `${POLICY}/apply`, { emails: ['bob@example.com'], policyUUIDs: [id] }, a)
    const count = async (backend: object, who = 'bob', app = two): Promise<unknown> => {
      const search = { ...searchBody, query: '* | stats count() n' }
      const { status, body } = await call(app, 'POST', SEARCH, search, { Authorization: who, ...backend })
      return status === 200 ? body : status
    }
    expect([await count(a), await count(b)]).toEqual([[{ n: 0 }], 403])
    const named = key('bob of b', { email: 'bob@example.com', backends: new Set(['b']) })
    const naming = resourceApp(store, { backends: ['a', 'b'], keys: new KeyRing(SALT, [named]) })
    expect([await count(a, 'bob of b', naming), await count(b, 'bob of b', naming)]).toEqual([403, [{ n: 4 }]])
    const { id: viewer } = present(defaultPolicies.find(({ name }) => name === 'Viewer'))
    await call(two, 'POST', `${POLICY}/apply`, { emails: ['bob@example.com'], policyUUIDs: [viewer] }, b)
    expect([await count(a), await count(b)]).toEqual([[{ n: 0 }], [{ n: 4 }]])
  })

  test('administrators see all policies, others their own, without a name of anyone else', async () => {
    const own = idOf(await call(app, 'POST', `${POLICY}/create`, { name: 'own', role: { read: '' } }))
    const other = idOf(await call(app, 'POST', `${POLICY}/create`, { name: 'of someone else' }))
    await call(app, 'POST', `${POLICY}/apply`, { emails: ['bob@example.com'], policyUUIDs: [own] })
    const bob = { Authorization: 'bob' }
    const list = await call(app, 'GET', '/api/rbac/policies/list', undefined, bob)
    expect(list.body).toMatchObject([{ name: 'own', uuid: own }])
    const seen = await call(app, 'GET', `${POLICY}/${own}`, undefined, bob)
    expect([seen.body]).toEqual(list.body)
    for (const member of ['createdBy', 'updatedBy', 'entityCount']) expect(list.text).not.toContain(member)
    const hidden = await call(app, 'GET', `${POLICY}/${other}`, undefined, bob)
    expect(said(hidden)).toEqual(said(await call(app, 'GET', `${POLICY}/${UNKNOWN}`, undefined, bob)))
    expect((await call(app, 'GET', '/api/rbac/policies/list')).body).toHaveLength(5)
    expect((await call(app, 'GET', `${POLICY}/${other}`)).status).toBe(200)
  })

  test('a key of another backend is refused where there is only one', async () => {
    const keys = new KeyRing(SALT, [
      key('of b', { backends: new Set(['b']) }),
      key('of a', { backends: new Set(['a']) }),
    ])
    const one = resourceApp(store, { backends: ['a'], keys })
    const statusOf = async (who: string): Promise<number> =>
      (await call(one, 'GET', SILENCES, undefined, { Authorization: who })).status
    expect([await statusOf('of b'), await statusOf('of a')]).toEqual([403, 200])
  })
})

describe('API2 broken authentication', () => {
  test('every operation answers 401 without a key, with an unknown one, and with the key in the address', async () => {
    const available = routes.filter((route) => route.isAvailable(app.context))
    expect(available.length).toBeGreaterThanOrEqual(20)
    for (const { method, path } of available) {
      const address = path.replaceAll(/\{\w+\}/g, UNKNOWN)
      for (const [suffix, authorization] of [
        ['', ''],
        ['', 'Bearer nobody'],
        [`?api_key=${KEY}`, ''],
      ] as const) {
        const sent = await call(app, method, `${address}${suffix}`, method === 'POST' ? {} : undefined, {
          Authorization: authorization,
        })
        expect(sent.status, `${method} ${path}`).toBe(401)
      }
    }
  })

  test('no answer and no log line has the key', async () => {
    const texts = [
      await call(app, 'POST', MONITORS, { title: 'a' }),
      await call(app, 'POST', SILENCES, silence),
      await call(app, 'POST', `${POLICY}/create`, { name: 'p' }),
      await call(app, 'POST', MONITORS, { title: 5 }),
    ].map(({ text }) => text)
    const audit = store.read('default', (view) => view.list('audit'))
    expect(audit).toHaveLength(3)
    const all = JSON.stringify([texts, logged, audit], (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))
    expect(all).not.toContain(KEY)
  })
})

describe('API3 broken object property level authorization', () => {
  test('members that the server sets cannot be sent', async () => {
    const given = {
      name: 'mine',
      uuid: UNKNOWN,
      revisionNumber: 77,
      readOnly: true,
      createdBy: 'the boss',
      entityCount: 5,
      isSystemDefined: true,
    }
    const { body } = await call(app, 'POST', `${POLICY}/create`, given)
    expect(body).toMatchObject({ name: 'mine', revisionNumber: 1, readOnly: false })
    expect(JSON.stringify(body)).not.toContain('the boss')
    expect(idOf({ body } as Sent)).not.toBe(UNKNOWN)
    const made = await call(app, 'POST', SILENCES, { ...silence, id: UNKNOWN, active: false, createdBy: 'the boss' })
    expect(made.body).toMatchObject({ active: true })
    expect(made.text).not.toContain('the boss')
    expect(idOf(made)).not.toBe(UNKNOWN)
    const monitor = await call(app, 'POST', MONITORS, { title: 'x', uuid: UNKNOWN, monitorId: UNKNOWN })
    expect(idOf(monitor)).not.toBe(UNKNOWN)
  })
})

describe('API4 unrestricted resource consumption', () => {
  test('bodies are bounded before they are understood', async () => {
    const large = await call(app, 'POST', MONITORS, { title: 'x'.repeat(2 * 1024 * 1024) })
    expect(large.status).toBe(413)
    const deep = await send(app, MONITORS, { method: 'POST', headers: JSON_HEADERS, body: '['.repeat(100_000) })
    expect([deep.status, (deep.body as { code: string }).code]).toEqual([400, 'wire/too-deep'])
    const emails = Array.from({ length: 30_000 }, (_, i) => `u${i}@x`)
    expect((await call(app, 'POST', `${POLICY}/apply`, { emails, policyUUIDs: [] })).status).toBe(400)
  })

  test('lists are paged', async () => {
    for (let i = 0; i < 5; i++) await call(app, 'POST', MONITORS, { title: `m${i}` })
    const page = (await call(app, 'POST', `${MONITORS}/list`, { limit: 2 })).body as {
      monitors: unknown[]
      done: boolean
    }
    expect([page.monitors.length, page.done]).toEqual([2, false])
  })
})

describe('API5 broken function level authorization', () => {
  test('every operation refuses a key without its role, whatever its other roles', async () => {
    const every: readonly Role[] = ['read', 'write', 'admin']
    const keys = new KeyRing(
      SALT,
      every.map((role) => key(`no-${role}`, { roles: new Set(every.filter((each) => each !== role)) })),
    )
    const guarded = resourceApp(store, { keys })
    let refused = 0
    for (const { method, path, role } of routes.filter((route) => route.isAvailable(guarded.context))) {
      const body = method === 'POST' || method === 'PUT' ? {} : undefined
      const address = path.replaceAll(/\{\w+\}/g, UNKNOWN)
      const sent = await call(guarded, method, address, body, { Authorization: `no-${role}` })
      expect(sent.status, `${method} ${path}`).toBe(403)
      refused++
    }
    expect(refused).toBeGreaterThanOrEqual(20)
  })

  test('what changes monitors and silences needs write, what changes policies needs admin', () => {
    const roleOf = (name: string): string | undefined => routes.find((route) => route.name === name)?.role
    for (const name of [
      'createMonitor',
      'updateMonitor',
      'deleteMonitor',
      'createSilence',
      'updateSilence',
      'deleteSilence',
    ])
      expect(roleOf(name), name).toBe('write')
    for (const name of ['createPolicy', 'updatePolicy', 'deletePolicy', 'applyPolicies'])
      expect(roleOf(name), name).toBe('admin')
  })
})

describe('API6 unrestricted access to sensitive business flows', () => {
  test('a user cannot remove restrictions of a policy', async () => {
    const scope = { simple: { conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] } }
    const id = idOf(await call(app, 'POST', `${POLICY}/create`, { name: 'shop', role: { read: '' }, dataScope: scope }))
    await call(app, 'POST', `${POLICY}/apply`, { emails: ['bob@example.com'], policyUUIDs: [id] })
    const bob = { Authorization: 'bob' }
    const administrator = '5a1ce000-0000-4000-8000-000000000001'
    const attempts = await Promise.all([
      call(app, 'POST', `${POLICY}/apply`, { emails: ['bob@example.com'], policyUUIDs: [administrator] }, bob),
      call(app, 'PUT', `${POLICY}/${id}`, { name: 'shop', dataScope: {} }, bob),
      call(app, 'DELETE', `${POLICY}/${id}`, undefined, bob),
      call(app, 'POST', `${POLICY}/create`, { name: 'all' }, bob),
    ])
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    const { body } = await call(app, 'POST', SEARCH, { ...searchBody, query: '* | stats count() n' }, bob)
    expect(body).toEqual([{ n: 2 }])
  })
})

describe('API7 server side request forgery', () => {
  test('addresses in definitions are kept, never called', async () => {
    const called = vi.fn(() => Promise.reject(new Error('called')))
    vi.stubGlobal('fetch', called)
    const address = 'http://169.254.169.254/latest/meta-data'
    const query = { datasourceID: address, datasourceType: address, dataType: 'logs', expression: '*' }
    const id = idOf(await call(app, 'POST', MONITORS, { title: address, model: { queries: [query] } }))
    expect((await call(app, 'GET', `${MONITORS}/${id}`)).text).toContain(`datasourceID: ${address}`)
    await call(app, 'POST', `${MONITORS}/list`, { query: 'monitor_name:*169*' })
    expect(called).not.toHaveBeenCalled()
  })
})

describe('API8 security misconfiguration', () => {
  test('an error says nothing of the inside, and no answer is guessed to be something else', async () => {
    const broken = resourceApp(
      {
        ...store,
        read: () => {
          throw new Error('SELECT secret FROM /var/lib/sluice.db')
        },
        epoch: () => '',
      },
      {},
      logged,
    )
    const sent = await call(broken, 'GET', SILENCES)
    expect(sent.status).toBe(500)
    expect(sent.text).not.toMatch(/SELECT|secret|sluice\.db|\.ts:\d|at \w+ \(/)
    expect(sent.headers.get('x-content-type-options')).toBe('nosniff')
    expect(sent.headers.get('access-control-allow-origin')).toBeNull()
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('when access cannot be known nothing is answered', async () => {
    const failing = resourceApp(store, {
      access: {
        accessOf: () => {
          throw new Error('no disk')
        },
      },
    })
    const { status, text } = await post(failing, SEARCH, searchBody)
    expect([status, text.includes('secret')]).toEqual([500, false])
  })
})

describe('API9 improper inventory management', () => {
  test('all routes are documented, with the required role', async () => {
    const { paths } = (await send(app, '/openapi.json')).body as {
      paths: Record<string, Record<string, { 'x-role'?: string; security?: readonly unknown[] }>>
    }
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { 'x-role': role, security }]) => {
        // Operations need a key unless the document says otherwise.
        expect(security === undefined, path).toBe(role !== undefined)
        return `${method.toUpperCase()} ${path} ${role ?? 'no key'}`
      }),
    )
    const served = routes
      .filter((route) => route.isAvailable(app.context))
      .map(({ method, path, role }) => `${method} ${path} ${role}`)
    const system = [
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
    ].map((path) => `GET ${path} no key`)
    expect(documented.toSorted()).toEqual([...served, ...system].toSorted())
    expect(documented.length).toBeGreaterThanOrEqual(20)
  })
})

describe('API10 unsafe consumption of APIs', () => {
  test('what comes back from the store is judged anew: a scope that makes no sense there hides everything', async () => {
    const id = idOf(await call(app, 'POST', `${POLICY}/create`, { name: 'p' }))
    await call(app, 'POST', `${POLICY}/apply`, { emails: ['bob@example.com'], policyUUIDs: [id] })
    const actor = { backend: 'default', by: 'a later release', email: undefined }
    const seen = async (dataScope: unknown): Promise<unknown> => {
      await store.write(actor, (tx) => tx.put('policy', id, { dataScope: dataScope as never }, 'p'))
      const sent = await call(
        app,
        'POST',
        SEARCH,
        { ...searchBody, query: '* | stats count() n' },
        { Authorization: 'bob' },
      )
      return sent.body
    }
    expect(await seen({})).toEqual([{ n: 4 }])
    for (const scope of [
      'all',
      [],
      5,
      { simple: 5 },
      { except: {} },
      { simple: { conditions: [{ key: 'a', filters: [{ op: 'near' }] }] } },
    ])
      expect(await seen(scope), JSON.stringify(scope)).toEqual([{ n: 0 }])
  })
})
