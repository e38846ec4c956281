import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { OfferedWork } from '../../src/backends/columnar/index.ts'
import { Budget } from '../../src/base/index.ts'
import { HelperLinks } from '../../src/helpers/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

const SEGMENTS = 20

const store = createMemoryStore(standardCatalog)
const table = store.table('logs')
for (let i = 0; i < SEGMENTS; i++) {
  table.appendJsonLines(Buffer.from(`{"_time":"2026-01-01T00:00:${10 + i}Z","content":"request ${i}"}\n`), {
    nowNs: 0n,
  })
  table.seal()
}
const budget = new Budget({ memoryBytes: 1e9, timeoutMs: 60_000, scanRows: 1e9 }, () => 0)
const offered = (leftMs: number): OfferedWork => ({
  task: {},
  segments: table.snapshot(),
  pieceCount: SEGMENTS,
  nextPiece: 1,
  pass: 0,
  budget,
  leftMs,
})

test('segments are told of when a query is long, or when many queries have gone without', () => {
  const links = new HelperLinks([new MessageChannel().port1], { leastMs: 1 })
  const isShared = (leftMs: number): boolean => {
    const work = links.share(offered(leftMs))
    work?.end()
    return work !== undefined
  }
  const asked = Array.from({ length: SEGMENTS }, () => isShared(2))
  const first = asked.indexOf(true)
  expect(first).toBeGreaterThan(0)
  expect(asked.slice(first)).not.toContain(false)

  table.appendJsonLines(Buffer.from('{"_time":"2026-01-01T00:01:00Z","content":"one more"}\n'), { nowNs: 0n })
  table.seal()
  expect(isShared(2)).toBe(true)
  links.close()
})

test('a long query has them told at once', () => {
  const links = new HelperLinks([new MessageChannel().port1], { leastMs: 1 })
  const work = links.share(offered(1000))
  expect(work).toBeDefined()
  work?.end()
  links.close()
})
