import { describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { auditRecords, type Actor, type DocumentStore } from '../../src/resources/index.ts'
import { limitedFiles } from '../store/durable/limited-files.ts'
import { actor, codeOf, inFolder, openStore, stores, ticking } from './stores.ts'

const other: Actor = { ...actor, backend: 'other' }

describe.each(stores)('a store of documents %s', (_, open) => {
  const withStore = (work: (store: DocumentStore) => Promise<void>): Promise<void> =>
    inFolder(async (folder) => {
      const store = await open(folder)
      await work(store)
      await store.close()
    })

  test('keeps what was put, counts revisions, remembers who and when', () =>
    withStore(async (store) => {
      const body = { big: 9007199254740993n, text: '\u2028 \ud800 "', list: [1, null, { a: false }], n: -1.5 }
      await store.write(actor, (tx) => tx.put('monitor', 'a', body, 'one'))
      const second = await store.write({ ...actor, by: 'she' }, (tx) => tx.put('monitor', 'a', { x: 1 }, 'two'))
      expect(second).toMatchObject({ revision: 2, createdBy: 'test', updatedBy: 'she', name: 'two', body: { x: 1 } })
      await store.write(actor, (tx) => tx.put('monitor', 'b', body, 'one'))
      const read = store.read('default', (view) => view.get('monitor', 'b'))
      expect(read?.body).toEqual(body)
      expect(store.read('default', (view) => view.findByName('monitor', 'one')?.id)).toBe('b')
      expect(store.read('default', (view) => view.list('monitor').map(({ id }) => id))).toEqual(['a', 'b'])
      expect(store.read('default', (view) => view.list('monitor', { after: 'a', limit: 1 })[0]?.id)).toBe('b')
      expect(store.read('default', (view) => view.get('silence', 'b'))).toBeUndefined()
    }))

  test('a change that throws leaves nothing, and its neighbours in the same commit everything', () =>
    withStore(async (store) => {
      const good = store.write(actor, (tx) => tx.put('monitor', 'good', {}))
      const bad = store.write(actor, (tx) => {
        tx.put('monitor', 'bad', {})
        tx.remove('monitor', 'good')
        throw new Error('no')
      })
      const later = store.write(actor, (tx) => tx.list('monitor').map(({ id }) => id))
      await expect(bad).rejects.toThrow('no')
      expect((await good).revision).toBe(1)
      expect(await later).toEqual(['good'])
      expect(store.read('default', (view) => auditRecords(view)).map(({ id }) => id)).toEqual(['good'])
    }))

  test('a transaction reads what it wrote; others read it only after the commit', () =>
    withStore(async (store) => {
      const written = store.write(actor, (tx) => {
        tx.put('monitor', 'a', {}, 'name')
        return [tx.get('monitor', 'a')?.revision, tx.findByName('monitor', 'name')?.id, tx.remove('monitor', 'zzz')]
      })
      expect(store.read('default', (view) => view.get('monitor', 'a'))).toBeUndefined()
      expect(await written).toEqual([1, 'a', false])
      expect(store.read('default', (view) => view.get('monitor', 'a'))).toBeDefined()
    }))

  test('backends are wholly apart', () =>
    withStore(async (store) => {
      await store.write(actor, (tx) => tx.put('monitor', 'a', {}, 'name'))
      await store.write(other, (tx) => {
        expect(tx.get('monitor', 'a')).toBeUndefined()
        expect(tx.findByName('monitor', 'name')).toBeUndefined()
        expect(tx.remove('monitor', 'a')).toBe(false)
        tx.put('monitor', 'a', { mine: true }, 'name')
      })
      expect(store.read('default', (view) => view.get('monitor', 'a'))?.body).toEqual({})
      expect(store.read('other', (view) => view.get('monitor', 'a'))?.body).toEqual({ mine: true })
      expect(store.read('default', (view) => auditRecords(view))).toHaveLength(1)
    }))

  test('every change has its audit record: who, what, from which revision to which', () =>
    withStore(async (store) => {
      const she: Actor = { backend: 'default', by: '12345678', email: 'she@x' }
      await store.write(actor, (tx) => tx.put('policy', 'p', { a: 1, b: 2 }, 'n'))
      await store.write(she, (tx) => tx.put('policy', 'p', { a: 1, b: 3, c: 4 }, 'n'))
      await store.write(she, (tx) => tx.remove('policy', 'p'))
      await store.write(actor, (tx) => tx.put('policy', 'p', {}, 'n'))
      const records = store.read('default', (view) => auditRecords(view))
      expect(records.map(({ number, action, by, from, to }) => [number, action, by, from, to])).toEqual([
        [1, 'create', 'test', undefined, 1],
        [2, 'update', '12345678', 1, 2],
        [3, 'delete', '12345678', 2, undefined],
        [4, 'create', 'test', undefined, 1],
      ])
      expect(records[1]).toMatchObject({ members: ['b', 'c'], email: 'she@x', kind: 'policy', id: 'p', name: 'n' })
      expect(present(records[1]?.atNs) > present(records[0]?.atNs)).toBe(true)
      expect(store.read('default', (view) => auditRecords(view, 3)).map(({ number }) => number)).toEqual([4])
    }))

  test('what was read or given cannot change what is stored', () =>
    withStore(async (store) => {
      const body = { list: [1] as number[] }
      await store.write(actor, (tx) => tx.put('monitor', 'a', body))
      body.list.push(2)
      const read = store.read('default', (view) => view.get('monitor', 'a'))?.body as typeof body
      expect(() => read.list.push(3)).toThrow('not extensible')
      expect(store.read('default', (view) => view.get('monitor', 'a'))?.body).toEqual({ list: [1] })
    }))

  test('names of members are the user’s own, whatever they are', () =>
    withStore(async (store) => {
      const body = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object
      await store.write(actor, (tx) => tx.put('monitor', '__proto__', body as never, '__proto__'))
      const read = store.read('default', (view) => view.get('monitor', '__proto__'))
      expect(JSON.stringify(read?.body)).toBe(JSON.stringify(body))
      expect(store.read('default', (view) => view.get('monitor', 'constructor'))).toBeUndefined()
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    }))

  test('the epoch tells every change', () =>
    withStore(async (store) => {
      const before = store.epoch()
      expect(store.epoch()).toBe(before)
      await store.write(actor, (tx) => tx.put('monitor', 'a', {}))
      expect(store.epoch()).not.toBe(before)
    }))

  test('work that goes on after the commit is a bug', () =>
    withStore(async (store) => {
      await expect(store.write(actor, () => Promise.resolve(1))).rejects.toThrow('synchronous')
    }))

  test('a closed store refuses; changes under way are finished first', () =>
    inFolder(async (folder) => {
      const store = await open(folder)
      const last = store.write(actor, (tx) => tx.put('monitor', 'a', {}))
      await store.close()
      expect((await last).revision).toBe(1)
      expect(await codeOf(() => store.write(actor, () => 1))).toBe('resources/closed')
      await store.close()
    }))
})

describe('documents of a data folder', () => {
  test('come back as they were: bodies, names, times, revisions, deletions, the audit, backends', () =>
    inFolder(async (folder) => {
      const store = await openStore(folder)
      const body = { big: 9007199254740993n, text: '\u2028 \ud800 "', list: [1, null, { a: false }], n: -1.5 }
      await store.write(actor, (tx) => tx.put('monitor', 'a', body, 'one \ud800'))
      await store.write(other, (tx) => tx.put('policy', '__proto__', { role: { read: '' } }, 'name'))
      await store.write(actor, (tx) => tx.put('silence', 's', {}))
      await store.write(actor, (tx) => tx.remove('silence', 's'))
      const all = (from: DocumentStore): unknown =>
        ['default', 'other'].map((backend) =>
          from.read(backend, (view) =>
            (['monitor', 'silence', 'policy', 'audit'] as const).map((kind) => view.list(kind)),
          ),
        )
      const before = all(store)
      await store.close()
      const again = await openStore(folder)
      expect(all(again)).toEqual(before)
      expect(again.backendsWith('policy', '__proto__')).toEqual(['other'])
      expect((await again.write(actor, (tx) => tx.put('monitor', 'a', {}, 'x'))).revision).toBe(2)
      await again.close()
    }))

  test('when the disk is full changes get 507 and reading goes on; small changes beside a large one still fit', () =>
    inFolder(async (folder) => {
      const store = await openStore(folder, ticking(), { files: limitedFiles(400_000) })
      await store.write(actor, (tx) => tx.put('monitor', 'first', { kept: true }))
      const large = store.write(actor, (tx) => tx.put('monitor', 'large', { text: 'x'.repeat(500_000) }))
      const small = store.write(actor, (tx) => tx.put('monitor', 'small', {}))
      await expect(large).rejects.toMatchObject({ code: 'resources/disk-full', failure: 'no-space' })
      expect((await small).revision).toBe(1)
      expect(store.read('default', (view) => view.list('monitor').map(({ id }) => id))).toEqual(['first', 'small'])
      let full = 'none'
      for (let i = 0; full === 'none' && i < 100; i++) {
        full = await codeOf(() => store.write(actor, (tx) => tx.put('monitor', `f${i}`, { text: 'y'.repeat(20_000) })))
      }
      expect(full).toBe('resources/disk-full')
      const found = store.read('default', (view) => view.list('monitor').map(({ id }) => id))
      await store.close()
      const again = await openStore(folder)
      expect(again.read('default', (view) => view.list('monitor').map(({ id }) => id))).toEqual(found)
      await again.close()
    }))
})
