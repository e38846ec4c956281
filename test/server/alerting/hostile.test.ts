import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../src/alerting/service/index.ts'
import { createServer } from '../../../src/server/index.ts'

const ADMIN = 'key-of-the-administrator-of-this-server'
const SCOPED = 'key-of-somebody-who-sees-the-shop-only'
const NOW = '2026-03-10T12:00:00Z'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

type Call = (
  method: string,
  path: string,
  body?: unknown,
  key?: string,
) => Promise<{ readonly status: number; readonly body: unknown }>

async function open(): Promise<Call> {
  const clock = new TestClock()
  const server = await createServer({
    keys: [{ key: ADMIN }, { key: SCOPED, email: 'shop@example.com' }],
    workers: 0,
    clock: { nowMs: () => performance.now(), nowNs: () => BigInt(clock.nowMs()) * 1_000_000n },
    alerting: { testClock: clock },
  })
  ends.push(() => server.close())
  await server.loaded
  const call: Call = async (method, path, body, key = ADMIN) => {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text }
  }
  expect((await call('POST', '/test/clock', { now: NOW })).status).toBe(200)
  return call
}

const span = { startsAt: '2026-03-10T11:00:00Z', endsAt: '2026-03-10T13:00:00Z' }

test('a silence that would hold for every alert is refused', async () => {
  const call = await open()
  for (const matcher of [
    { name: 'x', value: '.*', isRegex: true },
    { Name: 'x', Value: '', Type: 0 },
  ]) {
    const { status, body } = await call('POST', '/api/monitors/silences', { ...span, matchers: [matcher] })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'resources/silences-everything' })
  }
})

test('the test clock refuses a move into the past with the time that it has', async () => {
  const call = await open()
  const { status, body } = await call('POST', '/test/clock', { now: '2025-01-01T00:00:00Z' })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('2026-03-10T12:00:00')
})

test('a caller with a data scope reads nothing else by way of a monitor of another author', async () => {
  const call = await open()
  const dataScope = {
    advanced: {
      logs: { operator: 'and', conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] },
    },
  }
  const made = await call('POST', '/api/rbac/policy/create', { name: 'shop', role: { read: '', write: '' }, dataScope })
  const { uuid } = made.body as { readonly uuid: string }
  await call('POST', '/api/rbac/policy/apply', { emails: ['shop@example.com'], policyUUIDs: [uuid] })
  const monitor = {
    title: 'errors',
    autoResolve: false,
    evaluationInterval: { interval: '1m' },
    model: {
      queries: [{ name: 'q', dataType: 'logs', expression: 'level:error | stats by (namespace) count() as n' }],
      thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [0] }],
    },
  }
  const created = await call('POST', '/api/monitors', monitor)
  const { monitorId } = created.body as { readonly monitorId: string }
  const path = `/api/monitors/${monitorId}`
  // A user with a data scope may not change these members of another author's monitor: labels decide who sees an alert,
  // and templates read rows.
  for (const edit of [
    { labels: { namespace: 'shop', found: '{{ $labels.namespace }}' } },
    { severity: 'S1' },
    {
      annotations: { all: '{{ range query "logs:* | stats by (namespace) count()" }}{{ .Labels.namespace }}{{ end }}' },
    },
  ]) {
    const { status, body } = await call('PUT', path, edit, SCOPED)
    expect([status, body]).toMatchObject([403, { code: 'resources/not-author' }])
  }
  expect((await call('PUT', path, { isPaused: false }, SCOPED)).status).toBe(202)
  const rows = ['shop', 'bank'].map((namespace) => ({ time: '2026-03-10T12:00:30Z', level: 'error', namespace }))
  await call('POST', '/api/ingest/logs', rows)
  await call('POST', '/test/clock', { now: '2026-03-10T12:01:00Z' })
  const resolve = async (namespace: string): Promise<number> =>
    (await call('POST', `${path}/resolve`, { labels: { alertname: 'errors', namespace } }, SCOPED)).status
  expect(await resolve('bank')).toBe(404)
  expect(await resolve('shop')).toBe(200)
})
