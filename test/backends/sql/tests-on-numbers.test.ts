import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { sqliteBackend, type SqliteBackend } from '../../../src/backends/sql/index.ts'
import { bound, sqlColumn } from '../../../src/backends/sql/statement/ast.ts'
import { presentOrMissing, type Cell } from '../../../src/backends/sql/cell.ts'
import { testOfNumber, testOfTime } from '../../../src/backends/sql/conditions/tests-on-numbers.ts'
import { always, nowhere } from '../../../src/base/index.ts'
import type { Value, ValueTest } from '../../../src/data/index.ts'
import { column, not, test as testOf, type LogicalPlan } from '../../../src/plan/index.ts'
import { logsTable, standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry, type SqliteConnection } from '../../../src/store/sqlite/index.ts'
import { answer, functions, logRow } from './support.ts'

type Bound = number | bigint

const range = (min: Bound, max: Bound, isMinIncluded = true, isMaxIncluded = true): ValueTest => ({
  kind: 'range',
  min,
  max,
  isMinIncluded,
  isMaxIncluded,
})
const oneOf = (values: readonly Value[]): ValueTest => ({ kind: 'in', values, isFolded: false, isTyped: true })

const bounds: readonly Bound[] = [
  NaN,
  -Infinity,
  -1e300,
  -(2n ** 63n) - 1n,
  -(2n ** 63n),
  -1.5,
  0,
  2 ** 53,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
  1e300,
  Infinity,
]
const stored: readonly Value[] = [
  null,
  -Infinity,
  -1e300,
  -(2n ** 63n),
  -1.5,
  -1,
  0,
  2 ** 53,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  2 ** 63,
  1e300,
  Infinity,
]

describe('a condition on numbers in plain SQL', () => {
  const sql = sqlColumn('t', 'v')
  const cell: Cell = { sql, form: 'number', facts: presentOrMissing, stored: undefined }
  test('is given up where a bound is not a number, or no integer of 64 bits', () => {
    for (const outside of [NaN, 2n ** 63n, -(2n ** 63n) - 1n]) {
      for (const isPositive of [true, false]) {
        expect(testOfNumber(cell, range(outside, 5), isPositive)).toBeUndefined()
        expect(testOfNumber(cell, range(5, outside), isPositive)).toBeUndefined()
        expect(testOfTime({ ...cell, form: 'time' }, range(5, outside), isPositive)).toBeUndefined()
      }
    }
    expect(testOfNumber(cell, oneOf([1, 2n ** 63n]), true)).toBeUndefined()
    for (const inside of [2n ** 63n - 1n, -(2n ** 63n), 0, -1.5, Infinity, -Infinity]) {
      expect(testOfNumber(cell, range(inside, inside), true)).toBeDefined()
    }
    expect(testOfNumber(cell, oneOf([1, 2n ** 63n - 1n]), true)).toBeDefined()
  })
  test('has the operator of each bound', () => {
    expect(testOfNumber(cell, range(1, 5, true, false), true)).toEqual({
      kind: 'and',
      args: [
        { kind: 'compare', op: '>=', left: sql, right: bound(1n) },
        { kind: 'compare', op: '<', left: sql, right: bound(5n) },
      ],
    })
    expect(testOfNumber(cell, range(1, Infinity, false), true)).toEqual({
      kind: 'compare',
      op: '>',
      left: sql,
      right: bound(1n),
    })
    expect(testOfNumber(cell, range(-Infinity, 5), true)).toEqual({
      kind: 'compare',
      op: '<=',
      left: sql,
      right: bound(5n),
    })
  })
})

describe('numbers at the borders of 64 bits and of floats', () => {
  let connection: SqliteConnection
  let sqlite: SqliteBackend
  const rows = stored.map((value, i) => logRow(i, BigInt(i), { n: i, v: value }))
  const model = rowsBackend(new Map([['logs', rows]]), functions)
  beforeAll(async () => {
    connection = await openSqlite(':memory:')
    const telemetry = sqliteTelemetry(connection, standardCatalog)
    telemetry.append('logs', rows)
    sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
  })
  afterAll(() => connection.close())

  const scan = (valueTest: ValueTest, isPositive: boolean): LogicalPlan => {
    const holds = testOf(column('v'), valueTest)
    return {
      kind: 'scan',
      table: 'logs',
      tableSchema: logsTable.schema,
      range: always,
      predicate: isPositive ? holds : not(holds),
      guard: undefined,
      columns: undefined,
      origin: nowhere,
    }
  }

  test('ranges of every pair of bounds, with and without them', async () => {
    for (const min of bounds) {
      for (const max of bounds) {
        for (const isIn of [true, false]) {
          const plan = scan(range(min, max, isIn, isIn), isIn)
          expect(await answer(sqlite, plan), `${min} to ${max} ${isIn}`).toEqual(await answer(model, plan))
        }
      }
    }
  })
  test('lists', async () => {
    for (const value of bounds) {
      for (const isIn of [true, false]) {
        const plan = scan(oneOf([value, String(value), 0]), isIn)
        expect(await answer(sqlite, plan), String(value)).toEqual(await answer(model, plan))
      }
    }
  })
})
