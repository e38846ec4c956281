import { afterAll, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { indexThread, type IndexThread } from '../../src/helpers/index.ts'
import { createMemoryStore, standardCatalog, type MemoryStore, type MemoryTable } from '../../src/store/index.ts'

const SEGMENT_ROWS = 8192
const open: IndexThread[] = []
afterAll(async () => Promise.all(open.map(async (each) => each.close())))

function fill(table: MemoryTable, segments: number, rows = SEGMENT_ROWS): void {
  for (let segment = 0; segment < segments; segment++) {
    table.appendRows(
      Array.from({ length: rows }, (_, i) => ({
        timeNs: BigInt(segment * rows + i),
        row: new Map([['content', `request ${i % 50} of user${segment * rows + i} größe`]]),
      })),
    )
    table.seal()
  }
}

function indexed(): { readonly store: MemoryStore; readonly table: MemoryTable; readonly thread: IndexThread } {
  const store = createMemoryStore(standardCatalog)
  const thread = indexThread(store.tables.values())
  open.push(thread)
  return { store, table: store.table('logs'), thread }
}

const haveWords = (table: MemoryTable): readonly boolean[] =>
  table.sealedSegments().map(({ words }) => words !== undefined)

async function count(store: MemoryStore, query: string): Promise<unknown> {
  const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)] })
  return (await engine.query(`${query} | stats count() as n`).toArray())[0]?.['n']
}

test('words come from another thread, the same as those made here', async () => {
  const { store, table, thread } = indexed()
  fill(table, 2)
  expect(haveWords(table)).toEqual([false, false])
  expect(await count(store, 'user12000')).toBe(1)
  await thread.settled()
  expect(haveWords(table)).toEqual([true, true])
  expect(await count(store, 'user12000')).toBe(1)
  expect(await count(store, 'größe')).toBe(2 * SEGMENT_ROWS)

  const other = createMemoryStore(standardCatalog).table('logs')
  fill(other, 2)
  for (const [i, segment] of table.sealedSegments().entries()) {
    const expected = present(other.sealedSegments()[i])
    expect(segment.words).toEqual(expected.words)
    expect(segment.memoryBytes).toBe(expected.memoryBytes)
  }
})

test('the thread that seals indexes small segments itself, and those that too many others are waiting before', async () => {
  const { table, thread } = indexed()
  fill(table, 1, 100)
  fill(table, 6)
  expect(haveWords(table)).toEqual([true, false, false, false, false, true, true])
  await thread.settled()
  expect(haveWords(table)).not.toContain(false)
})

test('a segment that has gone meanwhile does not come back', async () => {
  const { store, table, thread } = indexed()
  fill(table, 2)
  table.replaceSealed(new Set([present(table.sealedSegments()[0])]), [])
  await thread.settled()
  expect(haveWords(table)).toEqual([true])
  expect(await count(store, '*')).toBe(SEGMENT_ROWS)
})

test('what the thread has not made when it is closed is made here; later segments get theirs at once', async () => {
  const { table, thread } = indexed()
  fill(table, 3)
  await thread.close()
  expect(haveWords(table)).toEqual([true, true, true])
  fill(table, 1)
  expect(haveWords(table)).not.toContain(false)
  await thread.close()
  await thread.settled()
})

test('a table whose segments somebody takes already is left alone', async () => {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  let sealed = 0
  table.onSealed = () => void sealed++
  open.push(indexThread([table]))
  fill(table, 1)
  expect(sealed).toBe(1)
  expect(haveWords(table)).toEqual([true])
})
