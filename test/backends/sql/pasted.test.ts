import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadDuckdb } from '../../../src/backends/sql/engines/duckdb.ts'
import { inlineValues } from '../../../src/backends/sql/index.ts'
import { standardCompiler } from '../../../src/catalog/index.ts'
import { createEngine, type Engine } from '../../../src/engine/index.ts'
import { createMemoryStore } from '../../../src/store/index.ts'
import { openSqlite } from '../../../src/store/sqlite/index.ts'

const START_NS = 1_767_225_600_000_000_000n
const levels = ['warn', 'error', 'WARN', '', undefined, `it's`, 'warn']
const statuses = [200, 404, undefined, 500, -1, 2 ** 53 - 1]
const durations = [1.5, 0, undefined, 1024.25, -0.5]

interface Row {
  readonly _time: string
  readonly level?: string | undefined
  readonly status?: number | undefined
  readonly duration_ms?: number | undefined
  readonly content: string
}

const rows: readonly Row[] = Array.from({ length: 60 }, (_, i) => ({
  _time: new Date(Number(START_NS / 1_000_000n) + i * 61_000).toISOString(),
  level: levels[i % levels.length],
  status: statuses[i % statuses.length],
  duration_ms: durations[i % durations.length],
  content: i % 3 === 0 ? `request ${i} timed out, time out` : `request ${i} error`,
}))

const columns = 'level workload namespace env cluster pod container trace_id span_id status duration_ms content'.split(
  ' ',
)

type Answer = readonly (readonly unknown[])[]

/** Runs a statement like a database shell and returns column names and rows. */
interface Shell {
  run(sql: string): Promise<Answer>
  close(): void
}

function literal(value: string | number | undefined): string {
  return value === undefined ? 'NULL' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

function inserts(timeOf: (ns: bigint) => string): string {
  const lines = rows.map((row, i) => {
    const values = columns.map((name) => literal((row as unknown as Record<string, string | number | undefined>)[name]))
    return `(${timeOf(START_NS + BigInt(i) * 61_000_000_000n)}, ${values.join(', ')})`
  })
  return `INSERT INTO logs (_time, ${columns.join(', ')}) VALUES ${lines.join(',\n')}`
}

function declared(text: string, integer: string, float: string): string {
  const typeOf = (name: string): string => (name === 'status' ? integer : name === 'duration_ms' ? float : text)
  return columns.map((name) => `${name} ${typeOf(name)}`).join(', ')
}

/** Returns a shell over better-sqlite3 without Sluice's host functions. */
async function sqliteShell(): Promise<Shell> {
  const connection = await openSqlite(':memory:')
  connection.exec(
    `CREATE TABLE logs (_time INTEGER NOT NULL, ${declared('TEXT', 'INTEGER', 'REAL')}, attributes TEXT) STRICT`,
  )
  connection.exec(inserts(String))
  return {
    run: async (sql) => {
      const statement = connection.prepare(sql).safeIntegers().raw()
      const found = statement.all() as unknown as Answer
      return found
    },
    close: () => connection.close(),
  }
}

async function duckdbShell(): Promise<Shell> {
  const { DuckDBInstance } = await loadDuckdb()
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(
    `CREATE TABLE logs (_time TIMESTAMP_NS, ${declared('VARCHAR', 'BIGINT', 'DOUBLE')}, attributes MAP(VARCHAR, VARCHAR))`,
  )
  await connection.run(inserts((ns) => `make_timestamp_ns(${ns})`))
  return {
    run: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS(),
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/**
 * Ten everyday queries. They search for no words or patterns, because that needs functions that a SQLite shell lacks.
 */
const plain = [
  'level:=warn | fields _time, level, content',
  '_time:[2026-01-01T00:10:00Z, 2026-01-01T00:20:00Z) | fields _time, status',
  '* | fields _time, level, status | limit 5',
  '* | stats by (level) count() as n',
  '* | stats by (_time:5m) count() as n',
  '* | fields _time, status | sort by (status desc) | limit 10',
  '* | uniq by (level)',
]
const sums = 'status:<1000 | stats sum(status) as total, avg(status) as mean, max(status) as top'
const hosted = [
  ['error | fields _time, content', 'a search for words (sluice_test)'],
  ['content:~"time ?out" | fields _time, content', 'a regular expression (sluice_test)'],
  ['level:Information | fields _time, level', 'a comparison regardless of case (sluice_test)'],
] as const

const store = createMemoryStore()
store.table('logs').writer.appendObjects(rows.map((row) => JSON.parse(JSON.stringify(row)) as object))
const model: Engine = createEngine({ tables: store.tables, lint: 'off' })

/** Normalizes a value: numbers of either type, missing strings, and times as nanoseconds. */
function shown(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return BigInt(Date.parse(value)) * 1_000_000n
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}

async function expected(query: string): Promise<Answer> {
  const answer = await model.query(query).toArray()
  const names = [...new Set(answer.flatMap((row) => Object.keys(row)))]
  return answer.map((row) => names.map((name) => shown(row[name])))
}

describe.each([
  ['sqlite', sqliteShell],
  ['duckdb', duckdbShell],
] as const)('statements pasted into a shell of %s', (name, open) => {
  let shell: Shell
  const { compiler, catalog } = standardCompiler(name)
  const engine = createEngine({ catalog, lint: 'off' })
  const compiled = (query: string): ReturnType<Engine['toSQL']> => engine.toSQL(query, { compiler })
  beforeAll(async () => {
    shell = await open()
  })
  afterAll(() => shell.close())

  const pasted = async (query: string, width: number): Promise<Answer> => {
    const { sql, parameters } = inlineValues(compiled(query), name)
    expect(parameters).toEqual([])
    return (await shell.run(sql)).map((row) => row.slice(0, width).map(shown))
  }

  test.each(name === 'sqlite' ? plain : [...plain, ...hosted.map(([query]) => query)])(
    'give the answer: %s',
    async (query) => {
      const answer = await expected(query)
      expect(await pasted(query, answer[0]?.length ?? 0)).toEqual(answer)
    },
  )

  test('give sums and means, and say whose they are', async () => {
    const [[total, mean, top] = []] = await expected(sums)
    const [row = []] = await pasted(sums, 5)
    expect(row).toEqual(expect.arrayContaining([top]))
    expect(compiled(sums).notes?.length).toBe(1)
    if (name === 'sqlite') expect(row).toEqual([total, mean, top])
    else expect(compiled(sums).notes).toEqual([expect.stringMatching(/^`mean` is c\d \/ c\d\.$/)])
  })

  test('say how an order of strings differs', () => {
    expect(compiled('* | stats by (level) count() as n').notes).toEqual([expect.stringMatching(/^Strings are sorted/)])
    expect(compiled('* | sort by (status) | limit 3').notes).toBeUndefined()
  })
})

describe('SQLite keeps host functions where plain SQL would give other rows', () => {
  const { compiler, catalog } = standardCompiler('sqlite')
  const engine = createEngine({ catalog, lint: 'off' })

  test.each(hosted)('%s', (query, part) => {
    const { sql, notes } = engine.toSQL(query, { compiler })
    expect(sql.match(/sluice_\w+/g)).toEqual(['sluice_test'])
    expect(notes).toEqual([expect.stringMatching(/^A shell cannot run it: /)])
    expect(notes?.[0]).toContain(part)
  })

  test('an order of strings that selects rows', () => {
    const { sql, notes } = engine.toSQL('* | sort by (level) | limit 3', { compiler })
    expect(sql).toContain('sluice_sort_key(')
    expect(notes).toEqual([expect.stringContaining('an order of strings and numbers')])
    expect(engine.toSQL('* | sort by (level)', { compiler }).sql).not.toContain('sluice_')
  })

  test.each([
    '* | stats sum(status) as s | union (* | stats sum(status) as s)',
    '* | stats avg(status) as m | limit 1',
  ])('whose sums are named below other stages too: %s', (query) => {
    expect(engine.toSQL(query, { compiler }).notes).toContainEqual(expect.stringMatching(/^Sums and means are SQLite/))
  })

  test('a sum that a condition looks at', () => {
    const { sql } = engine.toSQL('* | stats by (level) sum(status) as s | filter s:>5', { compiler })
    expect(sql).toContain('sluice_test(')
  })
})
