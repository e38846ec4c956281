import { expect, test } from 'vitest'
import { always, nowhere, present } from '../../../../src/base/index.ts'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { Instant, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { column, test as testOf, type LogicalPlan } from '../../../../src/plan/index.ts'
import { createMemoryStore, logsTable, standardCatalog } from '../../../../src/store/index.ts'
import { answer } from '../answer.ts'

const origin = nowhere

function distinct(keys: readonly string[], limit: number | undefined, isFiltered: boolean): LogicalPlan {
  const value = column('value')
  const predicate = testOf(column('key'), { kind: 'equals', value: 'k1', isFolded: true, isTyped: true })
  return {
    kind: 'aggregate',
    input: {
      kind: 'scan',
      table: 'logs',
      tableSchema: logsTable.schema,
      range: always,
      predicate: isFiltered ? predicate : undefined,
      guard: undefined,
      columns: undefined,
      origin,
    },
    keys: keys.map((name) => ({ name, expr: column(name), type: 'any' })),
    aggregates: [
      {
        name: 'n',
        type: 'any',
        call: { fn: 'count_uniq', args: [value], params: [], limit, orderBy: [], filter: undefined, origin },
      },
    ],
    origin,
  }
}

const kinds: readonly (readonly [name: string, valueOf: (i: number) => Value])[] = [
  ['texts', (i) => `v${(i * 7) % 41}`],
  ['texts, empty and missing', (i) => (i % 5 === 0 ? '' : i % 7 === 0 ? null : `v${(i * 7) % 41}`)],
  ['nothing', (i) => (i % 2 === 0 ? '' : null)],
  ['texts and numbers', (i) => (i % 3 === 0 ? i % 11 : `v${i % 13}`)],
  ['ids', (i) => (i % 3 === 0 ? null : `${(i * 7) % 311}`.padStart(32, '0'))],
  [
    'ids in hyphens and times',
    (i) => (i % 4 === 0 ? new Instant(BigInt(i % 9)) : `4bf92f35-77b3-4da6-a3ce-${`${i % 200}`.padStart(12, '0')}`),
  ],
  ['texts, in the end each another one', (i) => (i < 600 ? `v${i % 9}` : `long ${i} ${'x'.repeat(i % 5)}`)],
]

test.each(kinds)('distinct values are those of the model: %s', async (_, valueOf) => {
  const rows = Array.from({ length: 900 }, (_row, i): StoredRow => {
    const timeNs = BigInt(i)
    const fields: readonly (readonly [string, Value])[] = [
      ['_time', new Instant(timeNs)],
      // Groups that first appear in later rows make the arrays grow.
      ['key', `k${i % (1 + Math.floor(i / 100))}`],
      ['value', valueOf(i)],
    ]
    return { timeNs, sequence: i, row: new Map(fields) }
  })
  for (const hasCodes of [true, false]) {
    const store = createMemoryStore(standardCatalog, { hasCodes })
    const table = store.table('logs')
    for (const [from, to] of [
      [0, 300],
      [300, 301],
      [301, 900],
    ] as const) {
      table.writer.appendRows(rows.slice(from, to))
      table.seal()
    }
    expect(present(table.view.snapshot()[0]).columns.has('key')).toBe(true)
    const own = columnarBackend(store, standardFunctions)
    const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)
    for (const keys of [[], ['key'], ['key', 'value']]) {
      for (const limit of [undefined, 3]) {
        for (const isFiltered of [false, true]) {
          const plan = distinct(keys, limit, isFiltered)
          expect(await answer(own, plan, 1000)).toEqual(await answer(model, plan, 1000))
        }
      }
    }
  }
})
