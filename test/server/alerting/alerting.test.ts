import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../src/alerting/service/index.ts'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { Webhook } from '../../harness/webhook.ts'

const ADMIN = 'key-of-the-administrator-of-this-server'
const SCOPED = 'key-of-somebody-who-sees-the-shop-only'
const START = Date.parse('2026-03-10T12:00:00Z')

/** Formats each notification as its status and the labels of its alerts. */
function linesOf({ received }: Webhook): readonly string[] {
  return received.map(({ status, alerts }) => {
    const each = alerts.map(({ status: state, labels }) => `${state} ${labels['workload'] ?? labels['alertname']}`)
    return `${status}: ${each.join(', ')}`
  })
}

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Running {
  readonly server: SluiceServer
  readonly hook: Webhook
  /** Sets the clock to this many minutes after the start and evaluates. */
  readonly moveTo: (minutes: number) => Promise<void>
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ) => Promise<{ status: number; body: unknown }>
}

interface Choices {
  readonly workers?: number
  readonly data?: string
  readonly hook?: Webhook
  readonly startAt?: number
}

async function run({ workers = 0, data, hook = new Webhook(), startAt = 0 }: Choices = {}): Promise<Running> {
  const url = await hook.open().catch(() => '')
  ends.push(() => hook.close())
  const clock = new TestClock()
  const server = await createServer({
    keys: [{ key: ADMIN }, { key: SCOPED, email: 'shop@example.com' }],
    workers,
    ...(data === undefined ? {} : { data }),
    clock: { nowMs: () => performance.now(), nowNs: () => BigInt(clock.nowMs()) * 1_000_000n },
    alerting: {
      testClock: clock,
      notify: `
route: { receiver: team, group_by: [alertname], group_wait: 0s, group_interval: 1s }
receivers: [{ name: team, webhook_configs: [{ url: '${url}' }] }]
allow_addresses: [127.0.0.1]
`,
    },
  })
  ends.push(() => server.close())
  await server.loaded
  const call: Running['call'] = async (method, path, body, key = ADMIN) => {
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
  const moveTo = async (minutes: number): Promise<void> => {
    const now = new Date(START + minutes * 60_000).toISOString()
    expect(await call('POST', '/test/clock', { now })).toMatchObject({ status: 200 })
  }
  await moveTo(startAt)
  return { server, hook, moveTo, call }
}

const rowAt = (minutes: number, workload: string, namespace = 'shop'): object => ({
  time: new Date(START + minutes * 60_000).toISOString(),
  level: 'error',
  workload,
  namespace,
  message: 'failed',
})

const errors = {
  title: 'errors',
  evaluationInterval: { interval: '1m', pendingFor: '1m' },
  model: {
    queries: [{ name: 'q', dataType: 'logs', expression: 'level:error | stats by (workload, namespace) count() as n' }],
    thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [0] }],
  },
}

const idOf = ({ body }: { readonly body: unknown }): string => (body as { readonly monitorId: string }).monitorId

const stateOf = async ({ call }: Running, id: string, key?: string): Promise<Record<string, unknown>> =>
  (await call('GET', `/api/monitors/${id}/state`, undefined, key)).body as Record<string, unknown>

describe.each([0, 1])('a server with %i query workers', (workers) => {
  test('a monitor fires after its pending period, notifies once, and tells when it is resolved', async () => {
    const running = await run({ workers })
    const { call, moveTo, hook } = running
    const id = idOf(await call('POST', '/api/monitors', errors))
    await call(
      'POST',
      '/api/ingest/logs',
      [0.5, 1.5, 2.5].map((minutes) => rowAt(minutes, 'cart')),
    )
    await moveTo(1)
    expect(await stateOf(running, id)).toMatchObject({ state: 'Pending', health: 'ok' })
    expect(linesOf(hook)).toEqual([])
    await moveTo(3)
    expect(await stateOf(running, id)).toMatchObject({ state: 'Alerting' })
    // Without rows the monitor has no data, and its state is then Normal by default.
    await moveTo(4.1)
    expect(linesOf(hook)).toEqual(['firing: firing cart', 'resolved: resolved cart'])
    expect(await stateOf(running, id)).toMatchObject({ state: 'Normal' })
    expect(new Set(hook.received.map(({ key }) => key)).size).toBe(2)
  })
})

test('a notification that fails is attempted again with the same key, and not a third time', async () => {
  const running = await run()
  const { call, moveTo, hook } = running
  hook.answers.push(503)
  await call('POST', '/api/monitors', { ...errors, evaluationInterval: { interval: '1m' } })
  await call('POST', '/api/ingest/logs', [rowAt(0.5, 'cart'), rowAt(1.5, 'cart')])
  await moveTo(2)
  expect(linesOf(hook)).toEqual(['firing: firing cart', 'firing: firing cart'])
  expect(new Set(hook.received.map(({ key }) => key)).size).toBe(1)
})

test('a notification that is refused becomes a dead letter, which can be sent again', async () => {
  const { call, moveTo, hook } = await run()
  hook.answers.push(400)
  await call('POST', '/api/monitors', { ...errors, evaluationInterval: { interval: '1m' } })
  await call(
    'POST',
    '/api/ingest/logs',
    [0.5, 1.5, 2.5, 3.5].map((minutes) => rowAt(minutes, 'cart')),
  )
  await moveTo(1)
  const { body } = await call('GET', '/api/monitors/dead-letters')
  expect(body).toMatchObject([{ receiver: 'team', status: 'firing', alerts: 1 }])
  const [{ id = '' } = {}] = body as readonly { readonly id?: string }[]
  expect((await call('POST', `/api/monitors/dead-letters/${id}/resend`)).status).toBe(202)
  await moveTo(2)
  expect((await call('GET', '/api/monitors/dead-letters')).body).toEqual([])
  expect(linesOf(hook)).toHaveLength(2)
})

test('a silence of either API suppresses the notification and is shown with the alert', async () => {
  const running = await run()
  const { call, moveTo, hook } = running
  const id = idOf(await call('POST', '/api/monitors', { ...errors, evaluationInterval: { interval: '1m' } }))
  const span = { startsAt: '2026-03-10T11:00:00Z', endsAt: '2026-03-10T13:00:00Z', comment: 'deploy' }
  const own = await call('POST', '/api/monitors/silences', {
    ...span,
    matchers: [{ Name: 'workload', Type: 2, Value: 'ca.*' }],
  })
  const other = await call('POST', '/api/v2/silences', {
    ...span,
    createdBy: 'me',
    matchers: [{ name: 'workload', value: 'web', isRegex: false }],
  })
  expect([own.status, other.status]).toEqual([200, 200])
  await call(
    'POST',
    '/api/ingest/logs',
    ['cart', 'web', 'api'].map((workload) => rowAt(0.5, workload)),
  )
  await moveTo(1)
  expect(linesOf(hook)).toEqual(['firing: firing api'])
  const { instances } = (await stateOf(running, id)) as {
    readonly instances: readonly { readonly labels: Record<string, string>; readonly silencedBy: readonly string[] }[]
  }
  const silenced = instances.filter(({ silencedBy }) => silencedBy.length === 1).map(({ labels }) => labels['workload'])
  expect(new Set(silenced)).toEqual(new Set(['cart', 'web']))
})

test('states and notifications go on after a restart: a firing alert is not told again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sluice-alerting-'))
  ends.push(() => rmSync(data, { recursive: true, force: true }))
  const first = await run({ data })
  const id = idOf(await first.call('POST', '/api/monitors', { ...errors, evaluationInterval: { interval: '1m' } }))
  const rows = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5].map((minutes) => rowAt(minutes, 'cart'))
  await first.call('POST', '/api/ingest/logs', rows)
  await first.moveTo(2)
  const before = await stateOf(first, id)
  await first.server.close()
  first.hook.close()
  const second = await run({ data, startAt: 4 })
  await second.moveTo(5)
  expect(linesOf(second.hook)).toEqual([])
  expect(await stateOf(second, id)).toMatchObject({ state: 'Alerting', history: before['history'] })
  await second.moveTo(8)
  expect(linesOf(second.hook)).toEqual(['resolved: resolved cart'])
})

describe('rights', () => {
  const policy = {
    name: 'shop only',
    role: { read: '', write: '' },
    dataScope: {
      advanced: {
        logs: { operator: 'and', conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] },
      },
    },
  }

  async function withPolicy(): Promise<Running & { readonly policyId: string }> {
    const running = await run()
    const made = await running.call('POST', '/api/rbac/policy/create', policy)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { uuid = '' } = made.body as { readonly uuid?: string }
    const applied = await running.call('POST', '/api/rbac/policy/apply', {
      emails: ['shop@example.com'],
      policyUUIDs: [uuid],
    })
    expect(applied.status, JSON.stringify(applied.body)).toBeLessThan(300)
    return { ...running, policyId: uuid }
  }

  const rows = [rowAt(0.5, 'cart'), rowAt(0.5, 'vault', 'bank'), rowAt(1.5, 'cart'), rowAt(1.5, 'vault', 'bank')]
  const atOnce = { ...errors, evaluationInterval: { interval: '1m' } }

  test('a monitor reads what its author may read', async () => {
    const { call, moveTo, hook } = await withPolicy()
    await call('POST', '/api/monitors', atOnce, SCOPED)
    await call('POST', '/api/ingest/logs', rows)
    await moveTo(1)
    expect(linesOf(hook)).toEqual(['firing: firing cart'])
  })

  test('an author who lost access is an error that says so, and never a wider answer', async () => {
    const running = await withPolicy()
    const { call, moveTo, hook } = running
    const id = idOf(await call('POST', '/api/monitors', atOnce, SCOPED))
    await call('POST', '/api/ingest/logs', rows)
    await call('POST', '/api/rbac/policy/create', { ...policy, name: 'none', role: { nothing: '' } })
    await call('PUT', `/api/rbac/policy/${running.policyId}`, { ...policy, role: { nothing: '' } })
    await moveTo(1)
    expect(linesOf(hook)).toEqual([])
    const state = await stateOf(running, id)
    expect(state).toMatchObject({ health: 'err' })
    expect(state['error']).toContain('the author of the monitor may not read')
  })

  test('an edit of the model takes the monitor over, an edit of other members does not', async () => {
    const running = await withPolicy()
    const { call, moveTo, hook } = running
    const id = idOf(await call('POST', '/api/monitors', atOnce, SCOPED))
    await call('POST', '/api/ingest/logs', rows)
    await call('PUT', `/api/monitors/${id}`, { annotations: { summary: 'x' } })
    await moveTo(1)
    expect(linesOf(hook)).toEqual(['firing: firing cart'])
    const [query] = errors.model.queries
    const model = { ...errors.model, queries: [{ ...query, expression: `${query?.expression ?? ''} | filter n:>0` }] }
    await call('PUT', `/api/monitors/${id}`, { model })
    await moveTo(2.1)
    expect(linesOf(hook).at(-1)).toContain('vault')
  })

  test('a caller with a data scope sees the instances that satisfy it', async () => {
    const running = await withPolicy()
    const { call, moveTo } = running
    const id = idOf(await call('POST', '/api/monitors', atOnce))
    await call('POST', '/api/ingest/logs', rows)
    await moveTo(1)
    const workloads = async (key?: string): Promise<ReadonlySet<string | undefined>> => {
      const { instances, history } = (await stateOf(running, id, key)) as Record<
        string,
        readonly { labels: Record<string, string> }[]
      >
      const alerts = (await call('GET', '/api/v1/alerts', undefined, key)).body as {
        data: { alerts: typeof instances }
      }
      const rules = JSON.stringify((await call('GET', '/api/v1/rules', undefined, key)).body)
      const listed = [...(instances ?? []), ...(history ?? []), ...(alerts.data.alerts ?? [])]
      expect(rules.includes('vault')).toBe(key === undefined)
      return new Set(listed.map(({ labels }) => labels['workload']))
    }
    expect(await workloads()).toEqual(new Set(['cart', 'vault']))
    expect(await workloads(SCOPED)).toEqual(new Set(['cart']))
    expect((await call('GET', '/api/v2/alerts', undefined, SCOPED)).status).toBe(403)
  })

  test('a silence holds only for alerts that its author may see', async () => {
    const { call, moveTo, hook } = await withPolicy()
    await call('POST', '/api/monitors', atOnce)
    const silence = {
      startsAt: '2026-03-10T11:00:00Z',
      endsAt: '2026-03-10T13:00:00Z',
      matchers: [{ name: 'alertname', value: 'errors' }],
    }
    expect((await call('POST', '/api/monitors/silences', silence, SCOPED)).status).toBe(200)
    await call('POST', '/api/ingest/logs', rows)
    await moveTo(1)
    expect(linesOf(hook)).toEqual(['firing: firing vault'])
  })
})
