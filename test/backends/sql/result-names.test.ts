import { describe, expect, test } from 'vitest'
import { loadDuckdb } from '../../../src/backends/sql/engines/duckdb.ts'
import { inlineValues, type ForeignName } from '../../../src/backends/sql/index.ts'
import { duckdb } from '../../../src/backends/sql/dialects/duckdb.ts'
import { postgres } from '../../../src/backends/sql/dialects/postgres.ts'
import { resultNames } from '../../../src/backends/sql/result-names.ts'
import { standardCompiler } from '../../../src/catalog/index.ts'
import { createEngine } from '../../../src/engine/index.ts'

function statementOf(name: ForeignName, query: string): string {
  const { compiler, catalog } = standardCompiler(name)
  return inlineValues(createEngine({ catalog, lint: 'off' }).toSQL(query, { compiler, nowNs: 0n }), name).sql
}

describe('result columns have the names of the query', () => {
  test.each(['duckdb', 'clickhouse', 'postgres', 'sqlite'] as const)('in %s', (name) => {
    expect(statementOf(name, '* | stats count() as n')).toContain('count(*) AS n')
    expect(statementOf(name, '* | stats by (level) count() as "two words"')).toMatch(/AS ["`]two words["`]/)
    expect(statementOf(name, '* | stats max(status) as latest')).toMatch(/AS latest\b/)
  })

  test('a sum has its name, although its count crosses beside it', () => {
    expect(statementOf('postgres', '* | stats sum(duration_ms) as total')).toMatch(/sum\(.*\) AS total\b/)
  })

  test('undeclared fields have that of their column', () => {
    expect(statementOf('duckdb', '*')).toContain('to_json(t0.attributes) AS attributes')
  })

  test('quotes, words of SQL and Unicode stand in quotes, which DuckDB reads', async () => {
    const names = [`it's`, 'a "b"', 'select', 'Größe 😀', '--', '$x', 'a.b']
    const calls = names.map((name) => `count() as ${JSON.stringify(name)}`).join(', ')
    const { DuckDBInstance } = await loadDuckdb()
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    try {
      await connection.run('CREATE TABLE logs (_time TIMESTAMP_NS, level VARCHAR)')
      const reader = await connection.runAndReadAll(statementOf('duckdb', `* | stats ${calls}`))
      expect(reader.columnNames()).toEqual(names)
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  })
})

describe('a name stands as it is or not at all', () => {
  test('doubled, or other in case only', () => {
    expect(resultNames(['a', 'A', 'a', undefined, 'b'], duckdb)).toEqual(['a', 'c1', 'c2', 'c3', 'b'])
  })

  test('longer than the database keeps', () => {
    const long = 'ä'.repeat(32)
    expect(resultNames(['x'.repeat(63), 'x'.repeat(64), long], postgres)).toEqual(['x'.repeat(63), 'c1', 'c2'])
    expect(resultNames([long], duckdb)).toEqual([long])
  })

  test('empty, with a zero character, ill-formed, or that of a source', () => {
    expect(resultNames(['', 'a\0b', '\ud800', 't0', 'T1.x', 'p99'], duckdb)).toEqual([
      'c0',
      'c1',
      'c2',
      'c3',
      'c4',
      'p99',
    ])
  })

  test('and leaves columns without a name another one', () => {
    expect(resultNames(['C1', undefined, 'c1_2'], duckdb)).toEqual(['C1', 'c1_3', 'c1_2'])
  })
})
