// @module-tag slow
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { present } from '../../src/base/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { EngineThreads } from '../../src/engine/threads.ts'
import type { ExplainTree } from '../../src/plan/index.ts'
import { createMemoryStore, standardCatalog, type MemoryStore, type MemoryTable } from '../../src/store/index.ts'

const SEGMENT_ROWS = 8192
const open: Engine[] = []
afterAll(async () => Promise.all(open.map(async (each) => each.close())))

function fill(table: MemoryTable, segments: number, rows = SEGMENT_ROWS): void {
  for (let segment = 0; segment < segments; segment++) {
    table.writer.appendRows(
      Array.from({ length: rows }, (_, i) => ({
        timeNs: BigInt(segment * rows + i),
        row: new Map([['content', `request ${i % 50} of user${segment * rows + i} größe`]]),
      })),
    )
    table.seal()
  }
}

function threaded(): { readonly store: MemoryStore; readonly table: MemoryTable; readonly engine: Engine } {
  const store = createMemoryStore(standardCatalog)
  const engine = createEngine({ tables: [...store.tables.values()], threads: 2, lint: 'off' })
  open.push(engine)
  return { store, table: store.table('logs'), engine }
}

const haveWords = (table: MemoryTable): readonly boolean[] => table.segments.all.map(({ words }) => words !== undefined)

async function count(store: MemoryStore, query: string): Promise<unknown> {
  const engine = createEngine({ tables: [...store.tables.values()] })
  return (await engine.query(`${query} | stats count() as n`).toArray())[0]?.['n']
}

test('sealed segments are indexed by another thread, as this one would', async () => {
  const { store, table, engine } = threaded()
  fill(table, 2)
  expect(haveWords(table)).toEqual([false, false])
  expect(await count(store, 'user12000')).toBe(1)
  await engine.indexed()
  expect(haveWords(table)).toEqual([true, true])
  expect(await count(store, 'user12000')).toBe(1)
  expect(await count(store, 'größe')).toBe(2 * SEGMENT_ROWS)

  const other = createMemoryStore(standardCatalog).table('logs')
  fill(other, 2)
  for (const [i, segment] of table.segments.all.entries()) {
    const expected = present(other.segments.all[i])
    expect(segment.words).toEqual(expected.words)
    expect(segment.memoryBytes).toBe(expected.memoryBytes)
  }
})

test('the thread that seals indexes small segments itself, and others while four wait', async () => {
  const { table, engine } = threaded()
  fill(table, 1, 100)
  fill(table, 6)
  expect(haveWords(table)).toEqual([true, false, false, false, false, true, true])
  await engine.indexed()
  expect(haveWords(table)).not.toContain(false)
})

test('a segment that is removed while it is indexed does not come back', async () => {
  const { store, table, engine } = threaded()
  fill(table, 2)
  table.segments.replace(new Set([present(table.segments.all[0])]), [])
  await engine.indexed()
  expect(haveWords(table)).toEqual([true])
  expect(await count(store, '*')).toBe(SEGMENT_ROWS)
})

test('closing the engine indexes what waits; later segments are indexed when they are sealed', async () => {
  const { table, engine } = threaded()
  fill(table, 3)
  await engine.close()
  expect(haveWords(table)).toEqual([true, true, true])
  fill(table, 1)
  expect(haveWords(table)).not.toContain(false)
  await engine.close()
  await engine.indexed()
})

test('a table whose sealed segments are taken elsewhere is left alone', async () => {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  let sealed = 0
  table.sealer.onSealed = () => void sealed++
  open.push(createEngine({ tables: [table.view], threads: 2 }))
  fill(table, 1)
  expect(sealed).toBe(1)
  expect(haveWords(table)).toEqual([true])
})

function piecesOfOthers({ measured, inputs }: ExplainTree): number {
  return inputs.reduce((sum, input) => sum + piecesOfOthers(input), measured?.counters['piecesOfOthers'] ?? 0)
}

test('long queries are answered by several threads until the engine is closed', async () => {
  const { store, table, engine } = threaded()
  fill(table, 8)
  const query = 'content:~"user[0-9]*7[0-9]*7 " | stats by (content) count() n | sort by (content) | limit 3'
  const ask = async (of: Engine): Promise<readonly [unknown, number]> => {
    const result = of.query(query, { nowNs: 0n })
    return [await result.toArray(), piecesOfOthers(result.explain())]
  }
  const [expected] = await ask(createEngine({ tables: [...store.tables.values()], lint: 'off' }))
  for (let pieces = 0; pieces === 0;) {
    const [answer, ofOthers] = await ask(engine)
    expect(answer).toEqual(expected)
    pieces = ofOthers
    // Started threads report readiness to the event loop.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await engine.close()
  expect(await ask(engine)).toEqual([expected, 0])
})

test('threads that cannot be started are a warning, and segments get their word indexes all the same', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  onTestFinished(() => warn.mockRestore())
  const table = createMemoryStore(standardCatalog).table('logs')
  const threads = new EngineThreads(1, [table.view], () => Promise.reject(new Error('no such file')))
  fill(table, 2)
  await threads.indexed()
  expect(haveWords(table)).toEqual([true, true])
  expect(warn.mock.calls).toEqual([
    ['Queries run on one thread, since others could not be started: no such file', 'SluiceWarning'],
  ])
  await threads.close()
})
