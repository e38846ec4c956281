import { describe, expect, test } from 'vitest'
import { canon, lower, parse } from '../../../src/lang/log/index.ts'
import { printPlan } from '../../../src/plan/index.ts'

/** Queries of on-call operators, with the expected plan of each. */
const questions: readonly (readonly [query: string, ...stages: readonly string[]])[] = [
  ['zyxquartz | sort by (_time desc) | limit 100', 'limit', 'sort', 'filter', 'scan'],
  ['request | sort by (_time desc) | limit 100', 'limit', 'sort', 'filter', 'scan'],
  ['request | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['connection refused | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['"connection reset by peer" | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['conn* | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['user1234* | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['content:*nection re* | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['content:*deadbe* | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['content:~"retry [45] of 5 for call to [a-m]" | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['content:~"[a-f]{7}[0-9]{2}" | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['workload:checkout-api timeout | sort by (_time desc) | limit 100', 'limit', 'sort', 'filter', 'scan'],
  ['level:error level:warn namespace:payments | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['-level:debug -level:info request | stats count() as n', 'aggregate', 'filter', 'scan'],
  [
    '(level:error OR status:503) AND (namespace:payments OR namespace:discovery) AND -retry | stats count() as n',
    'aggregate',
    'filter',
    'scan',
  ],
  ['level:error namespace:payments | sort by (_time desc) | limit 100', 'limit', 'sort', 'filter', 'scan'],
  ['level:error | sort by (duration_ms desc) | limit 100', 'limit', 'sort', 'filter', 'scan'],
  ['namespace:payments | sort by (_time desc) | offset 100000 | limit 100', 'limit', 'limit', 'sort', 'filter', 'scan'],
  ['* | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['* | stats by (level) count() as n', 'aggregate', 'filter', 'scan'],
  [
    '* | stats by (workload) count() as n | sort by (n desc) | limit 10',
    'limit',
    'sort',
    'aggregate',
    'filter',
    'scan',
  ],
  ['* | stats by (workload) count() as n, count() if (level:error) as e', 'aggregate', 'filter', 'scan'],
  [
    '* | stats by (workload) avg(duration_ms) as a, quantile(0.5, duration_ms) as p50, quantile(0.99, duration_ms) as p99',
    'aggregate',
    'filter',
    'scan',
  ],
  ['* | stats count_uniq(trace_id) as n', 'aggregate', 'filter', 'scan'],
  ['* | stats by (_time:1m) count() as n', 'aggregate', 'filter', 'scan'],
  [
    '* | stats by (workload, pod, status) count() as n, avg(duration_ms) as a | sort by (n desc, pod asc, status asc) | limit 100',
    'limit',
    'sort',
    'aggregate',
    'filter',
    'scan',
  ],
  [
    '* | stats by (trace_id) count() as n | sort by (n desc, trace_id asc) | limit 10',
    'limit',
    'sort',
    'aggregate',
    'filter',
    'scan',
  ],
  ['timeout | stats by (_time:1m, level) count() as n', 'aggregate', 'filter', 'scan'],
  ['* | uniq by (pod)', 'distinct', 'filter', 'scan'],
  ['level:error | sort by (_time desc) | limit 10000', 'limit', 'sort', 'filter', 'scan'],
  ['trace_id:0af7651916cd43dd | sort by (_time desc) | limit 100', 'limit', 'sort', 'filter', 'scan'],
  ['duration_ms:>500 status:>=500 | stats count() as n', 'aggregate', 'filter', 'scan'],
  ['* | stats by (namespace, level) count() as n, avg(duration_ms) as a', 'aggregate', 'filter', 'scan'],
]

describe('questions', () => {
  test.each(questions)('%s', (query, ...stages) => {
    const { ast, diagnostics } = parse(query)
    expect(diagnostics).toEqual([])
    const plan = printPlan(lower(ast, { nowNs: 0n, table: 'logs' }))
    expect(plan.split('\n').map((line) => line.trim().split(' ')[0])).toEqual(stages)
    const text = canon(ast)
    const again = parse(text)
    expect(again.diagnostics).toEqual([])
    expect(canon(again.ast)).toBe(text)
    expect(printPlan(lower(again.ast, { nowNs: 0n, table: 'logs' }))).toBe(plan)
  })
})
