// @module-tag slow
import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { compareSortKey, type Row, type Value } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

/** More than are held before the first cut; few, many and missing values. */
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
store.table('logs').appendRows(rows)
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
/** As a scan gives them. */
const newestFirst = rows.toReversed().map(({ row }) => row)

test.each([
  [['few'], 5],
  [['few'], 40_000],
  [['text'], 5],
  [['text'], 9000],
  [['few', 'text'], 7],
] as const)('the first rows by %j, %i of them', async (keys, keep) => {
  for (const direction of ['asc', 'desc'] as const) {
    const expected = newestFirst
      .toSorted((a, b) => {
        for (const key of keys) {
          const order = compareSortKey(a.get(key) ?? null, b.get(key) ?? null, direction)
          if (order !== 0) return order
        }
        return 0
      })
      .slice(3, keep + 3)
      .map((row) => row.get('place'))
    // A column made on the way keeps the sort from using what segments know.
    const by = keys.map((key) => `${key} ${direction}`).join(', ')
    const query = `* | format "<few>" as copy | sort by (${by}) offset 3 limit ${keep} | fields place`
    const found = await engine.query(query, { disabledRules: ['push-topk', 'remove-unused'] }).toArray()
    expect(found.map((row) => row['place'])).toEqual(expected)
  }
})
