import { expect, test } from 'vitest'
import { createEngine } from '../../src/engine/index.ts'
import { discoveredLabels, logqlTableOf } from '../../src/engine/logql/index.ts'
import { compilePromql, prepareSeriesPlan } from '../../src/engine/metrics/index.ts'
import { createJson } from '../../src/engine/pipelines/index.ts'
import { lowerMetric, parseLogqlOrThrow } from '../../src/lang/logql/index.ts'
import { lowerPromql, pipelineToPromql, type MetricQueryInput } from '../../src/lang/promql/index.ts'
import { printPlan, type LogicalPlan } from '../../src/plan/index.ts'
import { printSeriesPlan, type SeriesPlan } from '../../src/plan/series/index.ts'
import { logsTable } from '../../src/store/index.ts'

const engine = createEngine()
const json = createJson(engine)
const settings = { nowNs: 0n }

function native(text: string): string {
  return printPlan(engine.plan(text, settings).optimized)
}

/**
 * Returns the plan of the rows that a LogQL count reads. The plan of a log query without a count would also contain
 * stages that the native language lacks.
 */
function rowsOf(text: string): LogicalPlan {
  const query = parseLogqlOrThrow(`sum(count_over_time(${text}[5m]))`)
  if (query.kind === 'log-query') throw new Error('a count is a metric query')
  const plan = lowerMetric(query, logqlTableOf(logsTable, discoveredLabels))
  if (plan.kind !== 'series-logs') throw new Error('a count reads rows of logs')
  return plan.rows
}

/** A query in two languages. The second text is in the native language or PromQL. */
type Pair<T = string> = readonly [other: T, text: string]

const logql: readonly Pair[] = [
  ['{workload="pay"}', '{workload="pay"}'],
  ['{workload!="pay", namespace="x"}', '{workload!="pay", namespace="x"}'],
  ['{workload=~"pay|cart"}', '{workload=~"pay|cart"}'],
  ['{workload!~"pay.*", pod="p"}', '{workload!~"pay.*", pod="p"}'],
  ['{cluster="c", namespace="n", workload="w", pod="p"}', '{cluster="c", namespace="n", workload="w", pod="p"}'],
  ['{workload="pay"} |= "timeout"', '{workload="pay"} ~"timeout"'],
  ['{workload="pay"} |= "a b"', '{workload="pay"} content:~"a b"'],
  ['{workload="pay"} |= "a.b"', '{workload="pay"} ~"a\\\\.b"'],
  ['{workload="pay"} != "cache"', '{workload="pay"} !~"cache"'],
  ['{workload="pay"} |~ "time(out)?"', '{workload="pay"} ~"time(out)?"'],
  ['{workload="pay"} |~ "(?i)timeout"', '{workload="pay"} ~"(?i)timeout"'],
  ['{workload="pay"} !~ "[0-9]"', '{workload="pay"} !~"[0-9]"'],
  ['{workload="pay"} |~ "a.c"', '{workload="pay"} ~"(?-s:a.c)"'],
  ['{workload="pay"} |= "a" |= "b"', '{workload="pay"} ~"a" ~"b"'],
  ['{workload="pay"} |= "a" or "b"', '{workload="pay"} (~"a" or ~"b")'],
  ['{workload="pay"} != "a" or "b"', '{workload="pay"} !(~"a" or ~"b")'],
  ['{workload="pay"} |= "a" != "b" |~ "c.?d"', '{workload="pay"} ~"a" !~"b" ~"(?-s:c.?d)"'],
  ['{workload="pay"} | level="error"', '{workload="pay"} level:~"^error$"'],
  ['{workload="pay"} | level!="error"', '{workload="pay"} !level:~"^error$"'],
  ['{workload="pay"} | level=~"err.*"', '{workload="pay"} level:~"^(?:err.*)$"'],
  ['{workload="pay"} | level="a" and pod="b"', '{workload="pay"} level:~"^a$" pod:~"^b$"'],
  ['{workload="pay"} | level="a", pod!="b"', '{workload="pay"} level:~"^a$" !pod:~"^b$"'],
  ['{workload="pay"} |= "x" | level=""', '{workload="pay"} ~"x" level:=""'],
  ['{workload="pay"} | trace_id="abc"', '{workload="pay"} trace_id:~"^abc$"'],
  ['{workload="pay"} | span_id!=""', '{workload="pay"} span_id:*'],
  ['{workload="pay"} | level!~"a|b"', '{workload="pay"} !level:~"^(?:a|b)$"'],
]

const logsql: readonly Pair[] = [
  ['n:>5 n:<9', 'n:>5 AND n:<9'],
  ['_msg:~"a|b"', 'content:~"a|b"'],
  ['~"a"', 'content:~"a"'],
  ['n:range(1, 5]', 'n:>1 n:<=5'],
  ['i(error)', 'error'],
  ['_msg:i("two words")', '"two words"'],
  ['i(err*)', 'err*'],
  ['!i(error)', '-error'],
  ['i(a) i(b)', 'a b'],
  ['i(a) or i(b)', 'a or b'],
  ['i(a) (i(b) or i(c))', 'a (b or c)'],
  ['{workload="a"} _msg:~"x"', '{workload="a"} ~"x"'],
  ['level:~"a" level:~"b"', 'level:~"a" AND level:~"b"'],
  ['* | fields _time, _msg', '* | fields _time, content'],
  ['* | keep level', '* | fields level'],
  ['* | drop _msg', '* | delete content'],
  ['* | mv _msg as m', '* | rename content as m'],
  ['* | cp _msg as m', '* | copy content as m'],
  ['* | sort by (_time) limit 3', '* | sort by (_time) | limit 3'],
  ['* | order by (n desc) limit 5', '* | sort by (n desc) | limit 5'],
  ['* | head 5', '* | limit 5'],
  ['* | filter n:>5 n:<9', '* | filter n:>5 AND n:<9'],
  ['* | where n:>5', '* | filter n:>5'],
  ['* | stats by (level) count() n', '* | stats by (level) count() as n'],
  ['* | count() n', '* | stats count() as n'],
  ['* | by (level) count() n', '* | stats by (level) count() as n'],
  ['* | stats by (_time:300s) count() n', '* | stats by (_time:5m) count() n'],
  ['* | stats sum_len(_msg) n', '* | stats sum_len(content) n'],
  ['* | stats count() if (n:>5 n:<9) n', '* | stats count() if (n:>5 AND n:<9) n'],
  ['* | extract "<a> x" from _msg', '* | extract "<a> x"'],
  ['* | eval n * 2 as m', '* | math n * 2 as m'],
  ['* | len(_msg) l', '* | len(content) as l'],
  ['_time:[2026-01-01Z, 2026-01-02Z) ~"a"', '_time:[2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z) ~"a"'],
  ['* | uniq by (_msg)', '* | uniq by (content)'],
  ['* | replace ("a", "b") at _msg', '* | replace ("a", "b") at content'],
  ['* | stats max(_msg) m', '* | stats max(content) as m'],
  ['* | skip 3', '* | offset 3'],
  ['* | extract_regexp "(?P<a>x)" from _msg', '* | extract_regexp "(?P<a>x)"'],
]

const pipelines: readonly Pair<object>[] = [
  [
    { filters: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'eq', value: 'error' }] }] } },
    'level:="error"',
  ],
  [
    { filters: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'eq', value: 'error' }] }] }, limit: 5 },
    'level:="error" | limit 5',
  ],
  [{ filters: { operator: 'and', conditions: [{ key: 'n', filters: [{ op: 'lt', value: '5' }] }] } }, 'n:<5'],
  [{ filters: { operator: 'and', conditions: [{ key: 'n', filters: [{ op: 'lte', value: '5' }] }] } }, 'n:<=5'],
  [
    {
      filters: {
        operator: 'and',
        conditions: [
          { key: 'level', filters: [{ op: 'eq', value: 'a' }] },
          { key: 'pod', filters: [{ op: 'eq', value: 'b' }] },
        ],
      },
    },
    'level:="a" pod:="b"',
  ],
  [
    {
      filters: {
        operator: 'and',
        conditions: [
          { key: 'level', filters: [{ op: 'ne', value: 'a' }] },
          { key: 'pod', filters: [{ op: 'ne', value: 'b' }] },
        ],
      },
    },
    '!(level:="a" or pod:="b")',
  ],
  [
    {
      selectors: [
        {
          key: '*',
          alias: 'n',
          processors: [{ op: 'count' }],
          conditionFilter: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'eq', value: 'a' }] }] },
        },
      ],
    },
    '* | stats count() if (level:="a") as n',
  ],
  [{ orderBy: [{ direction: 'asc', selector: { key: 'n' } }], limit: 1 }, '* | sort by (n) | limit 1'],
  [
    {
      selectors: [
        { key: '_time', processors: [{ op: 'toStartOfInterval', args: ['3600 seconds'] }] },
        { key: 'level' },
        { key: 'n', alias: 'm', processors: [{ op: 'max' }] },
      ],
      groupBy: [{ key: '_time' }, { key: 'level' }],
    },
    '* | stats by (_time:1h, level) max(n) as m',
  ],
  [
    {
      selectors: [{ key: 'level' }, { key: 'n', alias: 'm', processors: [{ op: 'median' }] }],
      groupBy: [{ key: 'level' }],
      orderBy: [{ direction: 'desc', selector: { key: 'm' } }],
    },
    '* | stats by (level) median(n) as m | sort by (m desc)',
  ],
  [
    {
      selectors: [{ key: 'level' }, { key: '*', alias: 'n', processors: [{ op: 'count' }] }],
      groupBy: [{ key: 'level' }],
    },
    '* | stats by (level) count() as n',
  ],
  [
    {
      filters: { operator: 'and', conditions: [{ key: 'workload', filters: [{ op: 'eq', value: 'a' }] }] },
      orderBy: [{ direction: 'desc', selector: { key: '_time' } }],
      limit: 10,
    },
    'workload:="a" | sort by (_time desc) | limit 10',
  ],
  [{ filters: { operator: 'and', conditions: [{ key: 'n', filters: [{ op: 'gt', value: '5' }] }] } }, 'n:>5'],
  [
    {
      filters: {
        operator: 'and',
        conditions: [
          {
            key: 'n',
            filters: [
              { op: 'gte', value: '5' },
              { op: 'lt', value: '10' },
            ],
          },
        ],
      },
    },
    'n:>=5 n:<10',
  ],
  [
    { filters: { operator: 'and', conditions: [{ key: 'content', filters: [{ op: 'match', value: '*x*' }] }] } },
    'content:*x*',
  ],
  [
    { filters: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'iin', value: ['a', 'b'] }] }] } },
    'level:in(a, b)',
  ],
  [
    { filters: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'ne', value: 'a' }] }] } },
    '!level:="a"',
  ],
  [
    {
      filters: {
        operator: 'or',
        conditions: [
          {
            key: 'level',
            filters: [
              { op: 'eq', value: 'a' },
              { op: 'eq', value: 'b' },
            ],
          },
        ],
      },
    },
    'level:="a" or level:="b"',
  ],
  [
    {
      selectors: [
        { key: '_time', processors: [{ op: 'toStartOfInterval', args: ['300 seconds'] }] },
        { key: '*', alias: 'n', processors: [{ op: 'count' }] },
      ],
      groupBy: [{ key: '_time' }],
    },
    '* | stats by (_time:5m) count() as n',
  ],
  [
    {
      selectors: [
        { key: 'level' },
        { key: 'n', alias: 's', processors: [{ op: 'sum' }] },
        { key: 'n', alias: 'm', processors: [{ op: 'max' }] },
      ],
      groupBy: [{ key: 'level' }],
    },
    '* | stats by (level) sum(n) as s, max(n) as m',
  ],
  [{ selectors: [{ key: 'pod', alias: 'u', processors: [{ op: 'count_uniq' }] }] }, '* | stats count_uniq(pod) as u'],
  [
    { selectors: [{ key: 'n', alias: 'q', processors: [{ op: 'quantile', args: [0.9] }] }] },
    '* | stats quantile(0.9, n) as q',
  ],
  [
    { filters: { operator: 'and', conditions: [{ key: 'content', filters: [{ op: 'regex', value: 'a|b' }] }] } },
    'content:~"a|b"',
  ],
  [{ filters: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'match', value: '*' }] }] } }, 'level:*'],
  [
    {
      selectors: [{ key: 'workload' }, { key: 'level' }, { key: 'n', alias: 'a', processors: [{ op: 'avg' }] }],
      groupBy: [{ key: 'workload' }, { key: 'level' }],
      orderBy: [{ direction: 'desc', selector: { key: 'a' } }],
      limit: 3,
    },
    '* | stats by (workload, level) avg(n) as a | sort by (a desc) | limit 3',
  ],
  [{ selectors: [{ key: '_time' }, { key: 'level' }] }, '* | fields _time, level'],
  [
    {
      selectors: [{ key: 'level' }, { key: '*', alias: 'n', processors: [{ op: 'count' }] }],
      groupBy: [{ key: 'level' }],
      having: { operator: 'and', conditions: [{ key: 'n', filters: [{ op: 'gt', value: '5' }] }] },
    },
    '* | stats by (level) count() as n | filter n:>5',
  ],
  [
    {
      filters: {
        operator: 'and',
        conditions: [{ key: '*', type: 'freetext', filters: [{ op: 'match', value: 'exact phrase' }] }],
      },
    },
    '"exact phrase"',
  ],
  [{ filters: { operator: 'and', conditions: [{ key: 'pod', filters: [{ op: 'match', value: 'p*' }] }] } }, 'pod:p*'],
  [
    {
      selectors: [
        { key: '_time', alias: 'first', processors: [{ op: 'min' }] },
        { key: '_time', alias: 'last', processors: [{ op: 'max' }] },
      ],
    },
    '* | stats min(_time) as first, max(_time) as last',
  ],
]

const ofA = { metric: 'a' }
const metricPipelines: readonly Pair<MetricQueryInput>[] = [
  [{ pipeline: { metric: 'up' } }, 'up'],
  [{ pipeline: { function: { name: 'sum', pipelines: [ofA] } } }, 'sum(a)'],
  [{ pipeline: { function: { name: 'rate', args: ['5m'], pipelines: [ofA] } } }, 'rate(a[5m])'],
  [{ pipeline: { template: 'sum by (job) (rate(a[5m]))' } }, 'sum by (job) (rate(a[5m]))'],
  [{ pipeline: { template: 'a' }, subPipelines: new Map([['a', { metric: 'x' }]]) }, 'x'],
  [
    {
      pipeline: { template: '{{x}} / {{y}}' },
      subPipelines: new Map([
        ['x', ofA],
        ['y', { metric: 'b' }],
      ]),
    },
    'a / b',
  ],
]

test('there are a hundred pairs', () => {
  expect([logql, logsql, pipelines, metricPipelines].map(({ length }) => length)).toEqual([26, 38, 30, 6])
})

test.each(logql)('LogQL and the native language have one plan: %s', (other, text) => {
  expect(printPlan(engine.compilePlan(rowsOf(other), settings).optimized)).toBe(native(text))
})

test.each(logsql)('LogsQL and the native language have one plan: %s', (other, text) => {
  expect(printPlan(engine.plan(other, { ...settings, dialect: 'logsql' }).optimized)).toBe(native(text))
})

test.each(pipelines)('a pipeline in JSON and the native language have one plan: %j', (other, text) => {
  expect(printPlan(json.plan(other, settings).optimized)).toBe(native(text))
})

test.each(metricPipelines)('a metric pipeline in JSON and PromQL have one plan: %j', (other, text) => {
  const { ast } = pipelineToPromql(other)
  if (ast === undefined) throw new Error('the pipeline is an expression')
  const printed = (plan: SeriesPlan): string => printSeriesPlan(prepareSeriesPlan(plan, {}))
  expect(printed(lowerPromql(ast))).toBe(printed(compilePromql(text, {})))
})
