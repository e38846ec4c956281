import { describe, expect, test } from 'vitest'
import {
  createMemoryDocumentStore,
  type Actor,
  type DocumentStore,
  type ResourceKind,
} from '../../src/resources/index.ts'
import { createServer, type SluiceServer } from '../../src/server/index.ts'
import { actor, codeOf, inFolder, openStore, ticking } from './stores.ts'

const other: Actor = { ...actor, by: 'other' }
const elsewhere: Actor = { ...actor, backend: 'elsewhere' }

const put = (
  store: DocumentStore,
  id: string,
  { kind = 'silence', by = actor, bytes = 0 }: { kind?: ResourceKind; by?: Actor; bytes?: number } = {},
): Promise<string> => codeOf(() => store.write(by, (tx) => tx.put(kind, id, { text: 'x'.repeat(bytes) })))

const remove = (store: DocumentStore, id: string): Promise<string> =>
  codeOf(() => store.write(actor, (tx) => tx.remove('silence', id)))

describe('documents of one kind', () => {
  test('are limited in number, all together and by key', async () => {
    const store = createMemoryDocumentStore(ticking(), { documents: 4, bytes: 1e6 })
    for (const id of ['a', 'b', 'c']) expect(await put(store, id)).toBe('none')
    expect(await put(store, 'd')).toBe('resources/quota')
    expect(await put(store, 'd', { by: other })).toBe('none')
    expect(await put(store, 'e', { by: other })).toBe('resources/quota')
    // Updates of existing documents, and new documents of other kinds or backends, are still accepted.
    expect(await put(store, 'a', { bytes: 10 })).toBe('none')
    expect(await put(store, 'a', { kind: 'monitor' })).toBe('none')
    expect(await put(store, 'a', { by: elsewhere })).toBe('none')
    expect(await remove(store, 'a')).toBe('none')
    expect(await put(store, 'e')).toBe('none')
  })

  test('are limited in size; what becomes smaller goes on', async () => {
    const store = createMemoryDocumentStore(ticking(), { documents: 100, bytes: 1000 })
    expect(await put(store, 'a', { bytes: 600 })).toBe('none')
    expect(await put(store, 'a', { bytes: 740 })).toBe('resources/quota')
    expect(await put(store, 'b', { by: other, bytes: 300 })).toBe('none')
    expect(await put(store, 'c', { bytes: 100 })).toBe('resources/quota')
    expect(await put(store, 'a', { bytes: 500 })).toBe('none')
    expect(await put(store, 'c', { bytes: 100 })).toBe('none')
    expect(await put(store, 'c', { bytes: 100 })).toBe('none')
  })

  test('that one transaction adds count together, and none is made where they are too many', async () => {
    const store = createMemoryDocumentStore(ticking(), { documents: 4, bytes: 1e6 })
    const many = () =>
      store.write(actor, (tx) => {
        for (let i = 0; i < 4; i++) tx.put('silence', String(i), {})
      })
    expect(await codeOf(many)).toBe('resources/quota')
    expect(store.read('default', (view) => view.list('silence'))).toEqual([])
    for (const id of ['a', 'b', 'c']) expect(await put(store, id)).toBe('none')
  })

  test('records of deletions of rows have no limit', async () => {
    const store = createMemoryDocumentStore(ticking(), { documents: 1, bytes: 10 })
    for (const id of ['a', 'b', 'c']) expect(await put(store, id, { kind: 'deletion', bytes: 100 })).toBe('none')
  })

  test('count again after a restart', () =>
    inFolder(async (folder) => {
      const quota = { documents: 4, bytes: 1e6 }
      const first = await openStore(folder, ticking(), { quota })
      for (const id of ['a', 'b', 'c']) await put(first, id)
      await first.close()
      const second = await openStore(folder, ticking(), { quota })
      expect(await put(second, 'd')).toBe('resources/quota')
      await second.close()
    }))
})

test('documents leave the reserve of the disk alone; removing them and records of deletions may use it', () =>
  inFolder(async (folder) => {
    const before = await openStore(folder)
    await put(before, 'a')
    await before.close()
    const store = await openStore(folder, ticking(), { diskReserveBytes: Number.MAX_SAFE_INTEGER })
    const changes = ['b', 'a'].map((id) => put(store, id, { bytes: 10 }))
    expect(await Promise.all([...changes, remove(store, 'a'), put(store, 'd', { kind: 'deletion' })])).toEqual([
      'resources/disk-reserve',
      'resources/disk-reserve',
      'none',
      'none',
    ])
    await store.close()
  }))

describe('lists', () => {
  const ask = async (server: SluiceServer, path: string, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await server.fetch(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    return { status: response.status, next: response.headers.get('X-Next-Skip'), value: JSON.parse(text) as unknown }
  }

  async function pages(server: SluiceServer, path: string) {
    const sizes: number[] = []
    for (let skip: string | null = '0'; skip !== null;) {
      const { status, next, value } = await ask(server, `${path}?skip=${skip}`)
      expect(status).toBe(200)
      sizes.push((value as readonly unknown[]).length)
      skip = next
    }
    return sizes
  }

  test('of silences and policies come in pages, and large ones are refused before they fill the memory', async () => {
    const server = await createServer({ keys: ['key'] })
    const silence = (i: number) => ({
      startsAt: `2026-01-01T00:00:${10 + (i % 50)}Z`,
      endsAt: '2026-02-01T00:00:00Z',
      comment: 'x'.repeat(900_000),
      matchers: [{ name: 'a', value: 'b', isEqual: true, isRegex: false }],
    })
    let made = 0
    let refused: unknown
    while (refused === undefined && made < 100) {
      const { status, value } = await ask(server, '/api/monitors/silences', silence(made))
      if (status === 200) made++
      else refused = { status, code: (value as { readonly code: string }).code }
    }
    // The quota is three quarters of 32 MiB.
    expect([made, refused]).toEqual([27, { status: 507, code: 'resources/quota' }])
    expect(await pages(server, '/api/monitors/silences')).toEqual([10, 10, 7])
    const two = await ask(server, '/api/monitors/silences?limit=2&skip=24')
    expect([(two.value as readonly unknown[]).length, two.next]).toEqual([2, '26'])
    const last = await ask(server, '/api/monitors/silences?limit=2&skip=25')
    expect([(last.value as readonly unknown[]).length, last.next]).toEqual([2, null])
    for (let i = 0; i < 10; i++)
      await ask(server, '/api/rbac/policy/create', { name: `p${i}`, description: 'y'.repeat(1_000_000) })
    const sizes = await pages(server, '/api/rbac/policies/list')
    expect(sizes.length).toBeGreaterThan(1)
    const policies = await ask(server, '/api/rbac/policies/list?limit=1&skip=1')
    expect([(policies.value as readonly unknown[]).length, policies.next]).toEqual([1, '2'])
    await server.close()
  })
})
