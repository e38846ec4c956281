import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { interval, parseRfc3339, present } from '../../../../src/base/index.ts'
import {
  fileDefinition,
  sqliteFileBackend,
  sqliteFileStatements,
  type SqliteFileEngine,
  type TableMapping,
} from '../../../../src/backends/sql/index.ts'
import { sqliteFileEngine } from '../../../../src/backends/sql/engines/sqlite-file.ts'
import { rowsBackend } from '../../../../src/backends/index.ts'
import { Instant, JsonText, type MutableRow, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { column, test as valueTest, type Expr } from '../../../../src/plan/index.ts'
import { createEngine, type Engine } from '../../../../src/engine/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { openSqlite, type SqlValue } from '../../../../src/store/sqlite/index.ts'

const START_MS = 1_767_322_800_000

/** Values that users store in columns of any declared type. */
const odd: readonly (SqlValue | boolean)[] = [
  'ERROR',
  'error',
  'Error',
  '',
  null,
  5n,
  5.5,
  '5',
  '5.0',
  -0.0,
  2n ** 53n + 1n,
  -(2n ** 63n),
  1e300,
  'straße',
  'İstanbul',
  'a\nb',
  '2026-01-02T03:04:05Z',
  Buffer.from('blob text'),
  Buffer.from([0xff, 0x00, 0x41]),
  '💥',
  '  ',
  '0x10',
  'true',
]

interface Given {
  readonly ts: SqlValue
  readonly level: SqlValue
  readonly content: SqlValue
  readonly n: SqlValue
  readonly attrs: SqlValue
}

interface Attributes {
  readonly http: { readonly method: string; readonly code: number }
  readonly user: string
  readonly list: readonly number[]
  readonly on: boolean
}

function rowsOf(): readonly Given[] {
  return Array.from({ length: 120 }, (_, i): Given => ({
    ts: BigInt(START_MS + i * 1000),
    level: odd[i % odd.length] as SqlValue,
    content:
      i % 7 === 0
        ? null
        : i % 11 === 0
          ? Buffer.from(`bytes ${i}`)
          : i % 13 === 0
            ? `\u00b2timed out\u00b2 of ${i} \u212aelvin`
            : `request ${i} to /api/v${i % 3} took ${i * 3}ms, timed out in_${i}`,
    n: i % 5 === 0 ? null : i % 4 === 0 ? BigInt(i) : i / 3,
    attrs:
      i % 6 === 0
        ? 'not json'
        : JSON.stringify({
            http: { method: i % 2 === 0 ? 'GET' : 'PUT', code: 200 + (i % 3) },
            user: `u${i % 4}`,
            level: 'hidden',
            list: [1, 2],
            on: i % 2 === 0,
            none: null,
          }),
  }))
}

/** Reference implementation: returns the value that queries see for a stored value. */
function plain(value: SqlValue): Value {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array) {
    const text = Buffer.from(value).toString('utf8')
    return Buffer.from(text, 'utf8').equals(Buffer.from(value)) ? text : Buffer.from(value).toString('hex')
  }
  return typeof value === 'bigint' && BigInt(Number(value)) === value && Math.abs(Number(value)) <= 2 ** 53
    ? Number(value)
    : value
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-file-'))
let engine: SqliteFileEngine
let file: Engine
let model: Engine

const mapping: TableMapping = {
  name: 'logs',
  source: { kind: 'table', path: ['events'] },
  time: { field: '_time', column: 'ts', nativeType: 'INTEGER', isNullable: false, unit: 'ms' },
  textField: 'content',
  streamFields: ['level'],
  fields: [
    ...['level', 'content', 'n'].map((name) => ({
      name,
      column: name,
      path: [],
      type: 'any' as const,
      nativeType: '',
      isNullable: true,
      aliases: name === 'level' ? ['severity'] : [],
    })),
    {
      name: 'method',
      column: 'attrs',
      path: ['http', 'method'],
      type: 'any',
      nativeType: 'JSON',
      isNullable: true,
      aliases: [],
    },
  ],
  attributes: [{ column: 'attrs', kind: 'json', prefix: '' }],
  tieBreak: ['id'],
  domain: 'logs',
  words: { kind: 'fts5', table: 'event_words', cut: 'runs' },
}

beforeAll(async () => {
  const path = join(folder, 'own.db')
  const connection = await openSqlite(path)
  connection.exec(
    'CREATE TABLE events (id INTEGER PRIMARY KEY, ts INTEGER, level, content TEXT, n REAL, attrs JSON); CREATE INDEX by_level ON events (level)',
  )
  const insert = connection.prepare('INSERT INTO events (ts, level, content, n, attrs) VALUES (?, ?, ?, ?, ?)')
  for (const row of rowsOf()) insert.run(row.ts, row.level, row.content, row.n, row.attrs)
  connection.exec(
    "CREATE VIRTUAL TABLE event_words USING fts5(content, content='events', content_rowid='id'); INSERT INTO event_words (event_words) VALUES ('rebuild')",
  )
  connection.close()
  engine = await sqliteFileEngine({ path, processes: 1 })
  const definition = fileDefinition(mapping)
  const catalog = { tables: new Map([[definition.name, definition]]), defaultTable: 'logs' }
  file = createEngine({ backends: [sqliteFileBackend(engine, [mapping])], catalog })
  const rows = rowsOf().map((given, sequence): StoredRow => {
    const timeNs = BigInt(Number(given.ts)) * 1_000_000n
    const row: MutableRow = new Map()
    const put = (name: string, value: Value): void => {
      if (value !== null && !row.has(name)) row.set(name, value)
    }
    put('_time', new Instant(timeNs))
    put('level', plain(given.level))
    put('content', plain(given.content))
    put('n', plain(given.n))
    if (given.attrs !== 'not json') {
      const { http, user, list, on } = JSON.parse(String(given.attrs)) as Attributes
      put('method', http.method)
      put('http.method', http.method)
      put('http.code', http.code)
      put('user', user)
      put('list', new JsonText(JSON.stringify(list)))
      put('on', on)
    }
    return { timeNs, sequence, row }
  })
  model = createEngine({ backends: [rowsBackend(new Map([['logs', rows]]), standardFunctions)], catalog })
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

const queries = [
  '*',
  'level:error',
  'level:=ERROR',
  'severity:5',
  'level:=5',
  'level:="5.0"',
  'level:in(error,5,"")',
  'level:""',
  'level:*',
  '!level:*',
  'level:=straße',
  'level:STRASSE*',
  'level:="blob text"',
  'level:=ff0041',
  'level:=9007199254740993',
  'level:>5',
  'level:range[5,6]',
  'n:>10',
  'n:=20',
  'level:~"(?i)err"',
  'timed',
  '"timed out"',
  'took bytes',
  'kelvin OR in_5',
  'tim*',
  '"api/v1 took"',
  '!timed',
  'content:~"tim.d out"',
  'content:in_7 timed -out | stats count() as c',
  'content:bytes',
  'content:="bytes 11"',
  'http.method:GET',
  'method:PUT',
  'user:u1',
  'user:=u1 http.code:>200',
  'on:true',
  'list:*',
  'none:*',
  'anything:*',
  '* | stats count() as c',
  '* | stats by (level) count() as c | sort by (c desc, level)',
  '* | stats sum(n), avg(n), min(n), max(n), count(n), count_uniq(level)',
  '* | stats by (user) count() as c, max(_time) as last | sort by (user)',
  '* | stats by (_time:10s) count() | sort by (_time)',
  '* | top 3 by (user)',
  '* | uniq by (method)',
  '* | sort by (level, _time) | fields level, n | limit 20',
  '* | sort by (n desc) | limit 5 | fields n',
  '* | fields _time, user | limit 3',
  '* | math n * 2 as m | filter m:>50 | fields m | limit 5',
  '* | extract "request <id> to <path> took" from content | stats by (path) count() as c | sort by (path)',
  'error | limit 2',
  '* | first 2 by (_time) | fields _time',
  '* | field_names | sort by (name)',
  '* | facets',
  'user:in(level:error | fields user) | stats count() as c',
  '* | join by (user) (user:u1 | stats by (user) count() as all) | stats count(all) as c',
  '* | offset 10 | limit 3 | fields content',
  '_time:[2026-01-02T03:00:10Z, 2026-01-02T03:00:20Z) | stats count() as c',
  '* | unpack_json from attrs | limit 1 | fields level',
  '*:error | stats count() as c',
  '_stream:{level="error"} | stats count() as c',
  '* | stats quantile(0.5, n), median(n), uniq_values(user), values(on) limit 3',
]

describe('a SQLite file of someone else', () => {
  test.each(queries)('%s', async (query) => {
    expect(await file.query(query, { lint: 'off' }).toArray()).toEqual(
      await model.query(query, { lint: 'off' }).toArray(),
    )
  })

  const at = (text: string): bigint => present(parseRfc3339(text))
  test.each([
    ['2026-01-02T03:00:10Z', '2026-01-02T03:00:20Z'],
    ['2026-01-02T03:00:10.0005Z', '2026-01-02T03:00:20.000000001Z'],
    ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'],
  ])('from %s to %s', async (start, end) => {
    const options = { range: interval(at(start), at(end)), lint: 'off' as const }
    expect(await file.query('*', options).toArray()).toEqual(await model.query('*', options).toArray())
  })

  test('a look-up reads an index, and a range of times the column', async () => {
    const [compiled] = [file.toSQL('level:=ERROR _time:[2026-01-02T03:00:10Z, 2026-01-02T03:00:20Z) | limit 1')]
    expect(compiled.sql).toMatch(/FROM events.*\.ts >= :ts_from.*\.ts <= :ts_to.*\.level IN \(/s)
    const lines = await engine.explain({ sql: compiled.sql, parameters: compiled.parameters as never, forms: [] })
    expect(lines.join('\n')).toContain('USING INDEX by_level')
  })

  test('words ask the full-text table', async () => {
    const { sql, parameters } = file.toSQL('"timed out" took')
    expect(parameters).toContainEqual({ kind: 'value', name: 'words', value: '"timed out"' })
    const lines = await engine.explain({ sql, parameters: parameters as never, forms: [] })
    expect(lines.join('\n')).toContain('VIRTUAL TABLE')
  })

  test.each(['*', '* | stats count() as c', 'timed', 'level:*', 'user:in(* | fields user) | stats count() as c'])(
    'a data scope is in the statement of %s',
    async (query) => {
      const guard = valueTest(column('level'), { kind: 'equals', value: 'ERROR', isFolded: false, isTyped: false })
      const scope = (): Expr => guard
      const rows = await file.query(query, { lint: 'off', scope }).toArray()
      expect(rows).toEqual(await model.query(query, { lint: 'off', scope }).toArray())
      expect(rows).not.toEqual(await file.query(query, { lint: 'off' }).toArray())
    },
  )

  test('a table that is not mapped is not read', () => {
    const acceptance = sqliteFileStatements([]).accept(file.plan('*').optimized)
    expect(acceptance).toMatchObject({ kind: 'not', reason: 'the table `logs` is not mapped here' })
  })

  test('a cancel ends the statement', async () => {
    const stop = new AbortController()
    const rows = file
      .query('* | join by (content) (* | rename content as other) | stats count()', { signal: stop.signal })
      .toArray()
    setTimeout(() => stop.abort(), 50)
    await expect(
      rows.then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    ).resolves.toMatch(/budget\/cancelled|done/)
  })
})
