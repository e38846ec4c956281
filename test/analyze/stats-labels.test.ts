import { describe, expect, test } from 'vitest'
import { bind, statsLabels } from '../../src/analyze/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { lower, parse } from '../../src/lang/log/index.ts'
import { standardCatalog } from '../../src/store/index.ts'

function labelsOf(text: string): string | undefined {
  const { ast, diagnostics } = parse(text)
  expect(diagnostics).toEqual([])
  const plan = lower(ast, { nowNs: 0n, table: 'logs', textField: 'content' })
  const { plan: bound } = bind(plan, { catalog: standardCatalog, functions: standardFunctions, dialect: 'native' })
  const found = statsLabels(bound)
  return found === undefined ? undefined : `${found.labels.join(',')} | ${found.values.join(',')}`
}

describe('labels and values of groups', () => {
  test.each([
    ['* | stats count() as n', ' | n'],
    ['* | stats by (pod, level) count() as n, sum(duration_ms) as s', 'pod,level | n,s'],
    ['* | stats by (_time:5m, pod) count() as n', '_time,pod | n'],
    ['* | stats by (pod) count() as n | filter n:>3 | sort by (n desc) limit 5 rank as r', 'pod | n,r'],
    ['* | stats by (pod) count() as n | math n * 2 as m | delete n', 'pod | m'],
    ['* | stats by (pod) count() as n | math n * 2 as pod', ' | n,pod'],
    ['* | stats by (pod) count() as n | rename pod as p, n as m', 'p | m'],
    ['* | stats by (pod, level) count() as n | fields n, level', 'level | n'],
    ['* | stats by (pod) count() as n | total_stats sum(n) as all', 'pod | n,all'],
    ['* | stats by (pod, level) count() as n | total_stats by (pod) sum(n) as all', 'pod,level | n,all'],
    ['* | stats by (_time:5m, pod) count() as n | running_stats by (pod) sum(n) as all', '_time,pod | n,all'],
    ['* | stats by (pod) count() as n | unpack_json from pod fields (a, b)', 'pod,a,b | n'],
    ['* | stats by (pod) count() as n, row_max(duration_ms) as slowest', 'pod,slowest | n'],
    ['* | stats by (pod) count() as n, sum(duration_ms) as s | format "x" as s', 'pod,s | n'],
    ['* | stats by (pod) count() as n, sum(duration_ms) as s | rename level as s', 'pod | n'],
    ['* | top 5 by (pod) | stats count() as n', ' | n'],
    ['* | stats by (pod) count() as n | format "x <pod>" as title', 'pod,title | n'],
    ['* | stats by (pod, level) count() as n | stats by (level) max(n) as m', 'level | m'],
  ])('%s', (text, expected) => expect(labelsOf(text)).toBe(expected))

  test.each([
    '*',
    '* | stats by (pod) count() as n | fields pod',
    '* | stats by (pod) count() as n | delete n',
    '* | stats by (pod) count() as n | rename pod as n',
    '* | stats by (pod) count() as n | format "x" as n',
    '* | stats by (pod) count() as n | extract "a<b>" from pod',
    '* | stats by (pod) count() as n | union (*)',
    '* | uniq by (pod)',
    '* | top 5 by (pod)',
    '* | stats by (pod) count() as n | top 5 by (pod)',
    '* | stats by (pod) count() as n | total_stats by (level) sum(n) as all',
    '* | stats by (pod, level) count() as n | running_stats by (pod) sum(n) as all',
    '* | stats by (pod) count() as n | unpack_json',
    '* | stats by (pod) row_any(level) as one',
  ])('%s has none', (text) => expect(labelsOf(text)).toBeUndefined())
})
