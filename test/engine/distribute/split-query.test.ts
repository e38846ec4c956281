import { describe, expect, test } from 'vitest'
import { bind } from '../../../src/analyze/index.ts'
import { neededPipes, newestQuery, splitQuery } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { canon, lower, parse, printerOf, type Query } from '../../../src/lang/log/index.ts'
import { FieldSet } from '../../../src/optimize/index.ts'
import type { Dialect } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'

function read(text: string, dialect: Dialect = 'native'): Query {
  const { ast, diagnostics } = parse(text, { dialect })
  expect(diagnostics).toEqual([])
  return ast
}

describe('who does what', () => {
  function split(text: string, dialect: Dialect = 'native'): readonly string[] {
    const parts = splitQuery(read(text, dialect), { dialect, catalog: standardCatalog, functions: standardFunctions })
    const printer = printerOf(dialect)
    const remote = canon(parts.remote, dialect)
    expect(canon(read(remote, dialect), dialect)).toBe(remote)
    const merge = parts.merge === undefined ? [] : [parts.merge.kind]
    return [remote, [...merge, ...parts.local.map(printer.pipe)].join(' | ')]
  }

  test.each([
    ['a b | filter c:1 | math x + 1 as y', 'a b | filter c:1 | math (x + 1) as y', ''],
    ['a | limit 10 | offset 3', 'a | limit 10', 'limit 10 | offset 3'],
    ['a | limit 10 | fields pod', 'a | limit 10 | fields _time, pod', 'limit 10 | fields pod'],
    ['a | fields pod | limit 10', 'a | fields pod | limit 10', 'limit 10'],
    [
      'a | sort by (pod) offset 5 limit 10 rank as r',
      'a | sort by (pod) limit 15 | delete r',
      'sort by (pod) offset 5 limit 10 rank as r',
    ],
    ['a | sort by (pod)', 'a', 'sort by (pod)'],
    ['a | sort by (pod) limit 3 with ties', 'a', 'sort by (pod) limit 3 with ties'],
    ['a | stats by (pod) count() n | filter n:>3', 'a | stats by (pod) count(*) as n', 'states | filter n:>3'],
    // The order of the values is that of all rows.
    ['a | stats by (pod) values(level) n', 'a | fields _time, level, pod', 'stats by (pod) values(level) as n'],
    ['a | stats by (_time:1m fill) count() n', 'a | fields _time', 'stats by (_time:1m fill) count(*) as n'],
    ['a | uniq by (pod) with hits limit 3', 'a | uniq by (pod) with hits', 'hits'],
    ['a | uniq by (pod) filter p limit 3', 'a | uniq by (pod) filter p limit 3', 'uniq by (pod) limit 3'],
    ['a | blocks_count as n', 'a | blocks_count as n', 'stats sum(n) as n'],
    ['a | facets 3', 'a', 'facets 3'],
    ['a | running_stats sum(n) as s', 'a | delete s', 'running_stats sum(n) as s'],
    ['a | filter b:in(c | fields b) | limit 3', 'a', 'filter b:in(c | fields b) | limit 3'],
    ['options(concurrency=2) a | union (b)', 'options(concurrency=2) a', 'union (options(concurrency=2) b)'],
  ])('%s', (text, remote, local) => expect(split(text)).toEqual([remote, local]))

  test('filters behind the first ones are one with them in LogsQL', () => {
    expect(split('a | filter b:c | offset 2 | limit 3', 'logsql')).toEqual(['a b:c | limit 5', 'limit 5 | offset 2'])
  })
})

describe('fields as pipes', () => {
  const text = (set: FieldSet): string =>
    neededPipes(set)
      .map(({ kind, fields }) => `${kind} ${fields.map(({ parts }) => parts.join('*')).join(', ')}`)
      .join(' | ')

  test.each<[FieldSet, string]>([
    [FieldSet.all, ''],
    [FieldSet.none, 'delete *'],
    [FieldSet.named(['b', 'a']), 'fields a, b'],
    [FieldSet.all.without([{ parts: ['b'] }, { parts: ['a', ''] }]), 'delete a*, b'],
    [FieldSet.of([{ parts: ['a', ''] }]).without([{ parts: ['ab'] }]), 'delete ab | fields a*'],
  ])('%#', (set, expected) => expect(text(set)).toBe(expected))
})

test('a query for the newest rows without what makes it one', () => {
  const query = read('level:error | math 1 as x | sort by (_time desc) | limit 9 | delete pod')
  const plan = lower(query, { nowNs: 0n, table: 'logs', textField: 'content' })
  const bound = bind(plan, { catalog: standardCatalog, functions: standardFunctions, dialect: 'native' }).plan
  const found = newestQuery(query, bound)
  expect([found?.offset, found?.limit]).toEqual([0, 9])
  expect(found === undefined ? '' : canon(found.query)).toBe('level:error | math 1 as x | delete pod')
  const whole = read('*')
  expect(newestQuery(whole, lower(whole, { nowNs: 0n, table: 'logs' }))).toBeUndefined()
})
