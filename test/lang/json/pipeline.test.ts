import { describe, expect, test } from 'vitest'
import { always, printJsonPath, type Diagnostic } from '../../../src/base/index.ts'
import { lowerSearch } from '../../../src/lang/json/index.ts'
import { printPlan } from '../../../src/plan/index.ts'
import { decode, pipeline } from '../../../src/wire/index.ts'
import { firstCrashes } from './first-crashes.ts'

const stats = new Set(['count', 'count_uniq', 'min', 'max', 'sum', 'avg', 'quantile', 'median'])
const scalars = new Set(['round', 'len'])
const functions = {
  stats: (name: string) => (stats.has(name) ? name : undefined),
  scalar: (name: string) => (scalars.has(name) ? name : undefined),
  all: () => [...stats, ...scalars],
}

function lower(body: unknown): { readonly lines: readonly string[]; readonly faults: readonly Diagnostic[] } {
  const decoded = decode(pipeline, body)
  const parts = {
    table: 'logs',
    query: undefined,
    filters: undefined,
    sources: undefined,
    pipeline: decoded,
    range: always,
    functions,
  }
  const { plan, diagnostics } = lowerSearch(parts)
  return { lines: printPlan(plan).split('\n'), faults: diagnostics }
}

function plan(body: unknown): readonly string[] {
  const { lines, faults } = lower(body)
  expect(faults.map((d) => d.message)).toEqual([])
  return lines
}

function fault(body: unknown): string {
  return lower(body)
    .faults.map((d) => `${d.code} at ${d.origin.kind === 'json' ? printJsonPath(d.origin.path) : '?'}`)
    .join('; ')
}

describe('selectors', () => {
  test('two levels: first crash of each workload, then crashes per five minutes', () => {
    const lines = plan(firstCrashes('container_crash'))
    expect(lines).toEqual([
      'sort _bucket_timestamp asc',
      '  project _bucket_timestamp, workloads',
      '    aggregate by (bucket(first_seen, 300000000000ns) as _bucket_timestamp) count_uniq(workload) as workloads',
      '      project first_seen, workload',
      '        aggregate by (workload) min(_time) as first_seen',
      '          filter unbound "type" native "container_crash" quoted',
      '            scan logs always',
    ])
  })

  test('an aggregate without an alias is named after its function', () => {
    expect(plan({ selectors: [{ key: '*', processors: [{ op: 'count' }] }] })[1]).toBe('  aggregate count() as count')
  })

  test('conditionFilter and steps above the aggregate', () => {
    const lines = plan({
      selectors: [
        {
          key: '*',
          alias: 'bad',
          processors: [{ op: 'count' }],
          conditionFilter: { conditions: [{ key: 'level', filters: [{ op: 'eq', value: 'error' }] }] },
        },
        { key: 'd', alias: 'mean', processors: [{ op: 'avg' }, { op: 'round', args: [0.1] }] },
      ],
    })
    expect(lines.slice(1, 3)).toEqual([
      '  extend mean = round(mean, 0.1)',
      '    aggregate count() if (unbound "level" = "error" alternative) as bad, avg(d) as mean',
    ])
  })

  test('aliases that swap two columns read the old values', () => {
    expect(
      plan({
        selectors: [
          { key: 'a', alias: 'b' },
          { key: 'b', alias: 'a' },
        ],
      }).slice(0, 4),
    ).toEqual([
      'project b, a',
      '  drop \u00010, \u00011',
      '    extend b = "\\u00010", a = "\\u00011"',
      '      extend \u00010 = a, \u00011 = b',
    ])
  })

  test('windowSpec keeps the rows', () => {
    const lines = plan({
      selectors: [
        { key: 'pod' },
        { key: '*', alias: 'n', processors: [{ op: 'count' }], windowSpec: { partitionBy: [{ key: 'workload' }] } },
      ],
    })
    expect(lines.slice(0, 2)).toEqual([
      'project pod, n',
      '  window partition count() as n partition by (workload) order by (_time asc)',
    ])
  })
})

describe('the other members', () => {
  test('order of execution does not depend on the order in the body', () => {
    const lines = plan({
      limit: 5,
      offset: 2,
      limitBy: { limit: 1, selectors: [{ key: 'a' }] },
      orderBy: [{ direction: 'desc', selector: { key: 'x' } }],
      except: [{ key: 'tmp' }],
      having: { conditions: [{ key: 'x', filters: [{ op: 'gt', value: '5' }] }] },
      mathExpression: [
        { alias: 'x', math_operator: '+', args: [{ column: { key: 'a' } }, { scalar: '2' }], keepExisting: true },
      ],
      sample: 100,
      filters: { conditions: [{ key: 'a', filters: [{ op: 'exists' }] }] },
      transforms: [{ type: 'json_unpack', alias: 'j', sourceColumn: 'body' }],
    })
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual([
      'limit',
      'limit-by',
      'sort',
      'drop',
      'filter',
      'extend',
      'sample',
      'filter',
      'apply',
      'scan',
    ])
  })

  test('join: type words, merged keys, prefix', () => {
    const side = { domain: 'traces', selectors: [{ key: 'trace_id' }, { key: 'level' }] }
    const lines = plan({
      join: {
        type: 'LEFT OUTER JOIN',
        leftPipeline: { domain: 'logs' },
        rightPipeline: side,
        onConditions: [{ leftColumn: { key: 'trace_id' } }],
      },
    })
    expect(lines).toEqual([
      'join left on (trace_id) prefix right',
      '  scan logs always',
      '  project trace_id, level',
      '    scan spans always',
    ])
  })

  test('timeOffset shifts every scan below', () => {
    expect(plan({ timeOffset: '1h', from: { timeOffset: '30 minutes' } })).toEqual([
      'scan logs always shifted by 5400000000000ns',
    ])
  })

  test('the older spelling of math means the same', () => {
    const leaf = { column: { key: 'a' } }
    const newer = plan({ mathExpression: [{ alias: 'x', math_operator: 'divide', args: [leaf, { scalar: 100 }] }] })
    const older = plan({
      mathExpression: [{ alias: 'x', math_operator: '/', left_expression: leaf, right_expression: { scalar: '100' } }],
    })
    expect(older).toEqual(newer)
    expect(newer[0]).toBe('extend x = div(a, 100)')
  })
})

describe('faults carry the place', () => {
  test.each([
    [
      { filters: { conditions: [{ key: 'a', filters: [{ op: 'eqq', value: 1 }] }] } },
      'json/unknown-operator at $.pipeline.filters.conditions[0].filters[0].op',
    ],
    [
      { filters: { conditions: [{ key: 'a', filters: [{ op: 'gt', value: [1] }] }] } },
      'json/wrong-value at $.pipeline.filters.conditions[0].filters[0].value',
    ],
    [
      { selectors: [{ key: 'a', processors: [{ op: 'sume' }] }] },
      'json/unknown-processor at $.pipeline.selectors[0].processors[0].op',
    ],
    [
      { selectors: [{ key: 'a' }, { key: '*', processors: [{ op: 'count' }] }] },
      'json/not-grouped at $.pipeline.selectors[0]',
    ],
    [{ selectors: [{ key: 'a' }, { key: 'b', alias: 'a' }] }, 'json/duplicate-name at $.pipeline.selectors[1]'],
    [
      { selectors: [{ key: 't', processors: [{ op: 'toStartOfInterval', args: ['soon'] }] }] },
      'json/bad-interval at $.pipeline.selectors[0].processors[0].args[0]',
    ],
    [
      { from: { limit: 1 }, union: { leftPipeline: { domain: 'logs' }, rightPipeline: { domain: 'logs' } } },
      'json/two-sources at $.pipeline',
    ],
    [
      {
        join: {
          leftPipeline: { domain: 'logs' },
          rightPipeline: { domain: 'logs' },
          type: 'sideways',
          onConditions: [{ leftColumn: { key: 'a' } }],
        },
      },
      'json/unknown-word at $.pipeline.join.type',
    ],
    [
      { join: { leftPipeline: { domain: 'logs' }, onConditions: [{ leftColumn: { key: 'a' } }] } },
      'json/missing-side at $.pipeline.join',
    ],
    [
      { mathExpression: [{ alias: 'x', math_operator: '+', args: [{ scalar: 'ten' }, { scalar: 1 }] }] },
      'json/bad-math at $.pipeline.mathExpression[0].args[0].scalar',
    ],
    [{ domain: 'longs' }, 'json/unknown-word at $.pipeline.domain'],
  ])('%j', (body, expected) => {
    expect(fault(body)).toBe(expected)
  })
})
