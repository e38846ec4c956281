import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { sqliteTable } from '../../../src/backends/sql/index.ts'
import { SluiceError } from '../../../src/base/index.ts'
import { Instant, type StoredRow, type Value } from '../../../src/data/index.ts'
import { createEngine, printExplainTree, type Engine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import type { Expr } from '../../../src/plan/index.ts'
import type { DataScope } from '../../../src/policy/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry, type SqliteTelemetry } from '../../../src/store/sqlite/index.ts'

const users = [
  { name: 'ann', team: 'blue' },
  { name: 'bob', team: 'red' },
]

function ofUser(name: string): Expr {
  const origin = { kind: 'none' } as const
  return {
    kind: 'test',
    arg: { kind: 'column', name: 'user', origin },
    test: { kind: 'equals', value: name, isFolded: false, isTyped: false },
    origin,
  }
}

const logs: readonly StoredRow[] = [
  { level: 'error', user: 'ann', ms: 40 },
  { level: 'info', user: 'bob', ms: 5 },
  { level: 'error', user: 'cid', ms: 70, 'http.path': '/a' },
  { level: 'error', user: 'bob', ms: 7 },
].map((fields, i) => {
  const timeNs = BigInt(1_000 + i)
  const row = new Map<string, Value>([['_time', new Instant(timeNs)], ...Object.entries(fields)])
  return { timeNs, sequence: i, row }
})

let telemetry: SqliteTelemetry
let engine: Engine
let inMemory: Engine

beforeAll(async () => {
  telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
  telemetry.append('logs', logs)
  engine = createEngine({ tables: { logs: sqliteTable(telemetry), workloads: users }, lint: 'off' })
  const store = createMemoryStore(standardCatalog)
  store.table('logs').writer.appendRows(logs)
  inMemory = createEngine({
    backends: [columnarBackend(store, standardFunctions)],
    catalog: standardCatalog,
    lint: 'off',
  })
})

afterAll(() => {
  telemetry.connection.close()
})

function explained(text: string, scope?: DataScope): string {
  return printExplainTree(engine.query(text, scope === undefined ? {} : { scope }).explain())
}

describe('a table in SQLite beside others', () => {
  test.each([
    '*',
    'level:error',
    'level:error ms:>10 | fields user, ms',
    '* | limit 2',
    'level:error | stats by (user) count() n, max(ms) m | sort by (user)',
    '* | sort by (ms) | fields user',
    '_time:<1970-01-01T00:00:00.000001002Z',
    'user:in(level:info | fields user) | fields ms',
    '"http.path":* | fields http.path',
  ])('%s gives the rows of the store in memory', async (text) => {
    const expected = await inMemory.query(text).toArray()
    expect(expected.length).toBeGreaterThan(0)
    expect(await engine.query(text).toArray()).toEqual(expected)
  })

  test('can be joined with a table of objects', async () => {
    const text =
      'level:error | join by (user) (options(domain=workloads) * | rename name as user) inner | fields user, team, ms'
    expect(await engine.query(text).toArray()).toEqual([
      { user: 'bob', team: 'red', ms: 7 },
      { user: 'ann', team: 'blue', ms: 40 },
    ])
    expect(explained(text)).toContain('the table decides: level = i:"error" (exact)')
  })

  test('reads only what the query needs, and tests in SQLite what SQLite can test', () => {
    expect(explained('level:error ms:>10 | fields user | limit 1')).toMatchInlineSnapshot(`
      "project user  [columnar]
        limit 1  [columnar]
          scan logs always columns=(user) where (level = i:"error" and ms in (10, +Inf])  [columnar]
            - reads only user, _time, level, ms
            - the table decides: level = i:"error" and ms in (10, +Inf] (exact)
            - newest first is requested
            - at most 1 rows are requested"
    `)
  })

  test('a data scope is tested on every row above the table, which gets no bound', async () => {
    const scope: DataScope = (table) => (table === 'logs' ? ofUser('bob') : undefined)
    const text = 'level:error | fields user, ms | limit 1'
    expect(await engine.query(text, { scope }).toArray()).toEqual([{ user: 'bob', ms: 7 }])
    expect(await engine.query('* | stats count() n', { scope }).toArray()).toEqual([{ n: 2 }])
    expect(await engine.query('user:ann | stats count() n', { scope }).toArray()).toEqual([{ n: 0 }])
  })

  test('a table that the database does not have', () => {
    expect(() => sqliteTable(telemetry, 'orders')).toThrow(SluiceError)
    expect(() => sqliteTable(telemetry, 'orders')).toThrow('The table `orders` could not be read')
  })
})
