import { expect, test } from 'vitest'
import { collect } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { Engine, printExplainTree, readRows } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { putOnDisk } from '../../src/fuzz/on-disk.ts'
import { column, test as testOf } from '../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

function engineOver(isOnDisk: boolean): Engine {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  table.writer.appendRows(
    Array.from({ length: 500 }, (_, i) => ({
      timeNs: BigInt(i) * 1_000_000_000n,
      row: new Map([
        ['content', `request ${i} took long`],
        ['pod', `p${i % 7}`],
      ]),
    })),
  )
  table.seal()
  if (isOnDisk) putOnDisk(table)
  const tables = new Map([['logs', table.view]])
  return new Engine({ backends: [columnarBackend({ tables }, standardFunctions)], catalog: store.catalog, lint: 'off' })
}

const onlyP3 = testOf(column('pod'), { kind: 'equals', value: 'p3', isFolded: false, isTyped: false })
const text = 'pod:p3 took | sort by (_time) | fields content'

test('a query tells what of segments in files it read, and what the cache had', async () => {
  const engine = engineOver(true)
  const first = engine.query(text)
  expect(await collect(readRows(first.batches()))).toHaveLength(71)
  const cold = first.statistics()
  expect(cold.blocksFromDisk).toBeGreaterThan(2)
  expect(cold.bytesFromDisk).toBeGreaterThan(100)
  expect(cold.summary).toMatch(/ \d+ blocks \(\d+\.\d KiB\) came from the disk, \d+ parts from the cache\.$/)
  expect(printExplainTree(first.explain())).toMatch(/blocksFromDisk \d+, bytesFromDisk \d+/)
  const second = engine.query(text)
  await collect(readRows(second.batches()))
  const warm = second.statistics()
  expect(warm).toMatchObject({ blocksFromDisk: 0, bytesFromDisk: 0 })
  expect(warm.partsFromCache).toBeGreaterThan(2)
  // Each part counts once, even if it is read several times.
  expect(warm.partsFromCache).toBeLessThanOrEqual(cold.blocksFromDisk)
  expect(warm.bytesFromCache).toBeGreaterThan(100)
})

test('over rows in memory it tells of nothing', async () => {
  const result = engineOver(false).query(text)
  await collect(readRows(result.batches()))
  expect(result.statistics()).toMatchObject({ blocksFromDisk: 0, bytesFromDisk: 0, partsFromCache: 0 })
  expect(result.statistics().summary).not.toContain('disk')
})

test('under a data scope it tells of nothing, for hidden rows were read too', async () => {
  const result = engineOver(true).query(text, { scope: () => onlyP3 })
  await collect(readRows(result.batches()))
  expect(result.statistics()).toMatchObject({
    blocksFromDisk: 0,
    bytesFromDisk: 0,
    partsFromCache: 0,
    bytesFromCache: 0,
  })
})

test('the pipe `query_stats` tells it, too', async () => {
  const engine = engineOver(true)
  const [row] = await collect(readRows(engine.query('pod:p3 | query_stats').batches()))
  expect(row?.get('disk_blocks')).toBeGreaterThan(0)
  expect(row?.get('disk_bytes')).toBeGreaterThan(0)
  const [again] = await collect(readRows(engine.query('pod:p3 | query_stats').batches()))
  expect(again?.get('disk_blocks')).toBe(0)
  expect(again?.get('cache_parts')).toBeGreaterThan(0)
})
