// @module-tag slow
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  auditRecords,
  createMemoryDocumentStore,
  openDocumentStore,
  type Actor,
  type DocumentStore,
} from '../../src/resources/index.ts'
import { diskFiles, openLogs, surveyFolder, type DataFolderLogs } from '../../src/store/durable/index.ts'
import { CrashFiles, Killed } from '../store/durable/crash-files.ts'
import { run } from '../cli/terminal.ts'
import { actor, generationOf, inFolder, openStore, ticking } from './stores.ts'

const other: Actor = { ...actor, backend: 'other' }
const ROUNDS = 40

/** Changes, deletes and recreates ten documents. */
async function change(store: DocumentStore, rounds = ROUNDS): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        store.write(i === 9 ? other : actor, (tx) =>
          i === 3 && round % 2 === 1
            ? tx.remove('policy', 'd3')
            : tx.put('policy', `d${i}`, { round, big: 9007199254740993n, text: 'x'.repeat(i * 20) }, `name ${i}`),
        ),
      ),
    )
  }
}

function all(store: DocumentStore): unknown {
  return ['default', 'other'].map((backend) =>
    store.read(backend, (view) => [view.list('policy'), view.list('audit'), auditRecords(view, 300)]),
  )
}

test('a log that outgrows what it holds is written anew, with every document and every audit record', () =>
  inFolder(async (folder) => {
    const plain = createMemoryDocumentStore(ticking())
    const store = await openStore(folder, ticking(), { compactBytes: 20_000 })
    await change(plain)
    await change(store)
    await expect.poll(() => generationOf(folder)).toBeGreaterThan(2)
    expect(all(store)).toEqual(all(plain))
    await store.close()
    const uncompacted = await inFolder(async (whole) => {
      const without = await openStore(whole)
      await change(without)
      await without.close()
      return statSync(join(whole, 'resources.log')).size
    })
    expect(statSync(join(folder, 'resources.log')).size).toBeLessThan(uncompacted / 3)
    expect(surveyFolder(diskFiles, folder).isWhole).toBe(true)
    // A restart continues from the compacted log: the same documents, and consecutive numbers in the audit command's
    // output.
    const again = await openStore(folder, ticking())
    expect(all(again)).toEqual(all(plain))
    await Promise.all([plain, again].map((each) => each.write(actor, (tx) => tx.put('policy', 'd0', {}, 'name 0'))))
    const lastOf = (each: DocumentStore): unknown =>
      each.read('default', (view) =>
        auditRecords(view)
          .map(({ number, to }) => [number, to])
          .at(-1),
      )
    expect(lastOf(again)).toEqual(lastOf(plain))
    await again.close()
    const lines = (await run('audit', '--data', folder, '--format', 'ndjson')).out.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual(
      Array.from({ length: 9 * ROUNDS + 1 }, (_, i) => i + 1),
    )
  }))

test('a start writes a long log anew', () =>
  inFolder(async (folder) => {
    const store = await openStore(folder)
    await change(store)
    const before = all(store)
    await store.close()
    expect(generationOf(folder)).toBe(0)
    const again = await openStore(folder, ticking(), { compactBytes: 1000 })
    await expect.poll(() => generationOf(folder)).toBe(1)
    expect(all(again)).toEqual(before)
    await again.close()
    const last = await openStore(folder)
    expect(all(last)).toEqual(before)
    await last.close()
  }))

test('when it cannot be written anew, that is reported and changes go on', () =>
  inFolder(async (folder) => {
    const failures: string[] = []
    const files = {
      ...diskFiles,
      create: (path: string) => {
        if (path.endsWith('resources.log.new')) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
        return diskFiles.create(path)
      },
    }
    const onFailure = (error: unknown): void => void failures.push(String(error))
    const store = await openStore(folder, ticking(), { files, compactBytes: 2000, onFailure })
    await change(store, 10)
    expect(failures[0]).toBe('Error: no space left')
    // A failed compaction is not retried at every change.
    expect(failures.length).toBeLessThan(8)
    const before = all(store)
    await store.close()
    const again = await openStore(folder)
    expect(all(again)).toEqual(before)
    await again.close()
  }))

test('whatever a loss of power leaves while logs are written anew has all that was acknowledged', async () => {
  let looked = 0
  let replaced = 0
  for (let kill = 1; kill < 180; kill += 7) {
    const files = new CrashFiles({}, new Map(), ['/disk'])
    const open = (on: CrashFiles): DataFolderLogs['logs'] => openLogs(on, '/disk/data').logs
    const log = open(files).resources
    const store = openDocumentStore(log, { nowNs: ticking(), compactBytes: 500 })
    const acknowledged = new Map<string, number>()
    let changes = 0
    files.killIn = kill
    const writer = async (id: string): Promise<void> => {
      for (let revision = 1; revision <= 12; revision++) {
        await store.write(actor, (tx) => tx.put('policy', id, { revision }))
        acknowledged.set(id, revision)
        changes++
      }
    }
    await Promise.allSettled(['a', 'b'].map(writer))
    await store.close().catch((error: unknown) => expect(error).toBeInstanceOf(Killed))
    if (log.base.lastId > 0) replaced++
    for (const left of files.crashes()) {
      looked++
      const again = openDocumentStore(open(left).resources, { nowNs: ticking(), compactBytes: 1e9 })
      const found = again.read('default', (view) => ({
        policies: new Map(view.list('policy').map(({ id, revision }) => [id, revision])),
        audit: auditRecords(view).map(({ number }) => number),
      }))
      for (const [id, revision] of acknowledged) expect(found.policies.get(id)).toBeGreaterThanOrEqual(revision)
      expect(found.audit.length).toBeGreaterThanOrEqual(changes)
      expect(found.audit).toEqual(found.audit.map((_, i) => i + 1))
      await again.close()
    }
  }
  expect([looked > 100, replaced > 5]).toEqual([true, true])
})
