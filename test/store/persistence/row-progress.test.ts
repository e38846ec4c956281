import { expect, test } from 'vitest'
import { createMemoryStore, standardCatalog, type MemoryTable } from '../../../src/store/index.ts'
import { persistedTable, type PersistedTable } from '../../../src/store/persistence/persisted-table.ts'
import { RowProgress } from '../../../src/store/persistence/row-progress.ts'

interface Folder {
  readonly progress: RowProgress
  readonly persisted: PersistedTable
  readonly table: MemoryTable
  /** Stores a batch of rows, all of them unsealed. */
  readonly store: (id: number, rows: number) => void
}

function folder(batches = new Map<number, { readonly first: number; readonly end: number }>()): Folder {
  const table = createMemoryStore(standardCatalog).table('logs')
  const persisted = persistedTable('', table, undefined as never)
  const progress = new RowProgress({ state: { batches, retiredTo: 0 } }, new Map([[persisted.key, persisted]]))
  table.sealer.onSealed = (segment) => progress.sealed(persisted, segment)
  const store = (id: number, count: number): void => {
    const { writer } = table
    writer.rows.nextSequence = progress.begun(id, persisted, writer.rows.nextSequence)
    writer.appendRows(Array.from({ length: count }, () => ({ timeNs: 1n, row: new Map([['content', 'a']]) })))
    progress.ended(id, persisted, writer.rows.nextSequence)
  }
  return { progress, persisted, table, store }
}

test('a segment is ready once the senders of all its rows know that they are stored', () => {
  const { progress, persisted, table, store } = folder()
  progress.replayed()
  store(1, 2)
  store(2, 3)
  table.seal()
  progress.acknowledge(1)
  expect(progress.ready(persisted)).toEqual([])
  progress.acknowledge(2)
  expect(progress.ready(persisted)).toEqual(table.segments.all)
  expect(progress.waitingSegments).toBe(1)
})

test('naming a segment retires the batches whose rows are all in segments, and numbers those that have other rows too', () => {
  const { progress, persisted, table, store } = folder()
  progress.replayed()
  store(1, 2)
  const { rows } = table.writer
  rows.nextSequence = progress.begun(2, persisted, rows.nextSequence)
  table.writer.appendRows([{ timeNs: 1n, row: new Map() }])
  table.seal()
  table.writer.appendRows([{ timeNs: 1n, row: new Map() }])
  progress.ended(2, persisted, rows.nextSequence)
  for (const id of [1, 2]) progress.acknowledge(id)
  const [segment] = progress.ready(persisted)
  if (segment === undefined) throw new Error('a segment is ready')
  const edit = progress.naming(persisted, segment)
  expect(edit).toEqual({ retiredTo: 1, batches: [[2, 2, 4]] })
  expect(progress.retiredTo).toBe(0)
  progress.notNamed(persisted, segment)
  expect(progress.ready(persisted)).toEqual([segment])
  expect(progress.naming(persisted, segment)).toEqual(edit)
  progress.named(edit)
  expect([progress.retiredTo, progress.waitingSegments]).toEqual([1, 0])
})

test('a batch that is read back gets the numbers that the manifest has of it, and must have as many rows', () => {
  const { persisted, table, store } = folder(new Map([[7, { first: 40, end: 42 }]]))
  store(7, 2)
  expect(table.writer.rows.nextSequence).toBe(42)
  expect(persisted.next).toBe(42)
  expect(() => folder(new Map([[7, { first: 40, end: 42 }]])).store(7, 3)).toThrow(/7/)
})
