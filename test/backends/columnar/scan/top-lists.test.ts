// @module-tag slow
import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/index.ts'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import type { Row, Value } from '../../../../src/data/index.ts'
import { createEngine } from '../../../../src/engine/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../../src/store/index.ts'
import type { ExplainTree } from '../../../../src/plan/index.ts'

const ROWS = 12_000
const SEGMENT_ROWS = 3000
const random = seededRandom(23)
const levels = ['info', 'debug', 'warn', 'error']

/** Rows of which some stay unsealed. One segment lacks `spread`, and some rows lack `tied`. */
const rows = Array.from({ length: ROWS }, (_, i): { timeNs: bigint; row: Row } => {
  const values: (readonly [string, Value])[] = [
    ['place', i],
    ['level', random.pick(levels)],
    ['one', i % 3000 === 7 ? 'yes' : 'no'],
    ['big', random.below(3) + 1_000_000 + (i % 2) / 4],
  ]
  if (i < SEGMENT_ROWS || i >= 2 * SEGMENT_ROWS) values.push(['spread', random.below(1_000_000) / 8])
  if (random.below(10) > 0) values.push(['tied', random.below(300) + 0.5])
  // Segments overlap in time.
  return { timeNs: BigInt((i % SEGMENT_ROWS) * 10 + random.below(10)), row: new Map(values) }
})
const store = createMemoryStore(standardCatalog)
const table = store.table('logs')
for (let at = 0; at < ROWS; at += SEGMENT_ROWS) {
  if (at > 0) table.seal()
  table.writer.appendRows(rows.slice(at, at + SEGMENT_ROWS))
}
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })

async function ask(query: string, disabledRules: readonly string[] = []) {
  const result = engine.query(query, { disabledRules })
  const places = (await result.toArray()).map((row) => row['place'])
  const scanned = (tree: ExplainTree): number =>
    (tree.measured?.counters['rowsScanned'] ?? 0) + tree.inputs.reduce((sum, input) => sum + scanned(input), 0)
  return { places, scanned: scanned(result.explain()) }
}

/** Runs the query without precomputed lists: the column added below the sort rules them out. */
async function slowly(filter: string, sort: string) {
  const query = `${filter} | format "<level>" as copy | ${sort} | fields place`
  return (await ask(query, ['push-topk', 'remove-unused'])).places
}

const filters = ['*', 'level:error', 'level:error OR level:warn', '-level:info', 'level:error one:no', 'absent:x']
const sorts = [
  'sort by (spread desc) | limit 20',
  'sort by (spread) | limit 20',
  'sort by (spread desc) | offset 5 | limit 3',
  'sort by (tied desc) | limit 30',
  'sort by (tied) | limit 30',
  'sort by (tied desc, place) | limit 30',
  'sort by (big desc) | limit 5',
  'sort by (spread desc) | limit 180',
]

test.each(filters)('the first rows of %s', async (filter) => {
  for (const sort of sorts) {
    expect((await ask(`${filter} | ${sort} | fields place`)).places, sort).toEqual(await slowly(filter, sort))
  }
})

test('few rows pass: the lists end before enough are found', async () => {
  const sort = 'sort by (spread desc) | limit 3'
  expect((await ask(`one:yes | ${sort} | fields place`)).places).toEqual(await slowly('one:yes', sort))
})

test('a time range cuts segments', async () => {
  const within = '_time:[1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000015Z)'
  const sort = 'sort by (spread desc) | limit 10'
  expect((await ask(`${within} | ${sort} | fields place`)).places).toEqual(await slowly(within, sort))
})

test('no row after the last requested one is tested, also after other queries', async () => {
  const scanned = async (filter: string, limit: number): Promise<number> =>
    (await ask(`${filter} | sort by (spread desc) | limit ${limit} | fields place`)).scanned
  expect(await scanned('*', 20)).toBe(20)
  const few = await scanned('level:error', 20)
  expect(few).toBeLessThan(200)
  expect(await scanned('*', 180)).toBe(180)
  expect(await scanned('level:error', 20)).toBe(few)
})

test('lists merged for one query are reused by the next, for any filter and number of rows', async () => {
  const orders = [
    ['level:error', 3],
    ['*', 40],
    ['level:warn', 25],
    ['level:error one:no', 60],
    ['*', 2],
    ['absent:x', 1],
    ['level:error', 90],
  ] as const
  for (const [filter, count] of orders) {
    const sort = `sort by (place desc) | limit ${count}`
    expect((await ask(`${filter} | ${sort} | fields place`)).places, filter).toEqual(await slowly(filter, sort))
  }
})

test('times and numbers of many segments come out as they are stored', async () => {
  const query = 'level:error | sort by (spread desc) | limit 40'
  const found = await engine.query(`${query} | fields place, _time, spread, level`).toArray()
  for (const row of found) {
    const { timeNs, row: stored } = rows[Number(row['place'])] ?? { timeNs: -1n, row: new Map<string, Value>() }
    expect(row).toEqual({
      place: stored.get('place'),
      _time: `1970-01-01T00:00:00.${String(timeNs).padStart(9, '0')}Z`,
      spread: stored.get('spread'),
      level: 'error',
    })
  }
  expect(found).toHaveLength(40)
})
