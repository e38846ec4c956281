import { afterAll, expect, test } from 'vitest'
import { createServer } from '../../../src/server/index.ts'
import { KEY } from '../harness/harness.ts'

const NOW = BigInt(Date.parse('2026-03-10T12:00:00Z')) * 1_000_000n
const times = ['2026-03-10T10:30:00Z', '2026-03-10T11:30:00Z', '2026-03-10T12:30:00Z']
const rows = times.map((_time) => ({ _time, level: 'info' }))

const server = await createServer({
  tables: { logs: rows, events: rows, spans: rows },
  keys: [KEY],
  clock: { nowMs: () => performance.now(), nowNs: () => NOW },
})
afterAll(() => server.close())

async function ask(path: string, body: object) {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const sent = await server.fetch(new Request(`http://localhost${path}`, init))
  return { status: sent.status, body: await sent.json() }
}

const lastHour = { start: '-1h', end: 'now' }
const query = '* | stats count() n'

test.each<[string, object, unknown]>([
  ['/api/logs/v2/search', { ...lastHour, query }, [{ n: 1 }]],
  ['/api/logs/v2/search', { start: 'now-2h', end: '2026-03-10T12:00:00Z', query }, [{ n: 2 }]],
  ['/api/logs/v2/search', { start: 'now', end: 'now+1h', query }, [{ n: 1 }]],
  ['/api/k8s/v2/events/search', { ...lastHour, query }, [{ n: 1 }]],
  ['/api/traces/v2/search', { ...lastHour, query }, [{ n: 1 }]],
])('%s in %j', async (path, body, expected) => {
  expect(await ask(path, body)).toEqual({ status: 200, body: expected })
})

test('lists of fields, hits and plans', async () => {
  const values = await ask('/api/fields/values', { ...lastHour, field: 'level' })
  expect(values.body).toMatchObject({ values: [{ value: 'info', hits: 1 }] })
  const hits = await ask('/api/hits', { ...lastHour, step: '30m' })
  expect(hits.body).toMatchObject({ total: 1, timestamps: ['2026-03-10T11:00:00Z', '2026-03-10T11:30:00Z'] })
  const explained = await ask('/api/explain', { start: '-1h', query: '*', analyze: true })
  expect(explained.body).toMatchObject({ cost: { rows: 2 } })
  const events = await ask('/api/k8s/v2/events-over-time', { Start: '-1h', End: 'now' })
  expect(events).toMatchObject({
    status: 200,
    body: { events: [{ timestamp: expect.stringContaining('11:30') as string }] },
  })
})

test('a range whose end is known to be earlier only at the request is refused at its end', async () => {
  const { status, body } = await ask('/api/logs/v2/search', { start: 'now', end: '2026-03-10T11:00:00Z', query })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'wire/range-reversed', details: { diagnostics: [{ path: '$.end' }] } })
})

test('field lists read a query in its dialect', async () => {
  const asked = { ...lastHour, query: '_time:2026-03-10T11:30:00Z or level:=x' }
  expect((await ask('/api/fields/names?dialect=logsql', asked)).status).toBe(200)
  expect((await ask('/api/fields/names?dialect=sql', asked)).status).toBe(400)
})
