// @module-tag slow
import { expect, test } from 'vitest'
import { createEngine } from '../../../src/engine/index.ts'
import { isError } from '../../../src/base/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { namesIn, type Caller } from './attack.ts'
import { catalogAttacks } from './list/catalogs.ts'
import { attacks } from './list/index.ts'
import { logAttacks } from './list/logs.ts'
import { runAttacks } from './run.ts'

test('every attack has a name of its own', () => {
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
})

test('every question is one that the service would run', async () => {
  const engine = createEngine({ tables: [...createMemoryStore(standardCatalog).tables.values()] })
  const refused: string[] = []
  const ofDatabases = catalogAttacks.filter(({ catalog, isOne }) => catalog === 'databases' && isOne)
  for (const { name, run } of [...logAttacks, ...ofDatabases]) {
    const searchLogs = (query: string): Promise<void> => {
      refused.push(
        ...engine
          .check(query, { nowNs: 0n })
          .filter(isError)
          .map(({ message }) => `${name}: ${message}`),
      )
      return Promise.resolve()
    }
    const search = (_: string, query: string): Promise<void> => searchLogs(query)
    await run({ searchLogs, search } as Caller)
  }
  expect(refused).toEqual([])
})

test('names of attacks may have commas in their numbers', () => {
  expect(namesIn('1,000 slow senders,200 sorts,in(),bomb')).toEqual(['1,000 slow senders', '200 sorts', 'in()', 'bomb'])
})

test('a service is attacked, watched, and distinguished from one that died', async () => {
  const chosen = attacks.filter(({ name }) =>
    ['facets', 'one slow regexp', 'body: number of a million digits'].includes(name),
  )
  expect(chosen).toHaveLength(3)
  const kill = { name: 'kill', run: ({ pid }: Caller) => Promise.resolve(void process.kill(pid, 'SIGKILL')) }
  const results = await runAttacks({
    attacks: [...chosen, kill],
    rows: 2000,
    attackMs: 60_000,
    timeoutMs: 60_000,
    ceilingBytes: 2 ** 32,
  })
  expect(results.map(({ name, isAlive }) => [name, isAlive])).toEqual([
    ...chosen.map(({ name }) => [name, true]),
    ['kill', false],
  ])
  const [first] = results
  expect([...(first?.outcomes.keys() ?? [])]).toEqual(['200'])
  expect(first?.health.count).toBeGreaterThan(0)
  expect(first?.light.count).toBeGreaterThan(0)
  expect(first?.peakBytes).toBeGreaterThan(2 ** 25)
  expect(first?.refused).toEqual([])
})
