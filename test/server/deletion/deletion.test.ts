import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { always } from '../../../src/base/index.ts'
import {
  createDeleter,
  createIngestService,
  createServer,
  newTenant,
  openDataFolder,
  type ServerOptions,
  type SluiceServer,
} from '../../../src/server/index.ts'
import { tablePersister } from '../../../src/server/data-folder/table-persister.ts'
import { FileReaders } from '../../../src/store/persistence/index.ts'
import { run } from '../../cli/terminal.ts'
import { SEARCH } from '../harness/harness.ts'
import { readRows } from '../../../src/engine/index.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-delete-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const NOW_NS = 1_773_140_400_000_000_000n
const range = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' }
const keys = [
  { key: 'secret', email: 'root@example.com' },
  { key: 'writer', roles: ['read', 'write'] as const },
]

async function ask(server: SluiceServer, path: string, body: unknown, key = 'secret') {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await server.fetch(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as unknown }
}

const remove = (server: SluiceServer, body: object, key?: string) =>
  ask(server, '/api/rows/delete', { ...range, ...body }, key)

async function count(server: SluiceServer, query: string): Promise<unknown> {
  const { body } = await ask(server, SEARCH, { ...range, query: `${query} | stats count() n` })
  return (body as readonly [{ readonly n: number }])[0].n
}

const lines = (who: string): string =>
  Array.from({ length: 30 }, (_, i) =>
    JSON.stringify({ _time: `2026-03-10T11:00:${10 + i}Z`, content: `row ${i} of ${who}`, who }),
  ).join('\n')

async function filled(options: Partial<ServerOptions>): Promise<SluiceServer> {
  const server = await createServer({ keys: [...keys], ...options } as ServerOptions)
  await server.loaded
  for (const who of ['ann', 'bob']) {
    const taken = await ask(server, '/api/ingest/logs?format=ndjson', lines(who))
    expect(taken).toMatchObject({ status: 200, body: { accepted: 30 } })
  }
  return server
}

const places = [
  { name: 'in memory', optionsOf: () => ({}), tags: [] },
  { name: 'in memory, by a thread', optionsOf: () => ({ workers: 1 }), tags: ['slow'] },
  { name: 'in a folder', optionsOf: () => ({ data: folder }), tags: [] },
  { name: 'in a folder, by a thread', optionsOf: () => ({ data: folder, workers: 1 }), tags: ['slow'] },
]

for (const { name, optionsOf, tags } of places)
  describe(`rows ${name}`, { tags }, () => {
    test('are counted, then deleted for ever', async () => {
      const server = await filled(optionsOf())
      expect(await remove(server, { where: 'who:ann' })).toEqual({ status: 200, body: { rows: 30, deleted: false } })
      expect(await count(server, 'who:ann')).toBe(30)
      const part = { start: '2026-03-10T11:00:10Z', end: '2026-03-10T11:00:20Z' }
      expect((await remove(server, { where: 'who:ann', ...part, write: true })).body).toMatchObject({ rows: 10 })
      expect(await count(server, 'who:ann')).toBe(20)
      const done = await remove(server, { where: 'who:ann', write: true })
      expect(done.body).toEqual({ rows: 20, deleted: true, id: expect.any(String) as unknown })
      expect(await count(server, 'who:ann')).toBe(0)
      expect(await count(server, '*')).toBe(30)
      expect((await remove(server, { where: 'who:ann', write: true })).body).toMatchObject({ rows: 0 })
      await ask(server, '/api/ingest/logs?format=ndjson', lines('ann'))
      expect(await count(server, 'who:ann')).toBe(30)
      expect(await count(server, 'row | filter who:bob')).toBe(30)
      await server.close()
    })

    test('as samples of metrics, with their exemplars', async () => {
      const server = await filled(optionsOf())
      const second = (i: number): number => 1_773_140_400 + i
      const headers = { Authorization: 'Bearer secret' }
      const points = (pod: string): readonly object[] =>
        Array.from({ length: 30 }, (_, i) => {
          const timeUnixNano = `${second(i)}000000000`
          const exemplars = [{ timeUnixNano, asInt: '1', traceId: 'ab'.repeat(15) + (10 + i) }]
          return { attributes: [{ key: 'pod', value: { stringValue: pod } }], timeUnixNano, asInt: `${i}`, exemplars }
        })
      const send = async (...pods: readonly string[]): Promise<void> => {
        const metrics = [{ name: 'ups', gauge: { dataPoints: pods.flatMap(points) } }]
        const { status } = await ask(server, '/v1/metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
        expect(status).toBe(200)
      }
      const get = async (path: string): Promise<{ readonly data: unknown }> => {
        const response = await server.fetch(new Request(`http://localhost${path}`, { headers }))
        return (await response.json()) as { readonly data: unknown }
      }
      const values = async (): Promise<readonly (readonly [unknown, unknown])[]> => {
        const { data } = await get(`/api/v1/query?query=count_over_time(ups[1h])&time=${second(60)}`)
        const { result } = data as {
          readonly result: readonly { readonly metric: { readonly pod: string }; readonly value: readonly unknown[] }[]
        }
        return result.map(({ metric, value }) => [metric.pod, value[1]] as const)
      }
      const exemplars = async (): Promise<number> => {
        const { data } = await get(`/api/v1/query_exemplars?query=ups&start=${second(0)}&end=${second(60)}`)
        return (data as readonly { readonly exemplars: readonly unknown[] }[]).flatMap((each) => each.exemplars).length
      }
      await send('a', 'b')
      expect([await values(), await exemplars()]).toEqual([
        [
          ['a', '30'],
          ['b', '30'],
        ],
        60,
      ])
      const part = { start: '2026-03-10T11:00:10Z', end: '2026-03-10T11:00:20Z' }
      const chosen = { table: 'samples', where: 'ups{pod="a"}' }
      expect((await remove(server, { ...chosen, ...part })).body).toEqual({ rows: 10, deleted: false })
      expect((await remove(server, { ...chosen, ...part, write: true })).body).toMatchObject({
        rows: 10,
        deleted: true,
      })
      expect([await values(), await exemplars()]).toEqual([
        [
          ['a', '20'],
          ['b', '30'],
        ],
        50,
      ])
      expect((await remove(server, { ...chosen, where: '{pod=~"a|c"}', write: true })).body).toMatchObject({ rows: 20 })
      expect([await values(), await exemplars()]).toEqual([[['b', '30']], 30])
      await send('a')
      expect([await values(), await exemplars()]).toEqual([
        [
          ['a', '30'],
          ['b', '30'],
        ],
        60,
      ])
      expect((await remove(server, { table: 'samples', where: 'down', write: true })).body).toMatchObject({ rows: 0 })
      await server.close()
    })

    test('are chosen by filters of their own, by someone who may', async () => {
      const server = await filled(optionsOf())
      const said = async (body: object, key?: string): Promise<string> => {
        const { status, body: answer } = await remove(server, { write: true, ...body }, key)
        return `${status} ${(answer as { readonly message: string }).message}`
      }
      expect(await said({ where: '* | limit 3' })).toMatch(/^400 .*a filter only, without pipes/)
      expect(await said({ where: 'who:in(ann | fields who)' })).toMatch(/^400 .*a subquery/)
      expect(await said({ where: 'who:in(' })).toMatch(/^400 /)
      expect(await said({ where: '' })).toMatch(/^400 .*not\b.* empty/)
      expect(await said({ where: '*', start: range.end, end: range.start })).toMatch(/^400 .*start/)
      expect(await said({ table: 'samples', where: '*' })).toMatch(/^400 /)
      expect(await said({ table: 'samples', where: '{}' })).toMatch(/^400 /)
      expect(await said({ table: 'samples', where: 'rate(up[5m])' })).toMatch(/^400 .*selector/)
      expect(await said({ table: 'sample', where: '*' })).toMatch(/^400 `sample` is not known here/)
      expect(await said({ where: '*' }, 'writer')).toMatch(/^403 .*role `admin`/)
      expect(await count(server, '*')).toBe(60)
      await server.close()
    })
  })

test('a folder has the deletion in its audit, and not the rows, also after a restart', async () => {
  let server = await filled({ data: folder, workers: 1 })
  await remove(server, { where: 'who:ann', write: true })
  await server.close()
  server = await createServer({ keys: [...keys], data: folder })
  await server.loaded
  expect(await count(server, '*')).toBe(30)
  expect(await count(server, 'who:ann')).toBe(0)
  await server.close()
  const { out } = await run('audit', '--data', folder)
  expect(out).toMatch(/create deletion "logs where who:ann, 2026-03-10T00:00:00Z to 2026-03-11T00:00:00Z, /)
  expect(out).toMatch(/update deletion "30 rows of logs where who:ann.* revision 1 -> 2: rows/)
})

test('someone whose policies let through a part of the rows deletes none', async () => {
  const server = await filled({ data: folder })
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' }
  const policy = {
    name: 'some',
    role: { admin: '' },
    dataScope: {
      simple: {
        conditions: [{ key: 'who', type: 'string', origin: 'root', filters: [{ op: 'match', value: 'bob' }] }],
      },
    },
  }
  const create = await server.fetch(
    new Request('http://localhost/api/rbac/policy/create', { method: 'POST', headers, body: JSON.stringify(policy) }),
  )
  const { uuid } = (await create.json()) as { readonly uuid: string }
  expect(create.status).toBe(201)
  await ask(server, '/api/rbac/policy/apply', { emails: ['root@example.com'], policyUUIDs: [uuid] })
  expect((await remove(server, { where: '*' })).status).toBe(403)
  await server.close()
})

test('the command counts unless instructed to write, over a folder and over a server', async () => {
  let server = await filled({ data: folder })
  await server.close()
  const command = ['delete', '--where', 'who:ann', '--range', '2026-03-10..2026-03-11']
  expect(await run(...command)).toMatchObject({ code: 2, error: expect.stringContaining('--data') as unknown })
  const dry = await run(...command, '--data', folder)
  expect(dry).toMatchObject({
    code: 0,
    out: '30 rows of logs would be deleted. Nothing was changed; `--write` deletes them.\n',
  })
  const none = await run('delete', '--where', '*', '--range', '..2026-03-10', '--data', folder, '--write')
  expect(none.out).toBe('0 rows of logs are deleted.\n')
  expect(await run(...command, '--data', folder, '--write')).toMatchObject({
    code: 0,
    out: '30 rows of logs are deleted.\n',
  })
  await run('delete', '--where', 'who:cy', '--range', '..', '--data', folder, '--write')
  const { out: audit } = await run('audit', '--data', folder)
  expect(audit).toContain('"logs where *, before 2026-03-10T00:00:00Z, ')
  expect(audit).toContain('"logs where who:cy, all times, ')
  expect(audit).toContain('(command line)')
  const bad = await run('delete', '--where', '* | limit 1', '--range', '..', '--data', folder)
  expect(bad.error).toContain('takes a filter only')
  expect((await run('delete', '--where', '*', '--range', 'now', '--data', folder)).error).toContain(
    '2026-01-01..2026-02-01',
  )
  server = await createServer({ keys: [...keys], data: folder })
  await server.loaded
  const { port, stop } = await server.listen()
  const url = `http://127.0.0.1:${port}`
  expect((await run(...command, '--server', url, '--key', 'secret')).out).toContain('0 rows')
  const bob = ['delete', '--where', 'who:bob', '--range', '..', '--server', url]
  expect((await run(...bob, '--key', 'writer')).error).toContain('403')
  expect((await run(...bob, '--key', 'secret', '--write')).out).toBe('30 rows of logs are deleted.\n')
  expect(await count(server, '*')).toBe(0)
  await stop()
  await server.close()
})

test('a query that began before reads its rows to the end', async () => {
  const opened = await openDataFolder(folder, () => NOW_NS)
  const tenant = newTenant({ nowMs: () => 0, nowNs: () => NOW_NS })
  const targets = new Map([['default', tenant]])
  const readers = new FileReaders()
  const persister = tablePersister({
    ...opened,
    targets,
    readers,
    cacheBytes: 1 << 20,
    retention: undefined,
    logBytes: undefined,
    keepsSegments: true,
    nowNs: () => NOW_NS,
    onChange: () => undefined,
    onFailure: (error) => expect.fail(String(error)),
  })
  persister.readBack()
  const service = createIngestService({
    targetOf: () => tenant,
    log: opened.batches,
    watch: persister,
    nowNs: () => NOW_NS,
  })
  const body = { chunks: [Buffer.from(lines('ann'))], encoding: 'identity' as const }
  await service.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body })
  const deleter = createDeleter({ targets, engineOver: () => tenant.engine, persister, onChange: () => undefined })
  const chosen = { backend: undefined, table: 'logs', range: always, nowNs: NOW_NS }
  // This delete call matches no row but flushes the rows, so they are now in a file.
  expect(await deleter.delete({ ...chosen, where: 'no:such', mode: 'delete' })).toBe(0)
  const endRead = readers.begin()
  const rows = readRows(
    tenant.engine.query('who:ann | fields content', { range: always, limits: { batchRows: 1 } }).batches(),
  )
  const read = rows[Symbol.asyncIterator]()
  const texts = [(await read.next()).value?.get('content')]
  expect(await deleter.delete({ ...chosen, where: 'who:ann', mode: 'delete' })).toBe(30)
  for (let next = await read.next(); next.done !== true; next = await read.next()) texts.push(next.value.get('content'))
  expect(texts).toEqual(Array.from({ length: 30 }, (_, i) => `row ${29 - i} of ann`))
  endRead()
  expect(await tenant.engine.query('who:ann', { range: always }).toArray()).toEqual([])
  await persister.close()
  await opened.close()
})
