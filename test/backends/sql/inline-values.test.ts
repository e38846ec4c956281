import { describe, expect, test } from 'vitest'
import { inlineValues } from '../../../src/backends/sql/index.ts'
import { loadDuckdb } from '../../../src/backends/sql/engines/duckdb.ts'
import { openSqlite } from '../../../src/store/sqlite/index.ts'

type Value = null | number | bigint | string | Uint8Array

const values: readonly Value[] = [
  null,
  0,
  -0,
  5,
  -500.5,
  1e300,
  5e-324,
  7n,
  -(2n ** 63n),
  2n ** 63n - 1n,
  '',
  "it's 'quoted'; -- $a :a {a:String} ?1",
  'back\\slash \\n "double" `tick`',
  'line\nand \u0000 nothing',
  'ä 😀',
  new Uint8Array([0, 39, 255]),
  Infinity,
  -Infinity,
]

function inlined(sql: string, value: Value, name: Parameters<typeof inlineValues>[1]): string {
  return inlineValues({ sql, parameters: [{ name: 'a', kind: 'value', value }] }, name).sql
}

describe('a value in the text of a statement is the value that was bound', () => {
  test('of SQLite', async () => {
    const connection = await openSqlite(':memory:')
    try {
      for (const value of values) {
        const [found] = connection
          .prepare(inlined('SELECT :a AS v', value, 'sqlite'))
          .safeIntegers()
          .pluck()
          .all()
        expect(found instanceof Uint8Array ? new Uint8Array(found) : found).toEqual(value)
      }
    } finally {
      connection.close()
    }
  })

  test('of DuckDB', async () => {
    const { DuckDBInstance } = await loadDuckdb()
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    try {
      for (const value of values) {
        const rows = (await connection.runAndReadAll(inlined('SELECT $a AS v', value, 'duckdb'))).getRows()
        const found = rows[0]?.[0]
        const bytes = typeof found === 'object' && found !== null && 'bytes' in found ? found.bytes : undefined
        expect(bytes === undefined ? found : new Uint8Array(bytes)).toEqual(value)
      }
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  })

  test('of PostgreSQL and ClickHouse', () => {
    // PostgreSQL strings cannot contain U+0000.
    const known = values.filter((value) => typeof value !== 'string' || !value.includes('\u0000'))
    expect(known.map((value) => inlined('$1', value, 'postgres'))).toMatchInlineSnapshot(`
      [
        "NULL",
        "'0'",
        "'-0'",
        "'5'",
        "'-500.5'",
        "'1e+300'",
        "'5e-324'",
        "'7'",
        "'-9223372036854775808'",
        "'9223372036854775807'",
        "''",
        "'it''s ''quoted''; -- $a :a {a:String} ?1'",
        "'back\\slash \\n "double" \`tick\`'",
        "'ä 😀'",
        "'\\x0027ff'",
        "'Infinity'",
        "'-Infinity'",
      ]
    `)
    expect(values.map((value) => inlined('{a:String}', value, 'clickhouse'))).toMatchInlineSnapshot(`
      [
        "CAST(NULL AS Nullable(String))",
        "toFloat64('0')",
        "toFloat64('-0')",
        "toFloat64('5')",
        "toFloat64('-500.5')",
        "toFloat64('1e+300')",
        "toFloat64('5e-324')",
        "toInt64('7')",
        "toInt64('-9223372036854775808')",
        "toInt64('9223372036854775807')",
        "''",
        "'it''s ''quoted''; -- $a :a {a:String} ?1'",
        "'back\\\\slash \\\\n "double" \`tick\`'",
        "'line
      and \\0 nothing'",
        "'ä 😀'",
        "unhex('0027ff')",
        "toFloat64('Infinity')",
        "toFloat64('-Infinity')",
      ]
    `)
  })
})

test('placeholders within strings and quoted names are not parameters', () => {
  const given = (sql: string, name: Parameters<typeof inlineValues>[1]): string => inlined(sql, 'v', name)
  expect(given(`SELECT '$a', "$a", E'\\'$a', $a`, 'duckdb')).toBe(`SELECT '$a', "$a", E'\\'$a', 'v'`)
  expect(given(`SELECT '{a:String}\\'', \`{a:String}\`, {a:String}`, 'clickhouse')).toBe(
    `SELECT '{a:String}\\'', \`{a:String}\`, 'v'`,
  )
  expect(given(`SELECT '''$1', $1::text`, 'postgres')).toBe(`SELECT '''$1', 'v'::text`)
  expect(given(`SELECT ':a', "?1", ?1, :a`, 'sqlite')).toBe(`SELECT ':a', "?1", 'v', 'v'`)
})

test('host code stays a parameter', () => {
  const host = { name: 'host_test', kind: 'program' as const }
  const limit = { name: 'limit', kind: 'value' as const, value: 5n }
  const statement = { sql: 'SELECT sluice_test(:host_test, x) LIMIT :limit', parameters: [host, limit] }
  expect(inlineValues(statement, 'sqlite')).toEqual({
    sql: 'SELECT sluice_test(:host_test, x) LIMIT 5',
    parameters: [host],
  })
})
