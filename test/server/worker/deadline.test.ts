// @module-tag slow
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { createServer, newTarget, type SluiceServer } from '../../../src/server/index.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import { SEARCH } from '../harness/harness.ts'

const QUERY_MS = 150
const startMs = Date.parse('2026-03-10T10:00:00Z')
const { store, samples } = newTarget()
for (const kind of ['logs', 'events', 'spans']) {
  const table = store.table(kind)
  const contentOf = (i: number): string => `request ${i} of user ${i % 977} took ${i % 83} ms and more`
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    timeNs: BigInt(startMs) * 1_000_000n + BigInt(i),
    row: new Map([
      ['content', contentOf(i)],
      ['note', contentOf(i)],
    ]),
  }))
  table.writer.appendRows(rows)
  table.seal()
}

/** Servers by number of workers. */
const servers = new Map<number, SluiceServer>()
const limits = { queryMs: QUERY_MS }

function send(workers: number, path: string, type: string, body: string, accept = ''): Promise<Response> {
  const headers = { Authorization: 'secret', 'Content-Type': type, Accept: accept }
  const request = new Request(`http://localhost${path}`, { method: 'POST', body, headers })
  return present(servers.get(workers)).fetch(request)
}

beforeAll(async () => {
  for (const workers of [0, 1])
    servers.set(workers, await createServer({ store, samples, keys: ['secret'], workers, limits }))
  // Wait until the thread has loaded: requests before that wait in a queue and time out with a different error.
  const isReady = async (server: SluiceServer): Promise<boolean> =>
    (await server.fetch(new Request('http://localhost/readyz'))).status === 200
  for (const server of servers.values()) await vi.waitUntil(() => isReady(server), PATIENCE_MS)
  const lines = Array.from({ length: 400 * 240 }, (_, i) => {
    const [pod, at] = [i % 400, Math.floor(i / 400)]
    return `m{pod="pod-${pod}"} ${(pod * at) % 97} ${startMs + at * 15_000}`
  })
  await send(0, '/api/v1/import/prometheus', 'text/plain', `${lines.join('\n')}\n`)
})
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.close()))
})

const range = { start: '2026-03-10T10:00:00Z', end: '2026-03-10T11:00:00Z' }
/** Without a limit each query takes seconds. Events and spans name their text fields differently from logs. */
const query = Array.from({ length: 2000 }, (_, i) => `note:*abc${i}xyz*`).join(' or ')
const expression = 'max_over_time((max_over_time((max_over_time((max_over_time(m[1h:1s]))[1h:1s]))[1h:1s]))[1h:1s])'

const json = 'application/json'
const search = JSON.stringify({ ...range, query })
const surfaces: readonly (readonly [name: string, status: number, path: string, type: string, body: string])[] = [
  ['logs', 400, SEARCH, json, search],
  ['events', 400, '/api/k8s/v2/events/search', json, search],
  ['traces', 400, '/api/traces/v2/search', json, search],
  ['fields', 400, '/api/fields/names', json, search],
  ['hits', 400, '/api/hits', json, search],
  [
    'metrics',
    400,
    '/api/metrics/query',
    json,
    JSON.stringify({ Start: range.start, End: range.end, Step: '1s', Promql: expression }),
  ],
  [
    'metrics as stock tools read them',
    503,
    '/api/v1/query_range',
    'application/x-www-form-urlencoded',
    new URLSearchParams({ query: expression, ...range, step: '1' }).toString(),
  ],
]

// On a busy machine the previous query's worker may have been killed. The first query of a new worker is slow, so wait
// for one that succeeds.
beforeEach(async () => {
  const short = JSON.stringify({ ...range, query: 'user', limit: 1 })
  await vi.waitUntil(async () => (await send(1, SEARCH, json, short)).status === 200, PATIENCE_MS)
})

test.each([0, 1].flatMap((workers) => surfaces.map(([name, ...rest]) => [name, workers, ...rest] as const)))(
  '%s with %i workers: a query over its time gets an error that names it',
  async (_, workers, status, path, type, body) => {
    const answer = await send(workers, path, type, body)
    expect([answer.status, await answer.json()]).toMatchObject([
      status,
      { code: 'budget/deadline', message: `The query ran longer than its time limit of ${QUERY_MS} ms.` },
    ])
  },
)

test.each([0, 1])('a stream over its time ends with the error, with %i workers', async (workers) => {
  const body = JSON.stringify({ ...range, query, enableStream: true })
  const answer = await send(workers, SEARCH, json, body, 'text/event-stream')
  expect(await answer.text()).toContain('budget/deadline')
})
