import { collect } from '../../src/base/index.ts'
import { expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { Instant, rowToJson, type StoredRow } from '../../src/data/index.ts'
import { askNodes, createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions, withPartialStates } from '../../src/functions/index.ts'
import { column, test as testOf } from '../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

const functions = withPartialStates(standardFunctions)
const namespaces = ['shop', 'pay', 'ops']
const rows = Array.from({ length: 90 }, (_, sequence): StoredRow => {
  const timeNs = 1_767_323_045_000_000_000n + BigInt(sequence) * 1_000_000_007n
  const level = sequence % 4 === 0 ? 'error' : 'info'
  const fields = {
    _time: new Instant(timeNs),
    level,
    namespace: present(namespaces[sequence % 3]),
    duration_ms: sequence * 1.5,
  }
  return { timeNs, sequence, row: new Map(Object.entries(fields)) }
})

function over(stored: readonly StoredRow[]): Engine {
  const store = createMemoryStore(standardCatalog)
  store.table('logs').appendRows(stored)
  return createEngine({ backends: [columnarBackend(store, functions)], functions, lint: 'off' })
}

const guard = testOf(column('namespace'), { kind: 'equals', value: 'shop', isFolded: false, isTyped: true })
const nodesOf = (stored: readonly StoredRow[]): readonly Engine[] =>
  [0, 1].map((node) => over(stored.filter(({ sequence }) => Math.floor(sequence / 3) % 2 === node)))

test.each([
  '*',
  'level:error | limit 4',
  '* | stats by (namespace, level) count() as n, sum(duration_ms) as s, quantile(0.5, duration_ms) as q',
  '* | stats by (level) count() if (duration_ms:>60) as n | filter n:>1',
  '* | uniq by (namespace) with hits',
  '* | top 2 by (namespace)',
  '* | field_names',
])('a scope goes to every node: %s', async (text) => {
  const visible = rows.filter(({ row }) => row.get('namespace') === 'shop')
  const options = { nowNs: 1_767_330_000_000_000_000n }
  const scoped = await askNodes(text, nodesOf(rows), over([]), { ...options, scope: () => guard })
  const plain = await askNodes(text, nodesOf(visible), over([]), options)
  const found = (await collect(scoped.rows())).map((row) => rowToJson(row))
  expect(found).toEqual((await collect(plain.rows())).map((row) => rowToJson(row)))
  expect(found.length).toBeGreaterThan(0)
})
