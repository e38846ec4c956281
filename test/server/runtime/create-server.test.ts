import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { createServer, printKeyFile, type ServerOptions, type SluiceServer } from '../../../src/server/index.ts'
import { SampleStore } from '../../../src/store/index.ts'
import { SALT, SEARCH, key } from '../harness/harness.ts'

const logs = [
  { _time: '2026-03-10T11:20:00Z', level: 'error', message: 'pool exhausted' },
  { _time: '2026-03-10T11:20:01Z', level: 'info', message: 'pool fine' },
]
const range = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' }
const EVENTS = '/api/k8s/v2/events/search'

async function ask(
  server: SluiceServer,
  path: string,
  { key = 'secret', body, backend }: { key?: string; body?: unknown; backend?: string } = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    ...(backend === undefined ? {} : { 'X-Backend-Id': backend }),
  }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await server.fetch(new Request(`http://localhost${path}`, init))
  return { status: response.status, body: await response.json() }
}

const errors = { ...range, query: 'level:error | stats count() n' }

async function codeOf(options: ServerOptions): Promise<string> {
  const error: unknown = await createServer(options).catch((thrown: unknown) => thrown)
  return error instanceof SluiceError ? error.code : String(error)
}

test('tables of objects are searched, bare words in the text field, and nothing is ingested', async () => {
  const server = await createServer({ tables: { logs }, keys: ['secret'] })
  expect(await ask(server, SEARCH, { body: errors })).toEqual({ status: 200, body: [{ n: 1 }] })
  const found = await ask(server, SEARCH, { body: { ...range, query: 'exhausted | fields level' } })
  expect(found.body).toEqual([{ level: 'error' }])
  expect((await ask(server, EVENTS, { body: errors })).status).toBe(404)
  expect((await ask(server, '/api/ingest/logs', { body: {} })).status).toBe(404)
  expect((await ask(server, '/api/v1/query?query=up')).status).toBe(404)
  await server.close()
})

test('an engine of the caller is asked, and samples beside it', async () => {
  const samples = new SampleStore()
  samples.writer.append(Labels.of({ __name__: 'up', pod: 'a' }), { timeMs: 1000, value: 1 })
  const server = await createServer({ engine: createEngine({ tables: { logs } }), samples, keys: ['secret'] })
  expect(await ask(server, SEARCH, { body: errors })).toEqual({ status: 200, body: [{ n: 1 }] })
  const up = await ask(server, '/api/v1/query?query=sum(up)&time=2')
  expect(up.body).toMatchObject({ data: { result: [{ value: [2, '1'] }] } })
  await server.close()
})

test('without keys everything but health is refused', async () => {
  for (const keys of [undefined, []]) {
    const server = await createServer({ tables: { logs }, keys })
    for (const key of ['secret', 'undefined', '', 'Bearer'])
      expect((await ask(server, SEARCH, { key, body: errors })).status).toBe(401)
    expect((await ask(server, '/healthz')).body).toEqual({ status: 'ok' })
    await server.close()
  }
})

test('a key has the roles and backends that are said of it', async () => {
  const keys = ['secret', { key: 'writer', roles: ['write'] as const }, { key: 'only-b', backends: ['b'] }]
  const server = await createServer({ backends: { a: { tables: { logs } }, b: {} }, keys })
  const status = async (key: string, backend: string): Promise<number> =>
    (await ask(server, SEARCH, { key, backend, body: errors })).status
  expect(await status('secret', 'a')).toBe(200)
  expect(await status('writer', 'a')).toBe(403)
  expect([await status('only-b', 'a'), await status('only-b', 'b')]).toEqual([403, 200])
  const line = { level: 'error', content: 'x' }
  expect((await ask(server, '/api/ingest/logs', { backend: 'b', body: line })).body).toMatchObject({ accepted: 1 })
  expect((await ask(server, '/api/ingest/logs', { backend: 'a', body: line })).status).toBe(404)
  await server.close()
})

test('what was sent is in the data folder, keys in a file, and a port is open until it is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-server-'))
  try {
    const file = join(folder, 'keys.json')
    writeFileSync(file, printKeyFile(SALT, [key('secret')]))
    const options = { keys: { file }, data: join(folder, 'data') }
    const first = await createServer(options)
    const body = { _time: '2026-03-10T11:20:00Z', level: 'error', content: 'x' }
    expect((await ask(first, '/api/ingest/logs', { body })).body).toMatchObject({ accepted: 1 })
    expect(await codeOf(options)).toBe('durable/in-use')
    await first.close()
    const second = await createServer(options)
    expect(await second.readBack).toEqual({ batches: 1, rows: 1 })
    const { address } = await second.listen()
    const answer = await fetch(`${address}${SEARCH}`, {
      method: 'POST',
      headers: { Authorization: 'secret', 'Content-Type': 'application/json' },
      body: JSON.stringify(errors),
    })
    expect(await answer.json()).toEqual([{ n: 1 }])
    await Promise.all([second.close(), second.close()])
    await expect(fetch(address)).rejects.toThrow()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('until the data is ready only health answers', async () => {
  let isReady = false
  const server = await createServer({ tables: { logs }, keys: ['secret'], isReady: () => isReady })
  expect((await ask(server, SEARCH, { body: errors })).status).toBe(503)
  isReady = true
  expect((await ask(server, SEARCH, { body: errors })).status).toBe(200)
  await server.close()
})

test.each<[string, ServerOptions]>([
  ['setup/empty-key', { keys: ['secret', ' '] }],
  ['setup/empty-key', { keys: [{ key: '' }] }],
  ['setup/no-key-file', { keys: { file: join(import.meta.dirname, 'no-such-file') } }],
  ['setup/no-data-folder', { data: join(import.meta.filename, 'inside-a-file') }],
  ['setup/nothing-served', { tables: { orders: [{ total: 1 }] } }],
  ['setup/nothing-served', { backends: {} }],
  ['table/not-rows', { tables: { logs: 5 as never } }],
])('what cannot be served is refused at once: %s', async (code, options) => {
  expect(await codeOf(options)).toBe(code)
})

test('a query may hold what the server allows, whatever the engine would', async () => {
  const many = Array.from({ length: 2000 }, (_, i) => ({ _time: range.start, level: `level ${i}`, message: 'm' }))
  const query = { ...range, query: '* | stats by (level) count() n | limit 1' }
  const asked = async (memoryBytes: number, queryBytes: number | undefined): Promise<unknown> => {
    const engine = createEngine({ tables: { logs: many }, limits: { memoryBytes } })
    const server = await createServer({ engine, keys: ['secret'], limits: { queryBytes } })
    const { status, body } = await ask(server, SEARCH, { body: query })
    await server.close()
    return status === 200 ? body : (body as { readonly code: string }).code
  }
  const found = [{ level: 'level 0', n: 1 }]
  expect(await asked(2 ** 24, undefined)).toEqual(found)
  expect(await asked(2 ** 10, undefined)).toBe('budget/memory')
  expect(await asked(2 ** 10, 2 ** 24)).toEqual(found)
  expect(await asked(2 ** 24, 2 ** 10)).toBe('budget/memory')
})
