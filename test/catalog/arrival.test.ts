import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCatalog, type OpenCatalog } from '../../src/catalog/index.ts'
import { loadDuckdb } from '../../src/backends/sql/engines/duckdb.ts'
import { clickhouse } from '../../src/backends/sql/dialects/clickhouse.ts'
import { postgres } from '../../src/backends/sql/dialects/postgres.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { openSqlite } from '../../src/store/sqlite/index.ts'

const NOW_NS = 1_767_322_800_000_000_000n
const folder = mkdtempSync(join(tmpdir(), 'sluice-arrival-'))

/** SQL that creates application tables in which no column is a time. */
const SCRIPT = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, n INTEGER);
  INSERT INTO customers VALUES (1, 'Ann', 'Bern', 5), (2, 'Ben', NULL, 7), (3, 'Cid', 'Basel', NULL), (4, 'Dan Bern', 'Bern', 2);`

const rows = [
  { id: 1, name: 'Ann', city: 'Bern', n: 5 },
  { id: 2, name: 'Ben', n: 7 },
  { id: 3, name: 'Cid', city: 'Basel' },
  { id: 4, name: 'Dan Bern', city: 'Bern', n: 2 },
].map((row) => ({ ...row, _time: new Date(Number(NOW_NS / 1_000_000n)) }))

beforeAll(async () => {
  const connection = await openSqlite(join(folder, 'app.db'))
  connection.exec(SCRIPT)
  connection.close()
  const { DuckDBInstance } = await loadDuckdb()
  const instance = await DuckDBInstance.create(join(folder, 'app.duckdb'))
  const duckdb = await instance.connect()
  await duckdb.run(SCRIPT)
  duckdb.closeSync()
  instance.closeSync()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const queries = [
  '* | sort by (id)',
  'city:=Bern | sort by (id) | fields id, _time',
  '* | stats by (city) count() as c, sum(n) as s | sort by (city)',
  '* | stats by (_time:1d) count() as c',
  'name:Bern | fields name',
  '_time:<2026-01-02T03:00:00Z | stats count() as c',
  '_time:5m | stats count() as c',
  '* | fields id | limit 2',
  '* | sort by (_time desc, n) | first 3 by (id) | fields id',
]

const model = createEngine({ tables: { customers: rows }, lint: 'off' })

async function answer(engine: Engine, query: string): Promise<unknown> {
  return engine.query(query, { table: 'customers', nowNs: NOW_NS + 60_000_000_000n, lint: 'off' }).toArray()
}

describe.each([
  ['sqlite', 'app.db'],
  ['duckdb', 'app.duckdb'],
])('a table of %s without a time', (engine, path) => {
  const text = (time: string): string =>
    `connections:\n  app: { engine: ${engine}, path: ${join(folder, path)} }\ntables:\n  customers: { ${time}tieBreak: id }`
  let catalog: OpenCatalog

  beforeAll(async () => {
    catalog = await openCatalog(text('time: { arrival: true }, '), { nowNs: NOW_NS })
  })
  afterAll(() => catalog.close())

  test.each(queries)('answers %s as a table in memory, all rows at the time of the catalog', async (query) => {
    const found = await answer(catalog.engine(), query)
    if (query.endsWith('limit 2')) expect(found).toEqual([{ id: 4 }, { id: 3 }])
    else expect(found).toEqual(await answer(model, query))
  })

  test('takes the range of times into account', async () => {
    const at = (startNs: bigint, endNs: bigint) =>
      catalog.engine().query('* | stats count() as c', { table: 'customers', range: { startNs, endNs } }).toArray()
    expect(await at(NOW_NS, NOW_NS + 1n)).toEqual([{ c: 4 }])
    expect(await at(0n, NOW_NS)).toEqual([{ c: 0 }])
  })

  test('is an error that says what to write, where the catalog says nothing', async () => {
    const opened = openCatalog(text(''), { nowNs: NOW_NS })
    await expect(opened).rejects.toMatchObject({
      code: 'catalog/no-time',
      diagnostics: [{ notes: expect.arrayContaining([expect.stringContaining('time: { arrival: true }')]) }],
    })
  })
})

test('statements of ClickHouse and PostgreSQL give the time too', () => {
  const source = { kind: 'table' as const, path: ['app', 'a b'], arrivalNs: 5n }
  expect(clickhouse.foreign?.source(source)).toBe('(SELECT *, toInt64(5) AS _time FROM app.`a b`)')
  expect(postgres.foreign?.source(source)).toBe('(SELECT *, 5::bigint AS _time FROM app."a b")')
})

test('a table with a column `_time` cannot have the time of the catalog', async () => {
  const path = join(folder, 'dated.db')
  const connection = await openSqlite(path)
  connection.exec('CREATE TABLE t (_time TEXT, a TEXT)')
  connection.close()
  const text = `connections: { app: { engine: sqlite, path: ${path} } }\ntables: { t: { time: { arrival: true } } }`
  await expect(openCatalog(text, {})).rejects.toMatchObject({ code: 'catalog/arrival-of-dated' })
})
