import { expect, test } from 'vitest'
import { createEngine } from '../../../src/engine/index.ts'
import { createSearchService } from '../../../src/server/search/search-service.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

const query = Array.from({ length: 2000 }, (_, i) => `content:~"w${i}#"`).join(' or ')

/** Plans the query with a clock that advances by `ms` at each reading. Returns the number of clock readings. */
async function plan(ms: number, signal: AbortSignal): Promise<number> {
  let looks = 0
  const clock = { nowMs: () => ms * looks++, nowNs: () => 0n }
  const tables = [...createMemoryStore(standardCatalog).tables.values()]
  const search = createSearchService(() => createEngine({ tables, clock }), { timeoutMs: 100 })
  await search.search({
    domain: 'logs',
    range: { startNs: 0n, endNs: 1n },
    query,
    filters: undefined,
    sources: undefined,
    pipeline: undefined,
    dialect: 'native',
    backend: undefined,
    scope: undefined,
    readsText: () => undefined,
    signal,
  })
  return looks
}

test('planning looks at the time of a query, and ends when it is over', async () => {
  const { signal } = new AbortController()
  const looks = await plan(0, signal)
  expect(looks).toBeGreaterThan(10)
  await expect(plan(200 / looks, signal)).rejects.toThrow('The query ran longer than its time limit of 100 ms.')
})

test('and ends when its caller has left', async () => {
  await expect(plan(0, AbortSignal.abort())).rejects.toThrow('cancelled')
})
