import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../src/base/index.ts'
import { auditRecords, openSqliteDocumentStore, type Actor, type DocumentStore } from '../../src/resources/index.ts'
import { openSqlite } from '../../src/store/sqlite/index.ts'
import { actor, codeOf, inFolder, stores, ticking } from './stores.ts'

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
      read.list.push(3)
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

describe('a SQLite file of documents', () => {
  const open = (path: string, maxBytes?: number): Promise<DocumentStore> =>
    openSqliteDocumentStore(path, ticking(), { maxBytes })

  test('another process’s changes change the epoch', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'r.db')
      const [a, b] = [await open(path), await open(path)]
      const before = a.epoch()
      await b.write(actor, (tx) => tx.put('monitor', 'a', {}))
      expect(a.epoch()).not.toBe(before)
      expect(a.read('default', (view) => view.get('monitor', 'a'))?.revision).toBe(1)
      await Promise.all([a.close(), b.close()])
    }))

  test('when the disk is full changes get 507 and reading goes on; small changes beside a large one still fit', () =>
    inFolder(async (folder) => {
      const store = await open(join(folder, 'r.db'), 400_000)
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
      expect(store.read('default', (view) => view.get('monitor', 'first'))?.body).toEqual({ kept: true })
      await store.close()
    }))

  test('a row that was edited from outside is refused', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'r.db')
      const store = await open(path)
      await store.write(actor, (tx) => tx.put('policy', 'p', { dataScope: { simple: { disabled: true } } }, 'n'))
      await store.close()
      for (const edit of [
        `UPDATE documents SET body = '{}' WHERE kind = 'policy'`,
        `UPDATE documents SET revision = 7 WHERE kind = 'policy'`,
        `UPDATE documents SET backend = 'other' WHERE kind = 'policy'`,
        `UPDATE documents SET id = 'q' WHERE kind = 'policy'`,
      ]) {
        const copy = join(folder, 'copy.db')
        copyFileSync(path, copy)
        const connection = await openSqlite(copy)
        connection.exec(edit)
        connection.close()
        expect(await codeOf(() => open(copy)), edit).toBe('resources/damaged')
      }
    }))

  test('files that are none, of others, or of later releases are refused and left alone', () =>
    inFolder(async (folder) => {
      const text = join(folder, 'text.db')
      writeFileSync(text, 'no database at all, but long enough to look like one '.repeat(50))
      expect(await codeOf(() => open(text))).toBe('sqlite/cannot-open')
      const foreign = join(folder, 'foreign.db')
      const connection = await openSqlite(foreign)
      connection.exec('CREATE TABLE mine (a)')
      connection.close()
      expect(await codeOf(() => open(foreign))).toBe('resources/not-ours')
      const later = join(folder, 'later.db')
      await (await open(later)).close()
      const raised = await openSqlite(later)
      raised.pragma('user_version = 99')
      raised.close()
      expect(await codeOf(() => open(later))).toBe('resources/newer-version')
    }))

  test('300 damaged copies: each opens with every document as it was, or is refused', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'r.db')
      const store = await open(path)
      const bodies = Array.from({ length: 60 }, (_, i) => ({ i, text: `document ${i} `.repeat(20) }))
      for (const body of bodies) await store.write(actor, (tx) => tx.put('monitor', `m${body.i}`, body))
      await store.close()
      const sound = readFileSync(path)
      const random = seededRandom(7)
      const outcomes = new Map<string, number>()
      for (let i = 0; i < 300; i++) {
        const damaged = Buffer.from(sound)
        const count = 1 + random.below(8)
        for (let k = 0; k < count; k++) {
          const at = random.below(damaged.length)
          damaged[at] = present(damaged[at]) ^ (1 + random.below(255))
        }
        const copy = join(folder, `d${i}.db`)
        writeFileSync(copy, damaged)
        const outcome = await codeOf(async () => {
          const opened = await open(copy)
          const found = opened.read('default', (view) => view.list('monitor'))
          expect(found.map(({ body }) => body).toSorted((a, b) => Number(a['i']) - Number(b['i']))).toEqual(bodies)
          await opened.close()
        })
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
      const allowed = [
        'none',
        'resources/damaged',
        'resources/not-ours',
        'resources/newer-version',
        'sqlite/cannot-open',
      ]
      expect([...outcomes.keys()].filter((code) => !allowed.includes(code))).toEqual([])
      expect(outcomes.get('resources/damaged')).toBeGreaterThan(100)
    }))

  const fixtures = new URL('fixtures/', import.meta.url)
  test.each(readdirSync(fixtures))('the kept file %s opens, is lifted and can be written', (name) =>
    inFolder(async (folder) => {
      const path = join(folder, name)
      copyFileSync(new URL(name, fixtures), path)
      for (let round = 1; round <= 2; round++) {
        const store = await open(path)
        const monitor = store.read('default', (view) => view.findByName('monitor', 'Kept'))
        expect(monitor?.body).toEqual({ title: 'Kept', labels: { a: 'b' } })
        expect(store.read('other', (view) => view.list('policy')[0]?.body)).toEqual({ role: { read: '' } })
        expect(store.read('default', (view) => auditRecords(view)).length).toBe(round)
        await store.write(actor, (tx) => tx.put('silence', `s${round}`, {}))
        await store.close()
      }
      const connection = await openSqlite(path, { isReadonly: true })
      expect(connection.pragma('user_version', { simple: true })).toBe(2)
      connection.close()
    }),
  )
})
