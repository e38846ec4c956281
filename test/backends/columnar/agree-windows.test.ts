// @module-tag slow
import { describe, expect, test } from 'vitest'
import { nowhere, present } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { toText, type StoredRow } from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import {
  column,
  printPlan,
  test as testExpr,
  type AggregateCall,
  type LogicalPlan,
  type NamedWindow,
  type SortKey,
} from '../../../src/plan/index.ts'
import { createMemoryStore, logsTable, standardCatalog } from '../../../src/store/index.ts'
import { storedRows } from '../../../bench/datasets.ts'
import { answer } from './answer.ts'
import { Draw } from './random-plans.ts'

/** Just enough rows, as the model counts each running value anew, for sorts by words and for the first rows of partitions; some fields of several types. */
const rows: readonly StoredRow[] = [...storedRows({ rows: 620, seed: 5 })].map((stored, i) => {
  const row = new Map(stored.row)
  if (i % 11 === 0) row.delete('duration_ms')
  if (i % 13 === 0) row.delete('level')
  if (i % 17 === 0) row.set('level', '')
  if (i % 23 === 0) row.set('pod', i % 46)
  row.set('odd', present([i % 7, `${i % 5}`, 2n ** 60n + BigInt(i % 3), 0.1 * (i % 9)][i % 4]))
  row.set('large', 2 ** 51 + (i % 100))
  row.set('text', `t${i % 30} ${toText(row.get('level') ?? null)}`)
  return { ...stored, row }
})

const store = createMemoryStore(standardCatalog)
rows.forEach((row, i) => {
  store.table('logs').appendRows([row])
  if (i === 200 || i === 201 || i === 500) store.table('logs').seal()
})
const columnar = columnarBackend(store, standardFunctions)
const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)

const scan: LogicalPlan = {
  kind: 'scan',
  table: 'logs',
  tableSchema: logsTable.schema,
  range: { startNs: present(rows[0]).timeNs, endNs: present(rows[619]).timeNs },
  predicate: undefined,
  guard: undefined,
  columns: undefined,
  origin: nowhere,
}
const fields = ['duration_ms', 'level', 'pod', 'odd', 'large', 'text', '_time', 'absent', 'workload', 'status']
const functions = ['count', 'count_empty', 'sum', 'avg', 'min', 'max', 'count_uniq', 'any', 'row_max']

function randomKeys(draw: Draw): SortKey[] {
  const names = draw.pick([
    ['_time'],
    ['duration_ms', '_time'],
    ['status'],
    ['odd', 'level'],
    ['text', 'absent'],
    ['pod'],
  ])
  return names.map((name) => ({ expr: column(name), direction: draw.pick(['asc', 'desc']) }))
}

function randomCall(draw: Draw): AggregateCall {
  const fn = draw.pick(functions)
  const args = fn === 'count' ? draw.some(fields, 2) : [draw.pick(fields)]
  const filter = draw.chance(3)
    ? testExpr(column('level'), { kind: 'equals', value: 'error', isFolded: true, isTyped: true })
    : undefined
  return {
    fn,
    args: args.map((arg) => column(arg)),
    params: [],
    limit: undefined,
    orderBy: [],
    filter,
    origin: nowhere,
  }
}

function randomNode(draw: Draw): LogicalPlan {
  const partitionBy = draw
    .some(['level', 'pod', 'workload', 'odd', 'duration_ms', 'text'], 2)
    .map((name) => column(name))
  const kinds: (() => LogicalPlan)[] = [
    () => ({
      kind: 'window',
      input: scan,
      partitionBy,
      orderBy: draw.chance(4) ? [] : randomKeys(draw),
      calls: Array.from({ length: 2 }, (_, i): NamedWindow => ({
        name: `w${i}`,
        type: 'any',
        call: randomCall(draw),
        frame: draw.pick(['partition', 'running']),
      })),
      origin: nowhere,
    }),
    () => ({
      kind: 'sort',
      input: scan,
      keys: randomKeys(draw),
      offset: draw.below(3),
      limit: draw.chance(5) ? undefined : draw.pick([0, 1, 3, 40]),
      partitionBy,
      rankName: draw.chance(2) ? 'rank' : undefined,
      origin: nowhere,
    }),
    () => ({
      kind: 'limit-by',
      input: scan,
      keys: partitionBy,
      offset: draw.below(3),
      limit: draw.below(4),
      origin: nowhere,
    }),
  ]
  return draw.pick(kinds)()
}

describe('windows and the first rows of partitions', () => {
  for (const first of [0, 8, 16, 24]) {
    test(`are the rows of the model, seeds ${first} to ${first + 7}`, async () => {
      for (let seed = first; seed < first + 8; seed++) {
        const plan = randomNode(new Draw(seed))
        expect(await answer(columnar, plan, 997), printPlan(plan)).toEqual(await answer(model, plan, 1000))
      }
    })
  }
})
