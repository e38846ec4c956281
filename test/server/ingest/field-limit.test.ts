// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { createServer, type ServerOptions, type SluiceServer } from '../../../src/server/index.ts'
import { SEARCH } from '../harness/harness.ts'

let folder: string
let server: SluiceServer

const range = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' }
/** The policies of a user are combined, so each scope needs a separate user. */
const readers = Array.from({ length: 11 }, (_, i) => `reader${i}`)
const keys = [
  { key: 'root', email: 'root@example.com' },
  ...readers.map((key) => ({ key, email: `${key}@example.com`, roles: ['read'] as const })),
]

async function ask(path: string, body: unknown, key = 'root'): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await server.fetch(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function contents(query: string, key?: string): Promise<readonly unknown[]> {
  const rows = await ask(SEARCH, { ...range, query: `${query} | sort by (content)` }, key)
  return (rows as readonly { readonly content: unknown }[]).map(({ content }) => content)
}

/** Gives a user a policy with one condition and returns the rows that the user then sees. */
async function seen(reader: string, key: string, filter: object): Promise<readonly unknown[]> {
  const conditions = [{ key, type: 'string', filters: [filter] }]
  const policy = { name: reader, dataScope: { simple: { conditions } } }
  const { uuid } = (await ask('/api/rbac/policy/create', policy)) as { readonly uuid: string }
  await ask('/api/rbac/policy/apply', { emails: [`${reader}@example.com`], policyUUIDs: [uuid] })
  return contents('content:row*', reader)
}

const flood = (from: number): string => {
  const members = Array.from({ length: 4000 }, (_, i) => `"flood_${from + i}":1`)
  return `{"_time":"2026-03-10T10:00:00Z",${members.join(',')}}`
}

const row = (i: number, more: object): string =>
  JSON.stringify({ _time: `2026-03-10T11:00:0${i}Z`, content: `row ${i}`, ...more })

const rows = [
  row(1, { tenant: 'a', size: 5, workload: 'api', namespace: 'shop', trace_id: 'ab12' }),
  row(2, { tenant: 'b', size: 50, workload: 'web', namespace: 'shop' }),
  row(3, { tenant: 'ab', size: 500 }),
  row(4, { size: 1.5, tags: ['a', 'b'] }),
]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-field-limit-'))
})

afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each<[string, () => Partial<ServerOptions>]>([
  ['in memory', () => ({})],
  ['in a folder', () => ({ data: folder })],
])('after 20,000 names have come, %s', (_, optionsOf) => {
  beforeEach(async () => {
    server = await createServer({ keys: [...keys], ...optionsOf() } as ServerOptions)
    await server.loaded
    const first = Array.from({ length: 5 }, (_, i) => flood(i * 4000))
    await ask('/api/ingest/logs?format=ndjson', first.join('\n'))
    await ask('/api/ingest/logs?format=ndjson', rows.join('\n'))
  })

  test('declared fields are found', async () => {
    expect(await contents('content:row*')).toEqual(['row 1', 'row 2', 'row 3', 'row 4'])
    expect(await contents('workload:api namespace:shop trace_id:ab12')).toEqual(['row 1'])
    expect(await contents('{workload="web"}')).toEqual(['row 2'])
    expect(await contents('_other_fields:*tenant*')).toHaveLength(3)
  })

  test('scopes over later fields show and hide what they say', async () => {
    const cases: readonly (readonly [string, object, readonly number[]])[] = [
      ['tenant', { op: 'ne', value: 'a' }, [2, 3, 4]],
      ['tenant', { op: 'notin', value: ['a', 'b'] }, [3, 4]],
      ['tenant', { op: 'notexists' }, [4]],
      ['tenant', { op: 'notcontains', value: 'b' }, [1, 4]],
      ['tenant', { op: 'eq', value: 'a' }, [1]],
      ['tenant', { op: 'in', value: ['a', 'b'] }, [1, 2]],
      ['tenant', { op: 'regex', value: '^a' }, [1, 3]],
      ['tenant', { op: 'exists' }, [1, 2, 3]],
      ['size', { op: 'gt', value: 5 }, [2, 3]],
      ['flood_19999', { op: 'notexists' }, [1, 2, 3, 4]],
      ['workload', { op: 'eq', value: 'web' }, [2]],
    ]
    for (const [i, [key, filter, visible]] of cases.entries())
      expect([key, filter, await seen(present(readers[i]), key, filter)]).toEqual([
        key,
        filter,
        visible.map((row) => `row ${row}`),
      ])
  })

  test('rows are deleted by later fields', async () => {
    const remove = (where: string): Promise<unknown> => ask('/api/rows/delete', { ...range, where, write: true })
    expect(await ask('/api/rows/delete', { ...range, where: 'tenant:a' })).toEqual({ rows: 1, deleted: false })
    expect(await remove('tenant:=ab')).toMatchObject({ rows: 1, deleted: true })
    expect(await remove('size:>5')).toMatchObject({ rows: 1 })
    expect(await contents('content:row*')).toEqual(['row 1', 'row 4'])
    // `*:=` compares values, not field names.
    expect(await remove('*:=tenant')).toMatchObject({ rows: 0 })
    expect(await remove('ten*:=a')).toMatchObject({ rows: 1 })
    expect(await contents('content:row*')).toEqual(['row 4'])
    expect(await remove('content:row* !tenant:*')).toMatchObject({ rows: 1 })
  })
})
