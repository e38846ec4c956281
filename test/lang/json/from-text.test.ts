import { describe, expect, test } from 'vitest'
import { present, spanOf } from '../../../src/base/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { textToPipeline, type TextPipeline } from '../../../src/lang/json/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'

const { stats, scalar } = standardFunctions
const functions = {
  stats: (name: string) => stats.get(name)?.name,
  scalar: (name: string) => scalar.get(name)?.name,
  all: () => [...stats.names(), ...scalar.names()],
}
const table = standardCatalog.tables.get('logs')

function read(text: string): TextPipeline {
  // 2026-03-10T12:00:00Z
  return textToPipeline(text, {
    functions,
    aliases: table?.aliases,
    textField: table?.textField,
    nowNs: 1_773_144_000_000_000_000n,
  })
}

const match = (key: string, ...values: readonly string[]): object => ({
  key,
  filters: values.map((value) => ({ op: 'match', value })),
})
const all = (...conditions: readonly object[]): object => ({ operator: 'and', conditions })

describe('texts as structured queries', () => {
  test.each([
    ['*', {}],
    // Conditions on the same field, under any of its names, are joined by OR; conditions on different fields by AND.
    [
      'level:error severity:warn a:b',
      {
        filters: {
          operator: 'and',
          groups: [
            { operator: 'or', conditions: [match('level', 'error'), match('severity', 'warn')] },
            all(match('a', 'b')),
          ],
        },
      },
    ],
    ['level:error level:warn', { filters: { operator: 'or', conditions: [match('level', 'error', 'warn')] } }],
    [
      '-a:b pool',
      {
        filters: all(
          { key: 'a', filters: [{ op: 'not_match', value: 'b' }] },
          { key: '*', type: 'freetext', filters: [{ op: 'match', value: 'pool' }] },
        ),
      },
    ],
    ['a:="x*"', { filters: all({ key: 'a', filters: [{ op: 'eq', value: 'x*' }] }) }],
    ['a:"x*"', { filters: all({ key: 'a', filters: [{ op: 'iin', value: 'x*' }] }) }],
    [
      'status:>=500 status:<600',
      {
        filters: all({
          key: 'status',
          filters: [
            { op: 'gte', value: '500' },
            { op: 'lt', value: '600' },
          ],
        }),
      },
    ],
    [
      '!(a:b or c:d)',
      {
        filters: all(
          { key: 'a', filters: [{ op: 'not_match', value: 'b' }] },
          { key: 'c', filters: [{ op: 'not_match', value: 'd' }] },
        ),
      },
    ],
    [
      '* | stats count() as n | filter n:>5 | limit 3',
      {
        selectors: [{ key: '*', alias: 'n', processors: [{ op: 'count' }] }],
        having: all({ key: 'n', filters: [{ op: 'gt', value: '5' }] }),
        limit: 3,
      },
    ],
    [
      'a:b | limit 5 | filter c:d',
      { from: { filters: all(match('a', 'b')), limit: 5 }, filters: all(match('c', 'd')) },
    ],
    [
      '* | stats by (_time:5m, level) avg(d) as mean | sort by (mean desc) | offset 20 | limit 10',
      {
        selectors: [
          { key: '_time', processors: [{ op: 'toStartOfInterval', args: ['300 seconds'] }] },
          { key: 'level' },
          { key: 'd', alias: 'mean', processors: [{ op: 'avg' }] },
        ],
        groupBy: [{ key: '_time' }, { key: 'level' }],
        orderBy: [{ direction: 'desc', selector: { key: 'mean' } }],
        offset: 20,
        limit: 10,
      },
    ],
    [
      '* | math round(d / 10) as x | stats max(x) as m',
      {
        selectors: [{ key: 'd', alias: 'm', processors: [{ op: 'div', args: [10] }, { op: 'round' }, { op: 'max' }] }],
      },
    ],
    [
      '* | math a / b * 10 as x | stats max(x) as m',
      {
        from: {
          mathExpression: [
            {
              alias: 'x',
              math_operator: '*',
              args: [
                { math_operator: '/', args: [{ column: { key: 'a' } }, { column: { key: 'b' } }] },
                { scalar: '10' },
              ],
              keepExisting: true,
            },
          ],
        },
        selectors: [{ key: 'x', alias: 'm', processors: [{ op: 'max' }] }],
      },
    ],
    ['* | uniq by (a)', { selectors: [{ key: 'a' }], groupBy: [{ key: 'a' }] }],
    [
      '* | total_stats by (a) count() as n | fields a, n',
      {
        selectors: [
          { key: 'a' },
          { key: '*', alias: 'n', processors: [{ op: 'count' }], windowSpec: { partitionBy: [{ key: 'a' }] } },
        ],
      },
    ],
    ['* | limit 10 | offset $p', { from: { limit: 10 }, offset: { $parameter: 'p' } }],
    [
      '* | datetime_extract hour from _time as h | limit 2 by (h)',
      {
        transforms: [{ type: 'datetime_extract', alias: 'h', sourceColumn: '_time', args: ['hour'] }],
        limitBy: { limit: 2, selectors: [{ key: 'h' }] },
      },
    ],
    [
      '* | unpack_json from body result_prefix "j."',
      { transforms: [{ type: 'json_unpack', alias: 'j', sourceColumn: 'body' }] },
    ],
    ['options(range_offset=1h, domain=traces) *', { domain: 'traces', timeOffset: '1h' }],
    [
      '* | union (options(domain=events) *)',
      { union: { leftPipeline: { domain: 'logs' }, rightPipeline: { domain: 'events' } } },
    ],
  ])('%s', (text, expected) => {
    const { pipeline, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(pipeline).toEqual(expected)
  })
})

test('the name of a stream is read after the stages that change its fields', () => {
  const renamed = {
    mathExpression: [{ alias: 'a', column: { key: 'namespace' }, keepExisting: true }],
    except: [{ key: 'namespace' }],
  }
  const pipelineOf = (pipe: string): TextPipeline['pipeline'] => read(`* | rename namespace as a | ${pipe}`).pipeline
  expect(pipelineOf('fields _stream')).toEqual({ from: renamed, selectors: [{ key: '_stream' }] })
  expect(pipelineOf('stats by (_stream) count() n')).toMatchObject({ from: renamed, groupBy: [{ key: '_stream' }] })
  expect(pipelineOf('uniq by (_stream)')).toMatchObject({ from: renamed, groupBy: [{ key: '_stream' }] })
  expect(pipelineOf('filter _stream:x')).toMatchObject({ from: renamed })
  expect(pipelineOf('fields a')).toEqual({ selectors: [{ key: 'namespace', alias: 'a' }] })
})

test('a window over rows without their time sees none', () => {
  expect(read('* | fields a | total_stats last(a) as r').pipeline).toEqual({
    from: { selectors: [{ key: 'a' }] },
    selectors: [{ key: 'a' }, { key: 'a', alias: 'r', processors: [{ op: 'last' }], windowSpec: { partitionBy: [] } }],
  })
})

test('a column that reads a window keeps it when the window itself goes', () => {
  const window = { key: 'x', alias: 'n', processors: [{ op: 'min' }], windowSpec: { partitionBy: [] } }
  expect(read('* | total_stats min(x) as n | copy n as m | fields m, n | delete n').pipeline).toEqual({
    from: { selectors: [{ key: 'n', alias: 'm' }, window] },
    selectors: [{ key: 'm' }],
  })
  expect(read('* | total_stats min(x) as n | copy n as m | fields m').pipeline).toEqual({
    selectors: [{ ...window, alias: 'm' }],
  })
})

test('arithmetic that a key reads is made beside keys that wait', () => {
  const text = '* | math (3 + 0) as x | bucketize a:1h as m | math abs(x) as k | sort by (m, k) | delete m, k'
  const { pipeline } = read(text)
  expect(pipeline).toEqual({
    mathExpression: [{ alias: 'x', math_operator: '+', args: [{ scalar: '3' }, { scalar: '0' }], keepExisting: true }],
    orderBy: [
      { direction: 'asc', selector: { key: 'a', processors: [{ op: 'toStartOfInterval', args: ['3600 seconds'] }] } },
      { direction: 'asc', selector: { key: 'x', processors: [{ op: 'abs' }] } },
    ],
    except: [{ key: 'm' }, { key: 'k' }],
  })
})

test('arithmetic steps that need each other are made as they came about, beside keys that were used', () => {
  const text =
    '* | stats by (a) count() as n, sum(c) as s | math (a % n) as n | math (n % s) as a | math round(s) as k | sort by (k) | delete k'
  const { pipeline } = read(text)
  expect(pipeline?.from?.orderBy).toEqual([{ direction: 'asc', selector: { key: 's', processors: [{ op: 'round' }] } }])
  expect(pipeline?.mathExpression).toEqual([
    { alias: 'n', math_operator: '%', args: [{ column: { key: 'a' } }, { column: { key: 'n' } }], keepExisting: true },
    { alias: 'a', math_operator: '%', args: [{ column: { key: 'n' } }, { column: { key: 's' } }], keepExisting: true },
  ])
})

test('arithmetic that an aggregate reads is made beside arguments that wait', () => {
  const text =
    '* | math (0 - status) as x | math round(level) as m | stats by (workload) min(m) as least, sum(x) as total'
  expect(read(text).pipeline).toEqual({
    from: {
      mathExpression: [
        { alias: 'x', math_operator: '-', args: [{ scalar: '0' }, { column: { key: 'status' } }], keepExisting: true },
      ],
    },
    selectors: [
      { key: 'workload' },
      { key: 'level', alias: 'least', processors: [{ op: 'round' }, { op: 'min' }] },
      { key: 'x', alias: 'total', processors: [{ op: 'sum' }] },
    ],
    groupBy: [{ key: 'workload' }],
  })
})

describe('what a pipeline cannot hold is named at its place', () => {
  test.each([
    ['* | extract "<a>" from b', 'extract "<a>" from b', 'the pipe `extract`'],
    ['* | facets', 'facets', 'the pipe `facets`'],
    ['a:eq_field(b)', 'a:eq_field(b)', 'the filter `eq_field`'],
    ['x:len_range(1, 5)', 'x:len_range(1, 5)', 'the filter `len_range`'],
    ['ab*:x', 'ab*:x', 'a filter on fields by pattern'],
    ['id:in(a:b | fields id)', 'id:in(a:b | fields id)', 'a query inside a filter'],
    ['* | stats sum(a, b)', 'sum(a, b)', '`sum` of several columns'],
    ['* | stats uniq_values(a) limit 3', 'uniq_values(a) limit 3', '`uniq_values` with a limit or an order'],
    ['* | stats by (size:10) count()', 'size', 'such a key to group by'],
    ['* | running_stats count() as n', 'running_stats count() as n', 'a running value'],
    ['* | total_stats count() as n', 'total_stats count() as n', 'an aggregate on every row beside all other fields'],
    ['* | math round(a) as b', 'round(a)', 'the column `b` beside all other fields'],
    ['* | sort by (a) rank as r', 'sort by (a) rank as r', 'the rank of a sort'],
    ['* | join by (a) (*)', 'join by (a) (*)', 'a join that names the columns of the other side in this way'],
    ['* | union rows({"a":1})', 'rows({"a":1})', 'rows written in place'],
    ['* | sample 10', 'sample 10', 'one row in so many'],
    ['* | fields a*', 'fields a*', 'fields by pattern'],
    [
      '* | fields content | filter _stream:{pod="p1"}',
      '_stream:{pod="p1"}',
      'a filter on labels that a stage before has left out',
    ],
  ])('%s', (text, place, what) => {
    const { pipeline, diagnostics } = read(text)
    expect(pipeline).toBeUndefined()
    expect(diagnostics.map(({ message }) => message)).toEqual([`A pipeline cannot hold ${what}.`])
    expect(diagnostics[0]?.notes.length).toBe(1)
    const span = spanOf(present(diagnostics[0]).origin)
    expect(text.slice(span?.start, span?.end)).toBe(place)
  })

  test('times that count from now are fixed, with a warning where they stand', () => {
    const { pipeline, diagnostics } = read('a:b | stats count() if (_time:5m) as n')
    expect(JSON.stringify(pipeline)).toContain('2026-03-10T11:55:00')
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['json/fixed-time', 'warning']])
    expect(spanOf(present(diagnostics[0]?.origin))).toEqual({ start: 24, end: 32 })
  })

  test('a text with errors has the errors of the text', () => {
    expect(read('a:(').diagnostics.map(({ code }) => code.split('/')[0])).toEqual(['log'])
  })
})
