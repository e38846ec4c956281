import { expect, test } from 'vitest'
import { createMemoryDocumentStore } from '../../../src/resources/index.ts'
import { inFolder, openStore } from '../../resources/stores.ts'
import { JSON_HEADERS, send } from '../harness/harness.ts'
import { NOW_NS, resourceApp } from '../harness/resource-app.ts'

type App = ReturnType<typeof resourceApp>

const replace = (app: App, queries: readonly object[], headers: Readonly<Record<string, string>> = {}) =>
  send(app, '/api/saved-queries', {
    method: 'PUT',
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify({ queries }),
  })

test.each([
  ['200 queries', Array.from({ length: 200 }, (_, i) => ({ name: `q${i}`, query: '*' })), 200],
  ['201 queries', Array.from({ length: 201 }, (_, i) => ({ name: `q${i}`, query: '*' })), 400],
  ['a name of 100 characters', [{ name: 'n'.repeat(100), query: '*' }], 200],
  ['a name of 101 characters', [{ name: 'n'.repeat(101), query: '*' }], 400],
  ['more than a body may have', [{ name: 'long', query: 'x'.repeat(2 ** 20) }], 413],
])('%s', async (_, queries, status) => {
  const app = resourceApp(createMemoryDocumentStore(() => NOW_NS))
  expect((await replace(app, queries)).status).toBe(status)
  const read = await send(app, '/api/saved-queries', { headers: JSON_HEADERS })
  expect(read.body).toEqual({ queries: status === 200 ? queries : [] })
})

test('of two changes of one version, the second one is refused', async () => {
  const app = resourceApp(createMemoryDocumentStore(() => NOW_NS))
  const tag = (await send(app, '/api/saved-queries', { headers: JSON_HEADERS })).headers.get('etag') ?? ''
  const [first, second] = ['first', 'second'].map((name) => [{ name, query: '*' }])
  expect((await replace(app, first ?? [], { 'If-Match': tag })).status).toBe(200)
  expect((await replace(app, second ?? [], { 'If-Match': tag })).status).toBe(412)
  expect((await send(app, '/api/saved-queries', { headers: JSON_HEADERS })).body).toEqual({ queries: first })
})

test('a server with a folder has them after a restart', async () => {
  await inFolder(async (path) => {
    const queries = [{ name: 'errors', query: 'level:error' }]
    const before = await openStore(path, () => NOW_NS)
    expect((await replace(resourceApp(before), queries)).status).toBe(200)
    await before.close()
    const after = await openStore(path, () => NOW_NS)
    expect((await send(resourceApp(after), '/api/saved-queries', { headers: JSON_HEADERS })).body).toEqual({ queries })
    await after.close()
  })
})
