import { describe, expect, test } from 'vitest'
import { SluiceError } from '../src/base/index.ts'
import * as catalog from '../src/entries/catalog.ts'
import * as fuzz from '../src/entries/fuzz.ts'
import * as json from '../src/entries/json.ts'
import * as lang from '../src/entries/lang.ts'
import * as promql from '../src/entries/promql.ts'
import * as server from '../src/entries/server.ts'
import * as sluice from '../src/entries/sluice.ts'
import * as sqlite from '../src/entries/sqlite.ts'

type Call = (...args: unknown[]) => unknown

/** Functions that do not check their arguments, because they run for each value of a row. */
const unchecked = new Set(['formatRfc3339', 'parseRfc3339', 'spanOf'])

const functions = Object.entries({ sluice, lang, json, promql, sqlite, catalog, server, fuzz }).flatMap(
  ([entry, names]) =>
    Object.entries(names as Readonly<Record<string, unknown>>)
      .filter(([name, value]) => typeof value === 'function' && !/^class\b/.test(String(value)) && !unchecked.has(name))
      .map(([name, value]) => [`sluice${entry === 'sluice' ? '' : `/${entry}`}`, name, value as Call] as const),
)

const mistakes: readonly (readonly unknown[])[] = [[], [undefined], [null], [5], [{}], [[]], [{}, {}], [5, 5, 5]]

describe('a call that only JavaScript allows is an error with the correct call, or answered', () => {
  test.each(functions)('%s %s', async (_, __, call) => {
    const escaped: string[] = []
    for (const args of mistakes) {
      try {
        const given: unknown = await call(...args)
        if (typeof given === 'object' && given !== null && 'next' in given)
          Array.from(given as unknown as Iterable<unknown>)
      } catch (error) {
        if (!(error instanceof SluiceError)) escaped.push(`${JSON.stringify(args)}: ${String(error)}`)
      }
    }
    expect(escaped).toEqual([])
  })
})

test.each<readonly [string, Call]>([
  ['createEngine', sluice.createEngine as Call],
  ['createMemoryStore', (options: unknown) => (sluice.createMemoryStore as Call)(undefined, options)],
  ['defineTable', sluice.defineTable as Call],
  ['defineScalar', sluice.defineScalar as Call],
  ['defineStats', sluice.defineStats as Call],
  ['definePipe', sluice.definePipe as Call],
  ['defineRule', sluice.defineRule as Call],
  ['defineLint', sluice.defineLint as Call],
  ['languageOf', sluice.languageOf as Call],
  ['createLanguage', lang.createLanguage as Call],
  ['parse', (options: unknown) => (lang.parse as Call)('*', options)],
  ['parseExposition', (options: unknown) => (promql.parseExposition as Call)('', options)],
  ['parsePromql', (options: unknown) => (promql.parsePromql as Call)('up', options)],
  ['openSqlite', (options: unknown) => (sqlite.openSqlite as Call)(':memory:', options)],
  ['sqliteStatements', sqlite.sqliteStatements as Call],
  ['openCatalog', (options: unknown) => (catalog.openCatalog as Call)('', options)],
  ['inferCatalog', (options: unknown) => (catalog.inferCatalog as Call)('a.db', options)],
  ['createServer', server.createServer as Call],
  ['logCases', fuzz.logCases as Call],
])('%s refuses an option that there is not', async (_, call) => {
  const made = async (): Promise<unknown> => call({ noSuchOption: 1 })
  await expect(made()).rejects.toThrow('`noSuchOption` is not an option of')
})

test('the calls that come to mind work', async () => {
  const store = new promql.SampleStore()
  promql.storeMetrics(store, promql.parseExposition('jobs_done{queue="mail"} 7').samples)
  const metrics = promql.createPromql(sluice.createEngine({}), store)
  expect(await metrics.query('sum by (queue) (jobs_done)').toArray()).toMatchObject([{ queue: 'mail', value: 7 }])
  expect([...sluice.createMemoryStore().tables.keys()]).toContain('logs')
})
