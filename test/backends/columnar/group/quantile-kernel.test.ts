import { describe, expect, test } from 'vitest'
import { always, nowhere, present } from '../../../../src/base/index.ts'
import { Frame } from '../../../../src/backends/columnar/frame.ts'
import { GroupMemory } from '../../../../src/backends/columnar/kernels/group-memory.ts'
import { QuantileStore } from '../../../../src/backends/columnar/group/quantile-kernel.ts'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { Instant, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { column, test as testOf, type AggregateCall, type Expr, type LogicalPlan } from '../../../../src/plan/index.ts'
import { createMemoryStore, logsTable, standardCatalog } from '../../../../src/store/index.ts'
import { answer } from '../answer.ts'

const origin = nowhere

/**
 * Returns backends over sealed segments. Without dictionary codes all values are plain, so the bounds of all numbers
 * are known.
 */
function backendsOf(fields: readonly Readonly<Record<string, Value>>[], sizes: readonly number[], hasCodes = false) {
  const rows = fields.map((more, i): StoredRow => {
    const timeNs = BigInt(i)
    return {
      timeNs,
      sequence: i,
      row: new Map<string, Value>([['_time', new Instant(timeNs)], ...Object.entries(more)]),
    }
  })
  const store = createMemoryStore(standardCatalog, { hasCodes })
  const table = store.table('logs')
  let from = 0
  for (const size of sizes) {
    table.writer.appendRows(rows.slice(from, (from += size)))
    table.seal()
  }
  return {
    columnar: columnarBackend(store, standardFunctions),
    model: rowsBackend(new Map([['logs', rows]]), standardFunctions),
  }
}

function call(fn: string, params: readonly Value[], filter?: Expr): AggregateCall {
  return { fn, args: [column('value')], params, limit: undefined, orderBy: [], filter, origin }
}

function quantiles(keys: readonly string[], phis: readonly number[], predicate?: Expr, filter?: Expr): LogicalPlan {
  return aggregate(
    keys,
    phis.map((phi) => call('quantile', [phi], filter)),
    predicate,
  )
}

function aggregate(keys: readonly string[], calls: readonly AggregateCall[], predicate?: Expr): LogicalPlan {
  return {
    kind: 'aggregate',
    input: {
      kind: 'scan',
      table: 'logs',
      tableSchema: logsTable.schema,
      range: always,
      predicate,
      guard: undefined,
      columns: undefined,
      origin,
    },
    keys: keys.map((name) => ({ name, expr: column(name), type: 'any' })),
    aggregates: calls.map((call, i) => ({ name: `q${i}`, type: 'any', call })),
    origin,
  }
}

const phis = [-1, 0, 0.25, 0.5, 0.9, 1, 2]
const spread = (i: number): number => (i * 7919) % 251
const kinds: readonly (readonly [name: string, valueOf: (i: number) => Value])[] = [
  ['from zero on', spread],
  ['on both sides of zero', (i) => spread(i) - 125],
  ['below zero', (i) => -1 - spread(i)],
  ['fractions near each other', (i) => 1 + spread(i) / 2 ** 40],
  ['of every size', (i) => (i % 2 === 0 ? -1 : 1) * 2 ** ((spread(i) - 125) * 4)],
  ['all the same', () => 0],
  ['with infinities', (i) => (i % 50 === 0 ? Infinity : i % 50 === 1 ? -Infinity : spread(i))],
  ['missing now and then', (i) => (i % 3 === 0 ? null : spread(i))],
  ['with texts among them', (i) => (i % 97 === 0 ? 'x' : spread(i))],
]

describe('quantiles of sealed numbers are those of the model', () => {
  test.each(kinds)('%s', async (_, valueOf) => {
    const rows = Array.from({ length: 400 }, (_row, i) => ({
      value: valueOf(i),
      few: `g${i % 5}`,
      many: `m${i % 130}`,
      level: i % 2 === 0 ? 'info' : 'error',
    }))
    const { columnar, model } = backendsOf(rows, [150, 150, 100])
    const coded = backendsOf(rows, [150, 150, 100], true).columnar
    const isError = testOf(column('level'), { kind: 'equals', value: 'error', isFolded: true, isTyped: true })
    for (const keys of [[], ['few'], ['many'], ['few', 'level']]) {
      for (const plan of [
        quantiles(keys, phis),
        quantiles(keys, phis, isError),
        quantiles(keys, phis.slice(3, 4), undefined, isError),
      ]) {
        const expected = await answer(model, plan, 1000)
        expect(await answer(columnar, plan, 1000)).toEqual(expected)
        expect(await answer(coded, plan, 1000)).toEqual(expected)
      }
    }
  })

  test('groups that come only in later segments', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => ({ value: i, few: `g${Math.floor(i / 100)}` }))
    const { columnar, model } = backendsOf(rows, [100, 100, 100, 100, 100, 100])
    const plan = quantiles(['few'], phis)
    const found = await answer(columnar, plan, 1000)
    expect(found).toEqual(await answer(model, plan, 1000))
    expect(found).toHaveLength(6)
  })

  test('short segments beside long ones: each row counts once', async () => {
    const rows = Array.from({ length: 401 }, (_, i) => ({ value: (i * 7919) % 401, few: `g${i % 3}` }))
    for (const sizes of [
      [300, 1, 50, 50],
      [50, 50, 1, 300],
      [1, 200, 100, 100],
    ]) {
      const { columnar, model } = backendsOf(rows, sizes)
      for (const keys of [[], ['few']]) {
        const plan = quantiles(keys, phis)
        expect(await answer(columnar, plan, 1000)).toEqual(await answer(model, plan, 1000))
      }
    }
  })
})

describe('a store of values', () => {
  const values = [1e300, -7, -1e300, 0, 5, NaN, 12]
  const memory = createMemoryStore(standardCatalog, { hasCodes: false })
  memory.table('logs').writer.appendRows(
    values.map((value, i) => ({
      timeNs: BigInt(i),
      sequence: i,
      row: new Map([['value', value === value ? value : null]]),
    })),
  )
  memory.table('logs').seal()
  const segment = present(memory.table('logs').view.snapshot()[0])

  /**
   * Returns quantiles of group 3, of the last group, and of group 1, which has one row. The input arrays are longer
   * than the number of rows in use.
   */
  function quantilesOf(groupCount: number): readonly Value[] {
    const last = groupCount - 1
    const store = new QuantileStore('value', { min: -1e300, max: 1e300 }, new GroupMemory())
    for (const phi of [0, 0.5, 1]) store.want(phi)
    const grouped = {
      segment,
      frame: new Frame(segment.rowCount, new Map()),
      rows: Uint32Array.from([0, 1, 2, 3, 4, 5, 6]),
      first: 0,
      groups: Uint32Array.from([3, last, 3, 3, last, 3, 1, 3, 3]),
      length: 6,
    }
    for (const pass of [0, 1]) {
      store.reserve(groupCount)
      store.add(pass, grouped)
      // A later pass may know fewer groups than an earlier one, never more.
      store.reserve(4)
      store.endPass(pass)
    }
    return [3, last, 1].flatMap((group) => [0, 0.5, 1].map((phi) => store.quantile(group, phi)))
  }

  test.each([5, 40, 1000, 20_000, 70_000, 5_000_000])('of %i groups, by buckets or whole', (groupCount) => {
    const order = present(segment).columns.get('value')?.column.kind
    expect(order).toBe('float64')
    expect(quantilesOf(groupCount)).toEqual([-1e300, 0, 1e300, -7, 5, 5, null, null, null])
  })
})

test('a sum beyond 2^53 is rounded once when any of its numbers is a fraction, and exact otherwise', async () => {
  for (const [numbers, sum] of [
    [[0.5, 0.5, 2 ** 53, 2 ** 53, 2], 'q0=2:18014398509481988'],
    [[1, 2 ** 53, 2 ** 53, 2], 'q0=3:18014398509481987'],
  ] as const) {
    const rows = numbers.map((value) => ({ value }))
    const { columnar, model } = backendsOf(rows, [rows.length])
    const found = await answer(columnar, aggregate([], [call('sum', [])]), 1000)
    expect(found).toEqual(await answer(model, aggregate([], [call('sum', [])]), 1000))
    expect(found).toEqual([sum])
  }
})
