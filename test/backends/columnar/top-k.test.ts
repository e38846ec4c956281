// @module-tag slow
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { compareSortKey, type Row, type Value } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { simulatedThreads } from '../../../src/fuzz/simulated-threads.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

/**
 * Number of rows, more than an operator holds before it first discards some. Fields have few, many or missing values.
 */
const COUNT = 80_000
const random = seededRandom(9)
const rows = Array.from({ length: COUNT }, (_, i): { timeNs: bigint; row: Row } => {
  const row = new Map<string, Value>([
    ['few', random.pick<Value>(['a', 'b', 'c', '', 7])],
    ['text', `t${random.below(COUNT)}`],
    ['place', i],
  ])
  if (random.below(10) === 0) row.delete('text')
  return { timeNs: BigInt(i), row }
})
const store = createMemoryStore(standardCatalog)
store.table('logs').writer.appendRows(rows)
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
/** The rows in the order in which a scan returns them: newest first. */
const newestFirst = rows.toReversed().map(({ row }) => row)

function inOrderOf(rows: readonly Row[], keys: readonly string[], direction: 'asc' | 'desc'): readonly Row[] {
  return rows.toSorted((a, b) => {
    for (const key of keys) {
      const order = compareSortKey(a.get(key) ?? null, b.get(key) ?? null, direction)
      if (order !== 0) return order
    }
    return 0
  })
}

/** Returns the positions of the first `keep` rows after an offset of three. */
function placesOf(rows: readonly Row[], keep: number): readonly unknown[] {
  return rows.slice(3, keep + 3).map((row) => row.get('place'))
}

test.each([
  [['few'], 5],
  [['few'], 40_000],
  [['text'], 5],
  [['text'], 9000],
  [['few', 'text'], 7],
] as const)('the first rows by %j, %i of them', async (keys, keep) => {
  for (const direction of ['asc', 'desc'] as const) {
    const expected = placesOf(inOrderOf(newestFirst, keys, direction), keep)
    // A computed column prevents the sort from using segment statistics.
    const by = keys.map((key) => `${key} ${direction}`).join(', ')
    const query = `* | format "<few>" as copy | sort by (${by}) offset 3 limit ${keep} | fields place`
    const found = await engine.query(query, { disabledRules: ['push-topk', 'remove-unused'] }).toArray()
    expect(found.map((row) => row['place'])).toEqual(expected)
  }
})

describe('of the pieces of a scan', () => {
  /** All segments overlap in time, several rows share a time, and the last rows are not sealed. */
  const SEGMENTS = 7
  const ROWS = 1300
  const scattered = Array.from({ length: SEGMENTS * ROWS }, (_, i) => {
    const row = new Map<string, Value>([
      ['few', random.pick<Value>(['a', 'b', 'c', '', 7])],
      ['text', `t${random.below(9000)}`],
      ['number', random.pick<Value>([-1.5, 'x', 2n ** 60n, random.below(500), Number.NaN])],
      ['place', i],
    ])
    if (random.below(10) === 0) row.delete('text')
    return { timeNs: BigInt(random.below(5000)), sequence: i, row }
  })
  const overlapping = createMemoryStore(standardCatalog)
  for (let from = 0; from < scattered.length; from += ROWS) {
    overlapping.table('logs').writer.appendRows(scattered.slice(from, from + ROWS))
    if (from + ROWS < scattered.length) overlapping.table('logs').seal()
  }
  const inScanOrder = scattered
    .toSorted((a, b) => Number(b.timeNs - a.timeNs) || b.sequence - a.sequence)
    .map(({ row }) => row)

  test.each([
    [['text'], 5],
    [['text'], 3000],
    [['few'], 40],
    [['few', 'text'], 2000],
    [['number', 'few'], 50],
    [['absent', 'text'], 12],
    [['text', 'number'], 8189],
    [['text'], 8190],
  ] as const)('by %j, %i of them, by one thread and by several', async (keys, keep) => {
    for (const direction of ['asc', 'desc'] as const) {
      const by = keys.map((key) => `${key} ${direction}`).join(', ')
      const all = inOrderOf(inScanOrder, keys, direction)
      const some = all.filter((row) => row.get('few') === 'a' || row.get('few') === 'c')
      for (const parallelism of [undefined, simulatedThreads()]) {
        const backend = columnarBackend(overlapping, standardFunctions, { parallelism })
        const asked = createEngine({ backends: [backend], lint: 'off' })
        for (const [filter, expected] of [
          ['*', all],
          ['few:in(a, c)', some],
        ] as const) {
          const found = await asked.query(`${filter} | sort by (${by}) offset 3 limit ${keep} | fields place`).toArray()
          expect(found.map((row) => row['place'])).toEqual(placesOf(expected, keep))
        }
      }
    }
  })

  test('others find some of them', async () => {
    const backend = columnarBackend(overlapping, standardFunctions, { parallelism: simulatedThreads() })
    const result = createEngine({ backends: [backend], lint: 'off' }).query('* | sort by (text) limit 9')
    await result.toArray()
    expect(JSON.stringify(result.explain().inputs)).toContain('piecesOfOthers')
  })
})
