// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Budget, SluiceError } from '../../../../src/base/index.ts'
import { clickHouseEngine, type ClickHouseOptions } from '../../../../src/backends/sql/engines/clickhouse.ts'
import type { ForeignEngine, ForeignForm, ForeignValue, SqlParameter } from '../../../../src/backends/sql/index.ts'
import { CLICKHOUSE, hasClickHouse, startClickHouse, type ClickHouse } from '../../../clickhouse/index.ts'

const limits = { memoryBytes: 256 * 2 ** 20, timeoutMs: 600_000, scanRows: 10_000_000 }
const budgetOf = (more: Partial<typeof limits> = {}, signal?: AbortSignal): Budget =>
  new Budget({ ...limits, ...more }, () => performance.now(), signal)

const value = (given: ForeignValue, at = 0): SqlParameter =>
  ({ kind: 'value', name: `p${at + 1}`, value: typeof given === 'boolean' ? Number(given) : given }) as const

/** Returns all rows and the number of batches in which they arrived. */
async function rowsOf(
  engine: ForeignEngine,
  sql: string,
  forms: readonly ForeignForm[],
  more: { parameters?: readonly SqlParameter[]; budget?: Budget; batchRows?: number } = {},
): Promise<{ rows: ForeignValue[][]; batches: number }> {
  const { parameters = [], budget = budgetOf(), batchRows = 1024 } = more
  const rows: ForeignValue[][] = []
  let batches = 0
  for await (const batch of engine.run({ sql, parameters, forms }, { budget, batchRows })) {
    batches++
    expect(batch.rowCount).toBeLessThanOrEqual(batchRows)
    for (let i = 0; i < batch.rowCount; i++) rows.push(batch.columns.map((column) => column[i] ?? null))
  }
  return { rows, batches }
}

async function codeOf(work: Promise<unknown>): Promise<{ code: string; text: string }> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SluiceError)) throw new TypeError(`no error of ours: ${String(error)}`)
  return { code: error.diagnostics[0]?.code ?? '', text: JSON.stringify(error.diagnostics) + error.message }
}

describe.skipIf(!hasClickHouse)(`statements on ${CLICKHOUSE}`, () => {
  let server: ClickHouse
  let engine: ForeignEngine
  const open = (more: Partial<ClickHouseOptions> = {}): ForeignEngine => {
    const { url, username, password } = server
    return clickHouseEngine({ url, username, password, ...more })
  }
  /** Returns the number of matching statements that the server is running, excluding this query. */
  const running = async (mark: string): Promise<string> =>
    (
      await server.run(
        `SELECT count() FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%system.processes%'`,
      )
    ).trim()

  beforeAll(async () => {
    server = await startClickHouse()
    engine = open()
    await server.run('CREATE DATABASE IF NOT EXISTS sluice_test')
    await server.run(`CREATE OR REPLACE TABLE sluice_test.kinds (
      a UInt64, b Nullable(Int32), c LowCardinality(Nullable(String)), d Enum8('x' = 1), e Map(LowCardinality(String), String), f DateTime64(9),
      g String ALIAS toString(a)
    ) ENGINE = MergeTree ORDER BY a`)
  })
  afterAll(async () => {
    await engine.close()
    await server.run('DROP DATABASE IF EXISTS sluice_test')
    await server.stop()
  })

  test('columns come in their order with their own types', async () => {
    const columns = await engine.describe({ kind: 'table', path: ['sluice_test', 'kinds'] })
    expect(columns).toEqual([
      { name: 'a', type: 'UInt64', isNullable: false },
      { name: 'b', type: 'Nullable(Int32)', isNullable: true },
      { name: 'c', type: 'LowCardinality(Nullable(String))', isNullable: true },
      { name: 'd', type: `Enum8('x' = 1)`, isNullable: false },
      { name: 'e', type: 'Map(LowCardinality(String), String)', isNullable: false },
      { name: 'f', type: 'DateTime64(9)', isNullable: false },
      { name: 'g', type: 'String', isNullable: false },
    ])
  })

  test('64-bit integers, doubles, texts and NULL cross as they are', async () => {
    const sql = `SELECT toInt64(-9223372036854775808) AS a, toUInt64(9223372036854775807) AS b, 0.1 + 0.2 AS c, -0.0 AS d, nan AS e,
      '\\0 é 😀 \\r\\n' AS f, toLowCardinality(toNullable('x')) AS g, NULL AS h, true AS i, toNullable(toInt32(7)) AS j`
    const forms = ['int64', 'int64', 'double', 'double', 'double', 'text', 'text', 'text', 'bool', 'double'] as const
    const { rows } = await rowsOf(engine, sql, forms)
    expect(rows).toEqual([[-(2n ** 63n), 2n ** 63n - 1n, 0.1 + 0.2, -0, NaN, '\0 é 😀 \r\n', 'x', null, true, 7]])
  })

  test('parameters cross as they are, whatever they hold', async () => {
    const texts = [`' OR 1 --`, '\\', '\\N', '\n\t\0\r\b', '{p1:String}', '😀', '', `${'x'.repeat(100_000)}'`]
    const sql = `SELECT ${texts.map((_, i) => `{p${i + 1}:String} AS t${i}`).join(', ')}, {p9:Nullable(String)} AS n, {p10:Int64} AS i, {p11:Float64} AS d`
    const { rows } = await rowsOf(engine, sql, [...texts.map(() => 'text' as const), 'text', 'int64', 'double'], {
      parameters: [...texts, null, -(2n ** 63n), -0].map(value),
    })
    expect(rows).toEqual([[...texts, null, -(2n ** 63n), -0]])
  })

  test('rows come in batches of their size, texts longer than a piece of the stream whole', async () => {
    const sql = `SELECT number AS n, repeat('ab', if(number = 500, 1000000, number)) AS t FROM numbers(3000)`
    const { rows, batches } = await rowsOf(engine, sql, ['double', 'text'], { batchRows: 100 })
    expect(batches).toBeGreaterThanOrEqual(30)
    expect(rows.map(([n]) => n)).toEqual(Array.from({ length: 3000 }, (_, i) => i))
    expect(rows[500]?.[1]).toBe('ab'.repeat(1_000_000))
    expect(rows[2999]?.[1]).toBe('ab'.repeat(2999))
  })

  test('no row is an answer too', async () => {
    expect((await rowsOf(engine, 'SELECT 1 AS a WHERE 0', ['double'])).rows).toEqual([])
  })

  test('a slow reader holds the server back', async () => {
    const sql = `SELECT number AS n, repeat('x', 1000) AS backpressure FROM numbers(2000000)`
    const budget = budgetOf()
    let rows = 0
    for await (const batch of engine.run(
      { sql, parameters: [], forms: ['double', 'text'] },
      { budget, batchRows: 1000 },
    )) {
      rows += batch.rowCount
      if (rows === 20_000) {
        await new Promise((resolve) => {
          setTimeout(resolve, 300)
        })
        const read = Number(
          await server.run(
            `SELECT max(read_rows) FROM system.processes WHERE query LIKE '%backpressure%' AND query NOT LIKE '%processes%'`,
          ),
        )
        expect(read).toBeGreaterThan(0)
        expect(read).toBeLessThan(1_500_000)
        break
      }
    }
    expect(budget.peakBytes).toBeLessThan(32 * 2 ** 20)
    expect(budget.usedBytes).toBe(0)
  })

  test('a reader that stops ends the statement on the server', async () => {
    const sql = 'SELECT number AS leaves FROM numbers(100000000000)'
    for await (const batch of engine.run(
      { sql, parameters: [], forms: ['int64'] },
      { budget: budgetOf(), batchRows: 10 },
    )) {
      expect(batch.rowCount).toBe(10)
      expect(await running('AS leaves')).toBe('1')
      break
    }
    await expect.poll(() => running('AS leaves')).toBe('0')
  })

  test('a cancelled query is killed before its first row', async () => {
    const abort = new AbortController()
    const sql = 'SELECT count() AS cancelled FROM numbers(100000000000) WHERE sipHash64(number) % 7 = 1'
    const work = codeOf(rowsOf(engine, sql, ['int64'], { budget: budgetOf({}, abort.signal) }))
    await expect.poll(() => running('AS cancelled')).toBe('1')
    abort.abort()
    expect((await work).code).toBe('budget/cancelled')
    await expect.poll(() => running('AS cancelled')).toBe('0')
  })

  test('time, memory and rows are limited by the server', async () => {
    const endless = 'SELECT count() AS c FROM numbers(100000000000) WHERE sipHash64(number) % 7 = 1'
    expect((await codeOf(rowsOf(engine, endless, ['int64'], { budget: budgetOf({ timeoutMs: 1000 }) }))).code).toBe(
      'budget/deadline',
    )
    const large = 'SELECT length(groupArray(number)) AS c FROM numbers(10000000)'
    expect((await codeOf(rowsOf(engine, large, ['int64'], { budget: budgetOf({ memoryBytes: 2 ** 20 }) }))).code).toBe(
      'budget/memory',
    )
    const many = 'SELECT number AS n FROM numbers(100000)'
    expect((await codeOf(rowsOf(engine, many, ['int64'], { budget: budgetOf({ scanRows: 1000 }) }))).code).toBe(
      'budget/rows',
    )
  })

  test('nothing is written', async () => {
    const { text } = await codeOf(rowsOf(engine, 'INSERT INTO sluice_test.kinds (a) SELECT 1', ['int64']))
    expect(text).toContain('foreign/')
    expect(await server.run('SELECT count() FROM sluice_test.kinds')).toBe('0\n')
  })

  test('errors are in our words and never hold the password or the statement', async () => {
    const secret = 'nobody may read this'
    const cases: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => rowsOf(engine, 'SELECT 1 AS a FROM sluice_test.nope', ['int64']), 'foreign/statement-failed'],
      [
        () => rowsOf(engine, `SELECT throwIf(number = 70000, '${secret}') AS a FROM numbers(100000)`, ['int64']),
        'foreign/statement-failed',
      ],
      [() => engine.describe({ kind: 'table', path: ['sluice_test', 'nope'] }), 'foreign/no-source'],
      [() => engine.describe({ kind: 'files', format: 'csv', paths: ['a.csv'] }), 'foreign/no-source'],
      [() => rowsOf(open({ password: secret }), 'SELECT 1 AS a', ['int64']), 'foreign/connect'],
      [() => open({ password: secret }).describe({ kind: 'table', path: ['kinds'] }), 'foreign/connect'],
      [
        () => rowsOf(open({ url: 'http://127.0.0.1:9', password: secret }), 'SELECT 1 AS a', ['int64']),
        'foreign/connect',
      ],
      [
        () => rowsOf(open({ url: `ftp://${encodeURIComponent(secret)}@x` }), 'SELECT 1 AS a', ['int64']),
        'foreign/connect',
      ],
    ]
    for (const [work, expected] of cases) {
      const { code, text } = await codeOf(work())
      expect(code, text).toBe(expected)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(encodeURIComponent(secret))
    }
  })

  test('an error behind the first rows ends the answer', async () => {
    const sql = `SELECT if(number < 900000, number, throwIf(1)) AS n FROM numbers(1000000) SETTINGS max_block_size = 1000`
    let rows = 0
    const work = async (): Promise<void> => {
      for await (const batch of engine.run(
        { sql, parameters: [], forms: ['int64'] },
        { budget: budgetOf(), batchRows: 1000 },
      )) {
        rows += batch.rowCount
      }
    }
    expect((await codeOf(work())).code).toBe('foreign/statement-failed')
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThan(1_000_000)
  })

  test('progress is reported while a statement runs', async () => {
    const seen: number[] = []
    const told = open({ onProgress: ({ readRows }) => void seen.push(readRows) })
    await rowsOf(told, 'SELECT count() AS c FROM numbers(150000000) WHERE sipHash64(number) % 7 = 1', ['int64'])
    await told.close()
    expect(seen.length).toBeGreaterThan(0)
    expect(Math.max(...seen)).toBeGreaterThan(1000)
  })

  test('its plan is its own words', async () => {
    await server.run(
      'CREATE OR REPLACE TABLE sluice_test.plain (a UInt64) ENGINE = MergeTree ORDER BY a AS SELECT number AS a FROM numbers(9)',
    )
    const plan = await engine.explain({
      sql: 'SELECT a FROM sluice_test.plain WHERE a = {p1:UInt64}',
      parameters: [value(3n)],
      forms: ['int64'],
    })
    expect(plan.join('\n')).toMatch(/sluice_test\.plain[\s\S]*PrimaryKey/u)
  })

  test.skipIf(process.env['SLUICE_TEST_CLICKHOUSE_URL'] !== undefined)('a server that dies is away', async () => {
    const other = await startClickHouse()
    const { url, username, password } = other
    const lost = clickHouseEngine({ url, username, password })
    const work = codeOf(
      rowsOf(lost, 'SELECT count() AS c FROM numbers(100000000000) WHERE sipHash64(number) % 7 = 1', ['int64']),
    )
    await expect
      .poll(async () => Number(await other.run(`SELECT count() FROM system.processes WHERE query LIKE '%sipHash64%'`)))
      .toBeGreaterThan(1)
    await other.stop()
    expect((await work).code).toBe('foreign/connect')
    await lost.close()
  })
})
