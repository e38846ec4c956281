import { describe, expect, test } from 'vitest'
import { noReads, present, runWithBudget, type BlockReads } from '../../../src/base/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { manyKinds, onDisk, rowCounter, sealedTable, type Rows } from './read-all.ts'

const table = sealedTable(manyKinds(5000))

const countReads = <T>(reads: BlockReads, ask: () => T): T => runWithBudget({ checkpoint: () => undefined, reads }, ask)

describe('rows by code of a field in a file', () => {
  test('are built for the second query that can use them', () => {
    const [segment] = onDisk(table, new BlockCache(1 << 24)).view.snapshot()
    const level = present(segment?.columns.get('level'))
    const first = noReads()
    expect(countReads(first, () => [level.wantsOrder?.(), level.wantsOrder?.()])).toEqual([false, false])
    expect(level.isOrderMade).toBe(false)
    expect(countReads(noReads(), () => level.wantsOrder?.())).toBe(true)
    expect(level.order).toBeDefined()
    expect([level.isOrderMade, countReads(first, () => level.wantsOrder?.())]).toEqual([true, true])
  })

  test('are not built for a single query, and do not change answers', async () => {
    const disk = onDisk(table, new BlockCache(1 << 24))
    const [segment] = disk.view.snapshot()
    const level = present(segment?.columns.get('level'))
    const count = rowCounter(disk)
    const inMemory = rowCounter(table)
    const query = 'level:error duration_ms:>4000'
    const expected = await inMemory(query)
    expect(expected).toBeGreaterThan(0)
    expect([await count(query), level.isOrderMade]).toEqual([expected, false])
    expect([await count(query), level.isOrderMade]).toEqual([expected, true])
    expect(await count(query)).toBe(expected)
  })
})

test('rows without a field that has too many values to be counted are found', async () => {
  const rows: Rows = Array.from({ length: 9000 }, (_, i) => [
    BigInt(i),
    i % 2 === 0 ? [['trace_id', `trace ${i}`]] : [['other', 'x']],
  ])
  const memory = sealedTable(rows)
  const disk = onDisk(memory, new BlockCache(1 << 24))
  expect(present(disk.view.snapshot()[0]?.columns.get('trace_id')).counts).toBeUndefined()
  for (const query of ['trace_id:""', 'trace_id:in("", "trace 4")', '-trace_id:*', 'trace_id:"trace 4"'])
    expect([query, await rowCounter(disk)(query)]).toEqual([query, await rowCounter(memory)(query)])
  expect(await rowCounter(disk)('trace_id:""')).toBe(4500)
})
