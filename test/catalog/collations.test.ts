// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsBackend } from '../../src/backends/index.ts'
import { present } from '../../src/base/index.ts'
import { openCatalog, type OpenCatalog } from '../../src/catalog/index.ts'
import { Instant, type StoredRow, type Value, type ValueTest } from '../../src/data/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { column, test as valueTest, type Expr } from '../../src/plan/index.ts'
import { openSqlite } from '../../src/store/sqlite/index.ts'
import { startPostgres, type TestPostgres } from '../harness/postgres.ts'

/** Strings that are equal under a collation that ignores case, accents and trailing blanks. */
const TEXTS = [
  'prod',
  'PROD',
  'Prod',
  'pród',
  'prod ',
  'dev',
  'DEV',
  '',
  undefined,
  'Zed',
  'abc',
  'ſtage',
  'stage',
  '10',
]
/** Strings that order rows with equal times: by code points `B` < `a`, without case `a` < `B`. */
const TIES = ['B', 'a', 'b']

interface Given {
  readonly at: number
  readonly tie: string
  readonly namespace: string | undefined
  readonly plain: string | undefined
}

const rows: readonly Given[] = TEXTS.flatMap((text, at) =>
  TIES.map((tie, i) => ({ at, tie, namespace: text, plain: TEXTS[(at + i) % TEXTS.length] })),
)

const literal = (text: string | undefined): string => (text === undefined ? 'NULL' : `'${text}'`)

function tableWith(textType: (name: string) => string): string {
  const values = rows.map(({ at, tie, ...texts }) => {
    const members = texts.namespace === undefined ? '{}' : JSON.stringify({ m: texts.namespace })
    return `(${at}, '${tie}', ${literal(texts.namespace)}, ${literal(texts.plain)}, '${members}')`
  })
  const columns = ['tie', 'namespace', 'plain', 'members'].map((name) => `${name} ${textType(name)}`)
  return `CREATE TABLE logs (ts BIGINT NOT NULL, ${columns.join(', ')}); INSERT INTO logs VALUES ${values.join(', ')}`
}

/** Returns the column type by name: every column except `plain` has the collation. */
const collated = (collation: string, type: string) => (name: string) =>
  name === 'plain' ? type : `${type} COLLATE ${collation}`

const folder = mkdtempSync(join(tmpdir(), 'sluice-collations-'))

async function inDuckdb(name: string, sql: string): Promise<object> {
  const path = join(folder, `${name}.duckdb`)
  const instance = await DuckDBInstance.create(path, { threads: '1' })
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
  return { engine: 'duckdb', path }
}

async function inSqlite(name: string, sql: string): Promise<object> {
  const path = join(folder, `${name}.db`)
  const connection = await openSqlite(path)
  connection.exec(sql)
  connection.close()
  return { engine: 'sqlite', path }
}

let postgres: Promise<TestPostgres> | undefined

async function inPostgres(sql: string): Promise<object> {
  postgres ??= startPostgres()
  const { url } = await postgres
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`DROP TABLE IF EXISTS logs; ${sql}`)
  await client.end()
  return { engine: 'postgres', url }
}

const LOOSE = `CREATE COLLATION IF NOT EXISTS loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`

const databases: Readonly<Record<string, () => Promise<object>>> = {
  'DuckDB, NOCASE': () => inDuckdb('nocase', tableWith(collated('NOCASE', 'VARCHAR'))),
  'DuckDB, NOACCENT': () => inDuckdb('noaccent', tableWith(collated('NOACCENT.NOCASE', 'VARCHAR'))),
  'DuckDB, a language': () => inDuckdb('icu', tableWith(collated('DE', 'VARCHAR'))),
  'DuckDB, a view': () =>
    inDuckdb(
      'view',
      `${tableWith(() => 'VARCHAR')
        .replace('TABLE logs', 'TABLE given')
        .replace('INTO logs', 'INTO given')};
      CREATE VIEW logs AS SELECT ts, tie COLLATE NOCASE AS tie, namespace COLLATE NOCASE AS namespace, plain, members FROM given`,
    ),
  'DuckDB, none': () =>
    inDuckdb(
      'none',
      tableWith(() => 'VARCHAR'),
    ),
  'SQLite, NOCASE': () => inSqlite('nocase', tableWith(collated('NOCASE', 'TEXT'))),
  'SQLite, RTRIM': () => inSqlite('rtrim', tableWith(collated('RTRIM', 'TEXT'))),
  'SQLite, indexed': () =>
    inSqlite('indexed', `${tableWith(collated('NOCASE', 'TEXT'))}; CREATE INDEX i ON logs (namespace)`),
  'SQLite, STRICT': () =>
    inSqlite(
      'strict',
      tableWith(collated('NOCASE', 'TEXT')).replace('); INSERT', ') STRICT; INSERT').replace('BIGINT', 'INTEGER'),
    ),
  'SQLite, a view': () =>
    inSqlite(
      'view',
      `${tableWith(() => 'TEXT')
        .replace('TABLE logs', 'TABLE given')
        .replace('INTO logs', 'INTO given')};
      CREATE VIEW logs AS SELECT ts, tie COLLATE NOCASE AS tie, namespace COLLATE NOCASE AS namespace, plain, members FROM given`,
    ),
  'PostgreSQL, nondeterministic': () => inPostgres(`${LOOSE}; ${tableWith(collated('loose', 'text'))}`),
  'PostgreSQL, a language': () =>
    inPostgres(
      `CREATE COLLATION IF NOT EXISTS language (provider = icu, locale = 'de'); ${tableWith(collated('language', 'text'))}`,
    ),
  'PostgreSQL, a domain': () =>
    inPostgres(
      `${LOOSE}; DROP DOMAIN IF EXISTS loosely CASCADE; CREATE DOMAIN loosely AS text COLLATE loose; ${tableWith((name) => (name === 'plain' ? 'text' : 'loosely'))}`,
    ),
}

const queries = [
  '*',
  'namespace:="prod"',
  'namespace:prod',
  'namespace:=PROD',
  '!namespace:="prod"',
  'namespace:in("prod", "DEV")',
  '!namespace:in("prod", "DEV")',
  'namespace:~"^pro"',
  'namespace:="pro"*',
  'namespace:contains_any("PR")',
  'namespace:>"a"',
  'namespace:eq_field(plain)',
  '* | stats by (namespace) count() n | sort by (namespace)',
  '* | uniq by (namespace) | sort by (namespace)',
  '* | stats count_uniq(namespace) n, min(namespace) low, max(namespace) high',
  '* | sort by (namespace, plain) | fields namespace, plain | limit 9',
  '* | sort by (namespace desc, plain) | fields namespace, plain | limit 9',
  '* | top 3 by (namespace)',
  '* | fields namespace | uniq by (namespace) | join by (namespace) (* | rename plain as namespace | stats by (namespace) count() n) | sort by (namespace)',
  '* | join by (plain) (* | rename namespace as plain | stats by (plain) count() n) | stats sum(n) n',
  '* | union (* | fields plain | rename plain as namespace) | stats by (namespace) count() n | sort by (namespace)',
  '* | limit 7',
  '* | first 2 by (namespace) partition by (plain)',
]

const is = (name: string, tests: ValueTest): Expr => valueTest(column(name), tests)
const not = (arg: Expr): Expr => ({ kind: 'not', arg, origin: arg.origin })
const one = (value: string): ValueTest => ({ kind: 'equals', value, isFolded: false, isTyped: false })

const scopes: readonly (readonly [string, Expr])[] = [
  ['one namespace', is('namespace', one('prod'))],
  ['all but one', not(is('namespace', one('prod')))],
  ['a list', is('namespace', { kind: 'in', values: ['prod', 'DEV'], isFolded: false, isTyped: false })],
  ['all but a list', not(is('namespace', { kind: 'in', values: ['PROD', 'dev'], isFolded: false, isTyped: false }))],
  ['a beginning', is('namespace', { kind: 'starts-with', text: 'pro', isFolded: false })],
  ['a part', is('namespace', { kind: 'contains', text: 'RO', isFolded: false })],
  ['a missing one', is('namespace', { kind: 'empty' })],
  ['a pattern', is('namespace', { kind: 'regexp', pattern: '^P', isFolded: false })],
]

let model: Engine

beforeAll(() => {
  const stored = rows.map(({ at, tie, namespace, plain }, sequence): StoredRow => {
    const row = new Map<string, Value>([['_time', new Instant(BigInt(at))]])
    row.set('tie', tie)
    if (namespace !== undefined) row.set('namespace', namespace)
    if (plain !== undefined) row.set('plain', plain)
    row.set('members', namespace === undefined ? '{}' : JSON.stringify({ m: namespace }))
    return { timeNs: BigInt(at), sequence, row }
  })
  model = createEngine({ backends: [rowsBackend(new Map([['logs', stored]]), standardFunctions)] })
})

afterAll(async () => {
  await (await postgres)?.close()
  rmSync(folder, { recursive: true, force: true })
})

const answer = async (engine: Engine, text: string, scope?: Expr): Promise<readonly object[]> =>
  engine.query(text, scope === undefined ? {} : { scope: () => scope }).toArray()

describe.each(Object.keys(databases))('%s', (name) => {
  let catalog: OpenCatalog
  let engine: Engine

  beforeAll(async () => {
    const connection = await present(databases[name])()
    const table = { table: 'logs', time: { column: 'ts', unit: 'ns' }, tieBreak: 'tie', stream: 'namespace' }
    catalog = await openCatalog(JSON.stringify({ connections: { one: connection }, tables: { logs: table } }))
    engine = catalog.engine()
  })

  afterAll(() => catalog.close())

  test.each(queries)('`%s` compares by code points', async (query) => {
    expect(await answer(engine, query)).toEqual(await answer(model, query))
  })

  test.each(scopes)('a data scope of %s compares by code points', async (_what, scope) => {
    for (const query of [
      '* | fields namespace, plain, tie',
      '* | stats by (namespace) count() n | sort by (namespace)',
    ])
      expect(await answer(engine, query, scope), query).toEqual(await answer(model, query, scope))
  })
})

/**
 * Tables whose undeclared fields come from a column with a collation, or from a column that contains strings with one.
 */
const holders: Readonly<Record<string, readonly [columns: string, kind: string]>> = {
  'a map': ["MAP {'m': namespace COLLATE NOCASE} AS held", 'map'],
  'JSON as text': ['members COLLATE NOCASE AS held', 'json'],
}

describe.each(Object.entries(holders))('undeclared fields of %s in DuckDB', (_name, [columns, kind]) => {
  let catalog: OpenCatalog

  beforeAll(async () => {
    const given = tableWith(() => 'VARCHAR')
      .replace('TABLE logs', 'TABLE given')
      .replace('INTO logs', 'INTO given')
    const connection = await inDuckdb(kind, `${given}; CREATE VIEW logs AS SELECT ts, tie, ${columns} FROM given`)
    const attributes = { column: 'held', kind }
    const logs = { table: 'logs', time: { column: 'ts', unit: 'ns' }, tieBreak: 'tie', attributes }
    catalog = await openCatalog(JSON.stringify({ connections: { one: connection }, tables: { logs } }))
  })

  afterAll(() => catalog.close())

  test.each([
    ['m:="prod" | stats count() n', [{ n: 3 }]],
    ['m:in("prod", "DEV") | stats count() n', [{ n: 15 }]],
    ['m:="pro"* | stats count() n', [{ n: 6 }]],
    ['m:p* | stats count_uniq(m) n', [{ n: 5 }]],
    [
      'm:>"a" m:<"e" | stats by (m) count() n | sort by (m) | limit 2',
      [
        { m: 'abc', n: 3 },
        { m: 'dev', n: 3 },
      ],
    ],
  ])('`%s`', async (query, wanted) => {
    expect(await answer(catalog.engine(), query)).toEqual(wanted)
  })

  test('a data scope', async () => {
    const scope = is('m', one('prod'))
    expect(await answer(catalog.engine(), '* | uniq by (m)', scope)).toEqual([{ m: 'prod' }])
    expect(await answer(catalog.engine(), '* | stats count_uniq(m) n', not(scope))).toEqual([{ n: 11 }])
  })
})

describe('statements name a collation only where a column has one', () => {
  const sqlOver = async (type: string): Promise<string> => {
    const connection = await inDuckdb(
      `sql-${type.length}`,
      `CREATE TABLE logs (ts BIGINT NOT NULL, level ${type}, odd VARCHAR)`,
    )
    const logs = { table: 'logs', time: { column: 'ts', unit: 'ns' } }
    const catalog = await openCatalog(JSON.stringify({ connections: { one: connection }, tables: { logs } }))
    const { sql } = catalog.engine().toSQL('level:="a" odd:="b" | stats count() n')
    await catalog.close()
    return sql
  }

  test('in DuckDB', async () => {
    expect(await sqlOver('VARCHAR')).not.toContain('COLLATE')
    const sql = await sqlOver('VARCHAR COLLATE NOCASE')
    expect(sql).toContain('(t0.level COLLATE "binary") = $level')
    expect(sql.match(/COLLATE/g)).toHaveLength(1)
  })
})
