// @module-tag slow
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  beginDeletion,
  createMemoryDocumentStore,
  endDeletion,
  openDocumentStore,
  type DocumentStore,
} from '../../src/resources/index.ts'
import { diskFiles, openLogs } from '../../src/store/durable/index.ts'
import { actor, inFolder, ticking } from './stores.ts'

const QUOTA = { documents: 32, bytes: 4000 }
const rows = { table: 'logs', where: 'trace_id:x', start: 'a', end: 'b', times: 'all times' }

const idsOf = (store: DocumentStore): readonly string[] =>
  store.read('default', (view) => view.list('deletion').map(({ id }) => id))

async function deleteRows(store: DocumentStore, id: string): Promise<void> {
  await beginDeletion(store, actor, id, rows)
  await endDeletion(store, actor, id, 7)
}

describe('records of deletions', () => {
  test('leave for others, the oldest that have ended first', async () => {
    const store = createMemoryDocumentStore(ticking(), { documents: 32, bytes: 1e6 })
    // The order of ids is unrelated to time.
    const name = (at: number): string => `${(at * 7919) % 1000}`.padStart(4, '0')
    await beginDeletion(store, actor, 'under way', rows)
    for (let at = 0; at < 500; at++) {
      await deleteRows(store, name(at))
      expect(idsOf(store).length).toBeLessThanOrEqual(32)
    }
    const left = idsOf(store)
    expect(left.length).toBeGreaterThan(28)
    expect(left).toContain('under way')
    for (let at = 0; at < 28; at++) expect(left, `${at} from the end`).toContain(name(499 - at))
    await endDeletion(store, actor, 'under way', 1)
    for (let at = 500; at < 540; at++) await deleteRows(store, name(at))
    expect(idsOf(store)).not.toContain('under way')
  })

  test('are bounded in bytes, too', async () => {
    const store = createMemoryDocumentStore(ticking(), { documents: 1e6, bytes: 4000 })
    for (let at = 0; at < 200; at++) await deleteRows(store, `${at}`)
    expect(idsOf(store).length).toBeGreaterThan(10)
    expect(idsOf(store).length).toBeLessThan(80)
    expect(idsOf(store)).toContain('199')
  })
})

test(
  'an audit on the disk is bounded: the oldest records leave, numbers go on, and nothing else does',
  { tags: ['slow'] },
  () =>
    inFolder(async (folder) => {
      const open = (): DocumentStore =>
        openDocumentStore(openLogs(diskFiles, folder).logs.resources, {
          nowNs: ticking(),
          quota: QUOTA,
          compactBytes: 20_000,
        })
      let store = open()
      const sizes: number[] = []
      for (let round = 0; round < 4000; round++) {
        await store.write(actor, (tx) => tx.put('silence', `s${round % 5}`, { text: `${round * 7919}`.repeat(3) }))
        if (round % 1000 !== 999) continue
        sizes.push(statSync(join(folder, 'resources.log')).size)
        await store.close()
        store = open()
      }
      expect(Math.max(...sizes)).toBeLessThan(150_000)
      const records = store.read('default', (view) => auditRecords(view))
      expect(records.length).toBeGreaterThan(100)
      expect(records[0]?.number).toBeGreaterThan(1)
      expect(records.at(-1)?.number).toBe(4000)
      expect(records.map(({ number }) => number)).toEqual(records.map((_, i) => 4000 - records.length + 1 + i))
      expect(store.read('default', (view) => view.list('silence')).map(({ revision }) => revision)).toEqual([
        800, 800, 800, 800, 800,
      ])
      await store.close()
    }),
)
