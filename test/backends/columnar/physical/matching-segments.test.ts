import { describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import type { ExplainTree } from '../../../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../../../src/store/index.ts'
import { storedRows } from '../../../../bench/datasets.ts'
import { planOf } from '../../sql/questions.ts'
import { linesOf, newContext } from '../answer.ts'

const ROWS = 2000
const SEGMENTS = 4
const store = createMemoryStore(standardCatalog)
;[...storedRows({ rows: ROWS, seed: 8 })].forEach((stored, i) => {
  const row = new Map(stored.row)
  if (i === 700) row.set('content', 'a qzxneedle in here')
  store.table('logs').writer.appendRows([{ ...stored, row }])
  if ((i + 1) % (ROWS / SEGMENTS) === 0) store.table('logs').seal()
})
const backend = columnarBackend(store, standardFunctions)

/** Returns the lines of an answer and the counters of its scan. */
async function read(query: string) {
  const prepared = backend.prepare(planOf(query), newContext(1000))
  const lines = await linesOf(prepared)
  let tree: ExplainTree = prepared.explain()
  while (tree.inputs[0] !== undefined) tree = tree.inputs[0]
  const { rowsScanned = 0, segmentsSkipped = 0 } = tree.measured?.counters ?? {}
  return { lines, rowsScanned, segmentsSkipped }
}

describe('segments with a row that passes', () => {
  test.each(['*', 'level:=error', 'level:=nosuchlevel', 'request', 'qzxneedle'])(
    '%s: no row is looked at when it is known how many pass',
    async (condition) => {
      const found = await read(`${condition} | blocks_count as n`)
      expect(found.rowsScanned).toBe(0)
      expect(found.segmentsSkipped).toBe(0)
      const expected = { '*': 4, 'level:=error': 4, 'level:=nosuchlevel': 0, request: 4, qzxneedle: 1 }[condition]
      expect(found.lines).toEqual([`n=2:${expected}`])
    },
  )

  test('several conditions: rows are looked at where none rules a segment out', async () => {
    expect(await read('qzxneedle level:=nosuchlevel | blocks_count as n')).toEqual({
      lines: ['n=2:0'],
      rowsScanned: 0,
      segmentsSkipped: SEGMENTS,
    })
    const some = await read('qzxneedle duration_ms:>=0 | blocks_count as n')
    expect(some.lines).toEqual(['n=2:1'])
    expect(some.segmentsSkipped).toBe(SEGMENTS - 1)
    expect(some.rowsScanned).toBe(ROWS / SEGMENTS)
  })
})
