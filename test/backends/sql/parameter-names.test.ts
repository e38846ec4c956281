import { describe, expect, test } from 'vitest'
import { standardCompiler } from '../../../src/catalog/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import type { CompiledStatement } from '../../../src/backends/index.ts'
import { StatementParameters, plainName } from '../../../src/backends/sql/statement/params.ts'

const NOW_NS = 1_760_000_000_000_000_000n

function statementOf(dialect: 'duckdb' | 'clickhouse' | 'postgres' | 'sqlite', query: string): CompiledStatement {
  const { compiler, catalog } = standardCompiler(dialect)
  return createEngine({ catalog, lint: 'off' }).toSQL(query, { compiler, nowNs: NOW_NS })
}

function namesOf({ parameters }: CompiledStatement): readonly string[] {
  return parameters.map(({ name }) => name)
}

describe('what parameters are called', () => {
  test.each([
    ['level:=error', ['level']],
    ['level:=error or workload:=a', ['level', 'workload']],
    ['level:=error or level:~"x"', ['level', 'level_part']],
    ['status:>=500 status:<600', ['status_from', 'status_to']],
    ['_time:[2026-01-02T03:00:00Z, 2026-01-02T03:05:00Z)', ['time_from', 'time_below']],
    ['content:*"a b"* | stats count() as n', ['content_part']],
    ['user:=ann | stats count() as n', ['attributes_key', 'attributes']],
    ['* | stats by (_time:5m) count() as n', ['time_width']],
    ['* | stats by (pod) count() as n | filter n:>3', ['count_from']],
    ['* | sort by (_time) | offset 3 | limit 2', ['limit', 'offset']],
    ['* | stats by (level) count() as n | sort by (n) | offset 3 | limit 2', ['level_pattern', 'limit']],
  ])('%s', (query, names) => {
    expect(namesOf(statementOf('clickhouse', query))).toEqual(names)
  })

  test('a mark that each driver takes', () => {
    const query = 'level:=error | stats count() as n'
    expect(statementOf('duckdb', query).sql).toContain('= $level')
    expect(statementOf('clickhouse', query).sql).toContain('= {level:String}')
    expect(statementOf('sqlite', query).sql).toContain(':level')
    expect(statementOf('postgres', query).sql).toContain('= $1::text')
    expect(namesOf(statementOf('postgres', query))).toEqual(['level'])
  })

  test('nothing that a user wrote is in them', () => {
    const hostile = statementOf('duckdb', '"x; --":="y" | stats by ("z z") count() as n')
    const harmless = statementOf('duckdb', 'a:=b | stats by ("z z") count() as n')
    expect(hostile.sql).toBe(harmless.sql)
    expect(namesOf(hostile)).toEqual(namesOf(harmless))
  })

  test('each stands once, and all are plain', () => {
    const many = Array.from({ length: 300 }, (_, i) => `level:="v${i}"`).join(' or ')
    const names = namesOf(
      statementOf('duckdb', `(${many}) content:word | stats by (user, host) count() as n | limit 3`),
    )
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/)
  })

  test('of columns with other characters', () => {
    expect(plainName('SpanAttributes')).toBe('span_attributes')
    expect(plainName('_time')).toBe('time')
    expect(plainName('http.status code')).toBe('http_status_code')
    expect(plainName('2fa')).toBe('fa')
    expect(plainName(`'; DROP TABLE x`)).toBe('drop_table_x')
    expect(plainName('größe')).toBe('gr_e')
    expect(plainName('時')).toBe('')
  })

  test('numbers behind a name never meet a name that has one already', () => {
    const parameters = new StatementParameters()
    for (const name of ['a', 'a_2', 'a', 'a']) parameters.add(1n, name)
    expect(parameters.list.map(({ name }) => name)).toEqual(['a', 'a_2', 'a_3', 'a_4'])
  })
})
