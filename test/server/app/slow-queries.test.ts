import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/server/index.ts'
import { queryTextOf, reportSlow } from '../../../src/server/app/slow-query.ts'
import { KEY, SEARCH, searchBody } from '../harness/harness.ts'

const reported: Readonly<Record<string, unknown>>[] = []
const logs = ['a', 'b', 'c'].map((content) => ({ _time: '2026-01-01T12:00:00Z', content }))
const server = await createServer({
  tables: { logs },
  keys: [KEY],
  openTo: 'everyone',
  slowQueries: { overMs: 0, report: (query) => reported.push({ ...query }) },
})
afterAll(() => server.close())
beforeEach(() => void (reported.length = 0))

async function ask(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const all = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...headers }
  const sent = await server.fetch(
    new Request(`http://localhost${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) }),
  )
  await sent.clone().text()
  return sent
}

describe('a slow query', () => {
  test('is reported with its text, rows read and the public id of its key', async () => {
    const sent = await ask(SEARCH, { ...searchBody, query: 'content:a' }, { 'X-Request-Id': 'one' })
    expect(sent.headers.get('x-query-rows-read')).toBe('3')
    expect(reported).toEqual([
      {
        route: 'searchLogs',
        query: 'content:a',
        seconds: expect.any(Number) as number,
        rowsRead: 3,
        status: 200,
        keyId: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
        traceId: 'one',
      },
    ])
    expect(JSON.stringify(reported)).not.toContain(KEY)
  })

  test('is reported at its end if it streams, or if it fails', async () => {
    const body = { ...searchBody, query: '*', enableStream: true }
    await ask(SEARCH, body, { Accept: 'application/x-ndjson' })
    await ask(SEARCH, { ...searchBody, query: '| limt' })
    expect(reported.map(({ query, status }) => [query, status])).toEqual([
      ['*', 200],
      ['| limt', 400],
    ])
  })

  test('is a query: other requests and unknown callers are not reported', async () => {
    await server.fetch(new Request('http://localhost/metrics'))
    await ask('/api/monitors/silences', {})
    await ask(SEARCH, searchBody, { Authorization: 'Bearer nobody' })
    expect(reported).toEqual([])
  })
})

test('queries have a histogram of their own', async () => {
  await ask('/api/hits', { ...searchBody, step: '1h' })
  const text = await (await server.fetch(new Request('http://localhost/metrics'))).text()
  expect(text).toMatch(/sluice_query_duration_seconds_count\{route="hits"\} 1/)
  expect(text).not.toContain('sluice_query_duration_seconds_count{route="metrics"}')
})

test('a fast query is not reported', () => {
  const report = (): never => {
    throw new Error('reported')
  }
  const query = { route: 'x', query: '', rowsRead: 0, status: 200, keyId: '', traceId: '' }
  reportSlow({ overMs: 1000, report }, 0.999, () => query)
  reportSlow(undefined, 5, report)
  expect(() => reportSlow({ overMs: 1000, report }, 1, () => query)).toThrow('reported')
})

test.each<[string, string | undefined, string]>([
  ['http://x/api/logs/tail?query=a%20b', undefined, 'a b'],
  ['http://x/', '{"start":"x","Query":"level:error"}', 'level:error'],
  ['http://x/', '{"Promql":"up"}', 'up'],
  ['http://x/', 'query=up&time=1', 'up'],
  ['http://x/', '{"pipeline":{}}', '{"pipeline":{}}'],
  ['http://x/', '{broken', '{broken'],
  ['http://x/', `{"query":"${'y'.repeat(600)}"}`, `${'y'.repeat(499)}…`],
  ['http://x/', undefined, ''],
])('the text of a request to %s with the body %s', (url, body, expected) => {
  expect(queryTextOf(url, body === undefined ? undefined : Buffer.from(body))).toBe(expected)
})

describe('progress', () => {
  const stream = { ...searchBody, query: '*', enableStream: true }
  const events = { Accept: 'text/event-stream' }

  test('is sent in event streams on request, with the total cost at the end', async () => {
    const text = await (await ask(`${SEARCH}?progress=true`, stream, events)).text()
    const messages = text.trimEnd().split('\n\n')
    expect(messages.at(-1)).toBe('data: {"done":true}')
    expect(messages.at(-2)).toMatch(/^event: progress\ndata: \{"rowsRead":3,"bytesRead":\d+,"milliseconds":\d+\}$/)
  })

  test('is not sent by default', async () => {
    const silent = [
      await ask(SEARCH, stream, events),
      await ask(`${SEARCH}?progress=false`, stream, events),
      await ask(`${SEARCH}?progress=true`, stream, { Accept: 'application/x-ndjson' }),
      await ask(`${SEARCH}?progress=true`, { ...stream, enableStream: false }, events),
    ]
    for (const sent of silent) expect(await sent.text()).not.toContain('progress')
    expect((await ask(`${SEARCH}?progress=maybe`, stream, events)).status).toBe(400)
  })

  test('an error of the plan still has its status', async () => {
    const sent = await ask(`${SEARCH}?progress=true`, { ...stream, query: '| limt' }, events)
    expect(sent.status).toBe(400)
  })
})
