import { afterAll, beforeAll, expect, test } from 'vitest'
import { SluiceError, nowhere } from '../../../src/base/index.ts'
import { foreignDiagnostic, openEngine, type ForeignEngine } from '../../../src/backends/sql/index.ts'
import { openCatalog, type OpenCatalog } from '../../../src/catalog/index.ts'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { REQUESTS_CATALOG, sqliteFolder, type Folder } from '../../catalog/fixture.ts'
import { SEARCH } from '../harness/harness.ts'

const POLICY = '/api/rbac/policy'
const range = { start: '2026-01-02T00:00:00Z', end: '2026-01-03T00:00:00Z' }

let folder: Folder
let catalog: OpenCatalog
let server: SluiceServer
let isAway = false
const sent: string[] = []
let running = 0

/** Wraps a database so that the test can make it unreachable and see the statements sent to it. */
function watched(
  engine: ForeignEngine & { readonly driver: { run: (...args: never[]) => AsyncIterable<unknown> } },
): ForeignEngine {
  const away = (): void => {
    if (isAway)
      throw new SluiceError([foreignDiagnostic('connect', { engine: 'SQLite', reason: 'nothing listens' }, nowhere)])
  }
  const driver = {
    ...engine.driver,
    run: async function* (...args: never[]) {
      away()
      sent.push((args[0] as unknown as { readonly sql: string }).sql)
      running++
      try {
        yield* engine.driver.run(...args)
      } finally {
        running--
      }
    },
  }
  const run: ForeignEngine['run'] = (statement, options) => {
    away()
    return engine.run(statement, options)
  }
  return Object.assign({}, engine, { driver, run })
}

beforeAll(async () => {
  folder = await sqliteFolder()
  catalog = await openCatalog(REQUESTS_CATALOG, {
    folder: folder.path,
    open: async (address) => watched((await openEngine(address)) as never),
  })
  const engine = catalog.engine()
  const samples = catalog.samples(engine)
  server = await createServer({
    engine,
    ...(samples === undefined ? {} : { samples }),
    readiness: () => catalog.ping(),
    keys: ['secret', { key: 'bob', email: 'bob@example.com' }],
  })
})

afterAll(async () => {
  await server.close()
  await catalog.close()
  folder.remove()
})

async function ask(path: string, body?: unknown, key = 'secret', signal?: AbortSignal) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await server.fetch(
    new Request(`http://localhost${path}`, { ...init, ...(signal ? { signal } : {}) }),
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text === '' ? '' : JSON.parse(text)) as unknown }
}

test('searches, texts and pipelines are answered by the database', async () => {
  const found = await ask(SEARCH, {
    ...range,
    query: 'level:error timed | stats by (workload) count() n | sort by (workload)',
  })
  expect(found).toMatchObject({
    status: 200,
    body: [
      { workload: 'api', n: 2 },
      { workload: 'web', n: 2 },
    ],
  })
  expect(sent.join('\n')).toContain('GROUP BY')
  const piped = await ask(SEARCH, { ...range, query: 'level:error', pipeline: { limit: 3 } })
  expect([piped.status, (piped.body as unknown[]).length]).toEqual([200, 3])
})

test('fields, values, facets and hits too', async () => {
  const names = await ask('/api/fields/names', { ...range, domain: 'logs' })
  expect(JSON.stringify(names.body)).toContain('http.method')
  const values = await ask('/api/fields/values', { ...range, domain: 'logs', field: 'user' })
  expect(values).toMatchObject({ status: 200 })
  expect(JSON.stringify(values.body)).toContain('u3')
  expect((await ask('/api/fields/facets', { ...range, domain: 'logs' })).status).toBe(200)
  const hits = await ask('/api/hits', { ...range, domain: 'logs', query: 'timed' })
  expect(hits.status).toBe(200)
  expect(JSON.stringify(hits.body)).toContain('20')
})

test('metric queries read its samples', async () => {
  const { body } = await ask(
    `/api/v1/query?query=${encodeURIComponent('count by (__name__) ({__name__!=""})')}&time=2026-01-02T03:00:59Z`,
  )
  expect(body).toMatchObject({ status: 'success' })
  expect(JSON.stringify(body)).toContain('ERROR')
})

test('the SQL statement excludes rows that a policy hides', async () => {
  const dataScope = { simple: { conditions: [{ key: 'workload', filters: [{ op: 'match', value: 'api' }] }] } }
  const made = await ask(`${POLICY}/create`, { name: 'api', role: { read: '' }, dataScope })
  expect([made.status, made.body]).toEqual([201, expect.anything()])
  const { uuid } = made.body as { readonly uuid: string }
  await ask(`${POLICY}/apply`, { emails: ['bob@example.com'], policyUUIDs: [uuid] })
  const query = '* | stats by (workload) count() n'
  expect(await ask(SEARCH, { ...range, query })).toMatchObject({
    body: expect.arrayContaining([{ workload: 'web', n: 30 }]) as unknown,
  })
  const before = sent.length
  expect(await ask(SEARCH, { ...range, query }, 'bob')).toMatchObject({ body: [{ workload: 'api', n: 30 }] })
  for (const sql of sent.slice(before)) expect(sql).toMatch(/WHERE .*t0\.service/s)
  expect(sent.length).toBeGreaterThan(before)
  const values = await ask('/api/fields/values', { ...range, domain: 'logs', field: 'workload' }, 'bob')
  expect(JSON.stringify(values.body)).not.toContain('web')
})

test('a database that is away is 503 with words, and the server says that it is not ready', async () => {
  expect((await ask('/readyz')).status).toBe(200)
  isAway = true
  try {
    const found = await ask(SEARCH, { ...range, query: '*' })
    expect(found).toMatchObject({ status: 503, body: { code: 'foreign/connect', type: 'unavailable' } })
    expect(found.headers.get('Retry-After')).toBe('5')
    // The last known state of the database is reused for a second.
    await expect.poll(async () => (await ask('/readyz')).status, { interval: 200 }).toBe(503)
    expect((await ask('/readyz')).body).toMatchObject({ code: 'catalog/is-away' })
    expect((await ask('/healthz')).status).toBe(200)
  } finally {
    isAway = false
  }
  await expect.poll(async () => (await ask('/readyz')).status, { interval: 200 }).toBe(200)
  expect((await ask(SEARCH, { ...range, query: '* | stats count() n' })).body).toEqual([{ n: 60 }])
})

test('the statement of a client that has gone is ended', async () => {
  const gone = new AbortController()
  const query =
    '* | join by (level) (* | fields level, message) | join by (level) (* | fields level, id) | stats count_uniq(message) n'
  const answer = ask(SEARCH, { ...range, query }, 'secret', gone.signal)
  await expect.poll(() => running).toBe(1)
  gone.abort()
  await answer.catch(() => undefined)
  await expect.poll(() => running).toBe(0)
})

test('nothing can be stored', async () => {
  expect((await ask('/api/ingest/logs', {})).status).toBe(404)
})
