// @module-tag slow
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEngine } from '../../../../src/backends/sql/index.ts'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { wordsOf } from '../../../../src/catalog/look.ts'
import { Instant, float, toText, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { createEngine, type Engine, readRows } from '../../../../src/engine/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { CLICKHOUSE, hasClickHouse, startClickHouse, type ClickHouse } from '../../../clickhouse/index.ts'
import { openTables, type MappedTables } from '../../../clickhouse/tables.ts'

const DATABASE = 'sluice_answers'
const catalogText = `
connections:
  clickhouse:
    engine: clickhouse
    url: http://127.0.0.1:8123
    database: default
    user: $CLICKHOUSE_USER
    password: $CLICKHOUSE_PASSWORD
tables:
  logs:
    time: time
    text: content
    words: text
    tieBreak: [arrival]
    hidden: [arrival]
  shards:
    time: time
    text: content
    words: text
    tieBreak: [arrival]
    hidden: [arrival]
`

/** The definition of the word index in Sluice's own table schema. */
const [INDEX = ''] =
  /INDEX words [\s\S]*?'splitByNonAlpha'\)/u.exec(
    readFileSync(new URL('../../../../grammar/catalogs/clickhouse-logs.sql', import.meta.url), 'utf8'),
  ) ?? []

const floats: readonly number[] = [
  NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  1.5,
  -1.5,
  0.1,
  1e-4,
  2 ** -10,
  2 ** -10 - 2 ** -70,
  1e-300,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  1e300,
  4503599627370495.5,
  12,
  500,
  500.25,
]
const texts: readonly string[] = [
  'request',
  'a request.',
  'requests',
  '_request',
  'request_',
  'ärequest x_request',
  '–request–',
  '请request求',

  'Request İn',
  'tİmeout',
  'TIMEOUT',
  'timeout\u212a',
  'a\u212aind word',
  'kind',
  'KIND',
  'kınd',
  '',
  'no words: ß',
  'connection reset by peer',
  'Connectİon reset by peer.',
]
const levels = ['error', 'İnfo', 'info', 'INFO', '', 'warn', 'brea\u212a', 'break'] as const

interface Given {
  readonly d: number
  readonly n: number | null
  readonly level: string
  readonly content: string
}

const given: readonly Given[] = Array.from({ length: 200 }, (_, i) => ({
  d: floats[i % floats.length] ?? 0,
  n: i % 3 === 0 ? null : (floats[(i * 7) % floats.length] ?? 0),
  level: levels[i % levels.length] ?? '',
  content: texts[(i * 3) % texts.length] ?? '',
}))
const timeNs = (i: number): bigint => 1_700_000_000_000_000_000n + BigInt(i) * 1_000_000_007n

const stored: readonly StoredRow[] = given.map(({ d, n, level, content }, i) => {
  const row = new Map<string, Value>([
    ['_time', new Instant(timeNs(i))],
    ['d', float(d)],
    ['level', level],
    ['content', content],
  ])
  if (n !== null) row.set('n', float(n))
  return { timeNs: timeNs(i), sequence: i, row }
})

const asked: readonly string[] = [
  '* | stats sum(d) as s, avg(d) as a, min(d) as least, max(d) as most, median(d) as m, quantile(0.9, n) as q',
  '* | stats by (level) sum(d) as s, avg(n) as a, sum(n) as t, count() as c, count_uniq(content) as u',
  'd:<1000 | stats by (level) sum(d) as s, sum(d) if (level:error) as e, avg(d) if (n:*) as a',
  '* | stats by (level) max(d) as most, min(n) as least | filter least:<1 or most:>5 | sort by (level)',
  '* | total_stats by (level) count(n) as c, count(d) if (n:*) as e | sort by (_time) | fields _time, c, e',
  '* | total_stats max(d) as most, min(n) as least | sort by (_time)',
  '* | running_stats by (level) count() as c, min(d) if (level:error) as least, sum(d) as s | sort by (_time)',
  '* | stats by (d) count() as c | filter c:~"5$" or c:<=500',
  '* | stats count() as c | filter c:~"a-b$" or c:<=500',
  '* | limit 2 by (level) offset 1 | fields _time, level',
  '* | limit 1 by (d, level) | stats by (level) count() as c',
  '* | limit 2 by (n) | limit 5 | fields _time, n',
  '* | limit 2 by (level) | offset 3 | fields _time, level',
  '* | limit 1 by (n) | filter level:info | fields _time, n',
  'd:>500 | fields _time, d',
  'not d:>500 | fields _time, d',
  'd:<=500 and not n:>=0 | fields _time, d, n',
  '* | sort by (d desc) | limit 30 | fields d',
  '* | sort by (n) | limit 150 | fields n',
  ...['request', 'timeout', 'kind', 'in', 'ß', 'connection', '请', 'ärequest'].flatMap((word) => [
    `content:${word} | fields content`,
    `not content:${word} | stats count() as c`,
    `content:${word}* | stats count() as c`,
  ]),
  'content:"connection reset by peer" | stats count() as c',
  'content:seq("reset", "peer") | stats count() as c',
  'content:*kin* | stats count() as c',
  'content:"ection reset by pe" | stats count() as c',
  'content:="connection reset by peer" | stats count() as c',
  'content:~"connection reset" | stats count() as c',
  'content:contains_any("x_request", "ärequest", "kind") | fields content',
  'content:contains_all("reset", "peer") or content:i("A Kind") | fields content',
  'content:"a \u212aind" | fields content',
  'level:=info | stats count() as c',
  'level:i(info) | fields level',
  'level:i(break) | fields level',
  'level:in(info, break) | fields level',
  'not level:info | stats count() as c',
  '* | stats count() as c | math 2 + 0.5 as x | fields x',
]

describe.skipIf(!hasClickHouse)(`answers of ${CLICKHOUSE}`, () => {
  let server: ClickHouse
  let tables: MappedTables
  let model: Engine

  beforeAll(async () => {
    server = await startClickHouse()
    await server.run(`DROP DATABASE IF EXISTS ${DATABASE}`)
    await server.run(`CREATE DATABASE ${DATABASE}`)
    await server.run(`CREATE TABLE ${DATABASE}.logs (time DateTime64(9, 'UTC'), arrival UInt64, d Float64, n Nullable(Float64),
      level LowCardinality(String), content String,
      ${INDEX}) ENGINE = MergeTree ORDER BY time SETTINGS index_granularity = 8`)
    const lines = given.map((row, i) =>
      JSON.stringify({
        ...row,
        time: `${timeNs(i) / 1_000_000_000n}.${String(timeNs(i) % 1_000_000_000n).padStart(9, '0')}`,
        arrival: i,
        d: Object.is(row.d, -0) ? '-0' : String(row.d),
        n: row.n === null ? null : Object.is(row.n, -0) ? '-0' : String(row.n),
      }),
    )
    await server.run(`INSERT INTO ${DATABASE}.logs FORMAT JSONEachRow\n${lines.join('\n')}`)
    // Two shards of a Distributed table, each holding all rows.
    await server.run(`CREATE TABLE ${DATABASE}.shards AS remote('127.0.0.1,localhost', ${DATABASE}, logs)`)
    tables = await openTables(server, catalogText, DATABASE)
    const twice = stored.flatMap((row) => [row, { ...row, sequence: row.sequence + stored.length }])
    const backend = rowsBackend(
      new Map([
        ['logs', stored],
        ['shards', twice],
      ]),
      standardFunctions,
    )
    model = createEngine({ catalog: tables.backend.catalog, backends: [backend] })
  })
  afterAll(async () => {
    await tables.close()
    await server.run(`DROP DATABASE ${DATABASE}`)
    await server.stop()
  })

  const rowsOf = async (engine: Engine, query: string, table = 'logs'): Promise<readonly string[]> => {
    const found: string[] = []
    const shown = (value: Value): string => (value instanceof Instant ? String(value.ns) : toText(value))
    for await (const row of readRows(engine.query(query, { table, dialect: 'native' }).batches())) {
      found.push(
        JSON.stringify([...row].filter(([, each]) => each !== null).map(([name, each]) => [name, shown(each)])),
      )
    }
    // The database sums and averages floats (`s`, `e`, `a` and `t` here) with rounding errors, so only twelve digits
    // are compared.
    const rounded = (number: string): string => (Number.isFinite(+number) ? (+number).toPrecision(12) : number)
    const told = found.map((row) =>
      row.replaceAll(
        /\["([seat])","([^"]*)"\]/g,
        (_, name: string, number: string) => `["${name}","${rounded(number)}"]`,
      ),
    )
    return query.includes('sort by') ? told : told.toSorted()
  }

  test('odd floats, letters and words are answered as by the row model', async () => {
    for (const query of asked) expect(await rowsOf(tables.engine, query), query).toEqual(await rowsOf(model, query))
  })

  test('shards are answered as one table', async () => {
    const joined = [
      '* | join by (level) (* | stats by (level) count() as c) | fields _time, level, c',
      '* | uniq by (level)',
      '* | limit 3 by (level) | fields _time, level',
    ]
    for (const query of [...asked, ...joined]) {
      // Identical rows of the two shards have no defined order.
      const [given, expected] = [await rowsOf(tables.engine, query, 'shards'), await rowsOf(model, query, 'shards')]
      expect(given.toSorted(), query).toEqual(expected.toSorted())
    }
  })

  test('words ask the index of words', async () => {
    const planOf = async (query: string): Promise<string> => {
      const { plan } = tables.engine.query(query, { table: 'logs', dialect: 'native' })
      const { sql, parameters } = tables.backend.compile(plan)
      const values = Object.fromEntries(
        parameters.map((each) => [`param_${each.name}`, each.kind === 'value' ? String(each.value) : '']),
      )
      return server.run(`EXPLAIN indexes = 1 ${sql.replace('FROM logs', `FROM ${DATABASE}.logs`)}`, values)
    }
    for (const query of ['content:kind', 'content:"connection reset"', 'content:seq("reset", "peer")']) {
      const plan = await planOf(query)
      expect(plan).toMatch(/Name: words\s+Description: text/u)
      const [, read, all] = /Name: words[\s\S]*?Granules: (\d+)\/(\d+)/u.exec(plan) ?? []
      expect(Number(read)).toBeLessThan(Number(all))
    }
    expect(await planOf('content:*kin*')).not.toContain('Name: words')
    const engine = await openEngine({
      name: 'clickhouse',
      url: server.url,
      user: server.username,
      password: server.password,
      database: DATABASE,
    })
    expect(await wordsOf(engine, ['logs'], 'content')).toBe('text')
    expect(await wordsOf(engine, ['logs'], 'level')).toBe(undefined)
    await engine.close()
  })

  test('the database answers all of it', () => {
    const above = asked.filter((query) => {
      const { plan } = tables.engine.query(query, { table: 'logs', dialect: 'native' })
      return tables.backend.accept(plan).kind === 'not'
    })
    expect(above).toEqual([])
  })
})
