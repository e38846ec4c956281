import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  fileDefinition,
  sqliteFileBackend,
  type SqliteFileEngine,
  type TableMapping,
} from '../../../../src/backends/sql/index.ts'
import { sqliteFileEngine } from '../../../../src/backends/sql/engines/sqlite-file.ts'
import { rowsBackend } from '../../../../src/backends/index.ts'
import { Instant, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { createEngine, type Engine } from '../../../../src/engine/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { openSqlite, type SqliteConnection } from '../../../../src/store/sqlite/index.ts'

interface Given {
  readonly seq: number
  readonly ns: bigint
  readonly level: string
  readonly trace: string | null
  readonly status: bigint | null
  readonly took: number | null
  readonly content: string | null
}

const START_NS = 1_767_322_800_000_000_000n
const levels = ['error', 'Warn', 'info', '5', '']

const ranking = [
  '12',
  '1.5e3',
  '-3ms',
  '5MiB',
  '+inf',
  'Infinity',
  '0x1F',
  '-0b1',
  '2026-01-02T03:04:05Z',
  '2026-01-02 x',
  '1a',
  '٣',
  '.5',
  '7µs',
  '12\0',
  'nan',
  '0xAC',
  '+0xca',
  '9c',
  'INF',
  'i',
  'J',
  '2026-01-02T03:04:05+01:00',
]

/** Strings with wildcard characters of SQL patterns, and with the searched words next to other characters. */
const odd = ['timed out', 'xtimed out, -Timed out_', '[a]*b? [timed] out', '100%_done \\ (timed out)', '*timed\tout*']

const given = Array.from({ length: 400 }, (_, i): Given => ({
  seq: i + 1,
  // Some rows arrive late.
  ns: START_NS + BigInt(i % 17 === 0 ? i - 40 : i) * 1_000_000_000n,
  level: levels[i % levels.length] ?? '',
  trace:
    i % 9 === 0
      ? null
      : i % 8 === 0
        ? (ranking[i % ranking.length] ?? '')
        : `${(i * 7919).toString(16)}${i % 2 === 0 ? 'aBc' : 'ABC'}`,
  status: i % 7 === 0 ? null : i % 50 === 0 ? 2n ** 60n + BigInt(i) : BigInt(200 + (i % 5)),
  took: i % 11 === 0 ? null : i / 8 + 0.1,
  content:
    i % 13 === 0
      ? null
      : i % 6 === 1
        ? (odd[i % odd.length] ?? '')
        : `Request ${i} to /api/v${i % 3}, timed out in_${i}${i % 4 === 0 ? ' again_' : ''}`,
}))

const mapping: TableMapping = {
  name: 'logs',
  source: { kind: 'table', path: ['kept'] },
  time: { field: '_time', column: 'ns', nativeType: 'INTEGER', isNullable: false, unit: 'ns' },
  textField: 'content',
  streamFields: [],
  fields: ['seq', 'level', 'trace', 'status', 'took', 'content'].map((name) => ({
    name,
    column: name,
    path: [],
    type: 'any' as const,
    nativeType: '',
    isNullable: true,
    aliases: [],
  })),
  attributes: [],
  tieBreak: ['seq'],
  domain: 'logs',
  words: { kind: 'fts5', table: 'kept_words', cut: 'words' },
}

function valueOf(value: Given[keyof Given]): Value {
  return typeof value === 'bigint' && value <= 2n ** 53n ? Number(value) : value
}

function modelOf(rows: readonly Given[]): Engine {
  const definition = fileDefinition(mapping)
  const stored = rows.map(({ ns, ...fields }, sequence): StoredRow => {
    const row = new Map<string, Value>([['_time', new Instant(ns)]])
    for (const [name, value] of Object.entries(fields)) if (value !== null) row.set(name, valueOf(value))
    return { timeNs: ns, sequence, row }
  })
  const catalog = { tables: new Map([['logs', definition]]), defaultTable: 'logs' }
  return createEngine({ backends: [rowsBackend(new Map([['logs', stored]]), standardFunctions)], catalog })
}

function insert(connection: SqliteConnection, rows: readonly Given[]): void {
  const into = connection.prepare('INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const row of rows) into.run(BigInt(row.seq), row.ns, row.level, row.trace, row.status, row.took, row.content)
  connection.exec("INSERT INTO kept_words (kept_words) VALUES ('rebuild')")
}

const queries = [
  '*',
  'level:error',
  'level:WARN | stats count() as c',
  '!level:warn | stats count() as c',
  'level:5 | fields seq',
  'level:"" | stats count() as c',
  `trace:${given[31]?.trace?.toLowerCase()}`,
  'trace:1eABC | fields trace',
  'trace:*BC | stats count() as c',
  'status:=204 | stats count() as c',
  'status:>1000000 | fields status',
  'took:>20 took:<=30 | stats count() as c, sum(took) as s, avg(took) as a',
  'request | stats count() as c',
  'request out | stats count() as c',
  'request -again_ | stats count() as c',
  'TIMED | sort by (_time desc) | limit 7 | fields seq',
  '"timed out" | stats count() as c',
  '!"timed out" | stats count() as c',
  '"timed o"* | stats count() as c',
  'i("Timed Out") | stats count() as c',
  '"[a]*b?" | stats count() as c',
  '"*timed" | stats count() as c',
  '"out*" | stats count() as c',
  '"100%_done" | stats count() as c',
  'content:*"%_d"* | stats count() as c',
  'content:*"_d"* | stats count() as c',
  String.raw`content:*" \\ ("* | stats count() as c`,
  'content:*"a]*b"* | stats count() as c',
  'req* | stats count() as c',
  'in_1* | stats count() as c',
  'content:*"timed out"* | stats count() as c',
  'content:*TIMED* | stats count() as c',
  'content:~"in_[0-9]2" | stats count() as c',
  'kelvin | stats count() as c',
  '* | sort by (_time desc) | limit 5',
  '* | sort by (trace, seq) | limit 20 | fields trace',
  '* | sort by (status desc, seq) | limit 9 | fields status',
  '* | stats by (level) count() as c, sum(status) as s, min(took) as m, max(status) as x',
  '* | stats by (level) sum(took) as s, avg(took) as a | sort by (level)',
  '* | stats by (_time:1m) count() as c',
  'request | sort by (_time desc) | limit 3 | fields seq, _time',
  'again_ status:200 | sort by (_time desc) | offset 2 | limit 90 | fields seq',
  '* | sort by (trace desc) | limit 30 | fields trace',
  '* | stats by (trace) count() as c | sort by (c desc, trace) | limit 6',
  '* | uniq by (status)',
  '* | stats count_uniq(status) as a, count_uniq(trace) as b, count(took) as c',
  '* | join by (status) (status:>1000 | fields status, seq | rename seq as other) | fields status, other | limit 3',
  '* | fields status | union (* | fields level | rename level as status) | uniq by (status) | sort by (status)',
]

const folder = mkdtempSync(join(tmpdir(), 'sluice-kept-'))
let connection: SqliteConnection
let engine: SqliteFileEngine
let file: Engine

beforeAll(async () => {
  const path = join(folder, 'kept.db')
  connection = await openSqlite(path)
  connection.exec(`CREATE TABLE kept (seq INTEGER PRIMARY KEY, ns INTEGER NOT NULL, level TEXT NOT NULL, trace TEXT, status INTEGER, took REAL, content TEXT) STRICT;
    CREATE INDEX by_time ON kept (ns); CREATE INDEX by_level ON kept (level, ns); CREATE INDEX by_trace ON kept (trace); CREATE INDEX by_status ON kept (status, took);
    CREATE INDEX odd ON kept (seq) WHERE length(content) <> octet_length(content) OR typeof(content) NOT IN ('text', 'null');
    CREATE VIRTUAL TABLE kept_words USING fts5(content, content='kept', content_rowid='seq', tokenize="unicode61 tokenchars '_'")`)
  insert(connection, given)
  engine = await sqliteFileEngine({ path, processes: 1 })
  const definition = fileDefinition(mapping)
  const catalog = { tables: new Map([[definition.name, definition]]), defaultTable: 'logs' }
  file = createEngine({ backends: [sqliteFileBackend(engine, [mapping])], catalog })
})

afterAll(async () => {
  await engine.close()
  connection.close()
  rmSync(folder, { recursive: true, force: true })
})

const later: readonly Given[] = [
  {
    seq: 401,
    ns: START_NS + 500_000_000_000n,
    level: 'ERROR',
    trace: '',
    status: -5n,
    took: 0,
    content: '\u212aelvin timed out',
  },
  {
    seq: 402,
    ns: START_NS + 600_000_000_000n,
    level: 'fatal',
    trace: '1eabc',
    status: 204n,
    took: -1e300,
    content: 're\u0301quest t\u0130med a\0b',
  },
]

describe('a table whose schema and indexes show what is in it', () => {
  test.each(queries)('%s', async (query) => {
    expect(await file.query(query, { lint: 'off' }).toArray()).toEqual(
      await modelOf(given).query(query, { lint: 'off' }).toArray(),
    )
  })

  test('is read without code of ours where that is plain, and again when it was changed', async () => {
    const shown = async (query: string): Promise<string> => {
      const result = file.query(query, { lint: 'off' })
      await result.toArray()
      await result.askPlans()
      return JSON.stringify(result.explain())
    }
    const counted = await shown('request | stats count() as c')
    expect(counted).not.toContain('sluice_')
    expect(counted).not.toMatch(/FROM kept\b/)
    for (const query of ['req* | stats count() as c', '-request | stats count() as c']) {
      const answered = await shown(query)
      expect(answered).toContain('MATCH')
      expect(answered).not.toMatch(/sluice_|GLOB/)
    }
    expect(await shown('"timed out" | stats count() as c')).not.toContain('sluice_')
    expect(await shown('content:*"%_d"* | stats count() as c')).not.toContain('sluice_')
    const looked = await shown('level:error | sort by (_time desc) | limit 3')
    expect(looked).toContain('USING INDEX by_level')
    insert(connection, later)
    const model = modelOf([...given, ...later])
    for (const query of queries) {
      expect(await file.query(query, { lint: 'off' }).toArray(), query).toEqual(
        await model.query(query, { lint: 'off' }).toArray(),
      )
    }
  })
})
