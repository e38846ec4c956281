import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  matchersOf,
  parsePromql,
  pipelineToPromql,
  printPromql,
  type MetricPipelineInput,
  type MetricQueryInput,
} from '../../../src/lang/promql/index.ts'
import { withoutSpans } from './arbitrary.ts'

function compile(pipeline: MetricPipelineInput, rest: Partial<MetricQueryInput> = {}): string {
  const { ast, diagnostics } = pipelineToPromql({ pipeline, ...rest })
  return ast === undefined ? diagnostics.map((d) => `${d.code}: ${d.message}`).join('; ') : printPromql(ast)
}

const metric = (name: string): MetricPipelineInput => ({ metric: name })

function fn(name: string, args: readonly unknown[], ...pipelines: MetricPipelineInput[]): MetricPipelineInput {
  return { function: { name, args, pipelines } }
}

function subs(entries: Readonly<Record<string, MetricPipelineInput>>): ReadonlyMap<string, MetricPipelineInput> {
  return new Map(Object.entries(entries))
}

describe('functions', () => {
  test.each([
    [metric('up'), 'up'],
    [metric('cpu.usage'), '{__name__="cpu.usage"}'],
    [metric('sum'), '{__name__="sum"}'],
    [fn('max_by', ['pod', 'k8s.ns'], metric('up')), 'max by (pod, "k8s.ns") (up)'],
    [fn('sum_by', [], metric('up')), 'sum(up)'],
    [fn('avg_without', ['pod'], metric('up')), 'avg without (pod) (up)'],
    [fn('topk', ['3', 'by:pod'], metric('up')), 'topk by (pod) (3, up)'],
    [fn('topk_by', [3, 'pod'], metric('up')), 'topk by (pod) (3, up)'],
    [fn('count_values', ['version'], metric('up')), 'count_values("version", up)'],
    [fn('avg_over_time', ['600'], metric('up')), 'avg_over_time(up[10m])'],
    [fn('avg_over_time', ['5m'], fn('max_by', ['a'], metric('up'))), 'avg_over_time(max by (a) (up)[5m:])'],
    [fn('rate', ['1m'], fn('+', [], metric('a'), metric('b'))), 'rate((a + b)[1m:])'],
    [fn('quantile_over_time', ['0.9', '1h'], metric('up')), 'quantile_over_time(0.9, up[1h])'],
    [fn('predict_linear', ['1h', '3600'], metric('up')), 'predict_linear(up[1h], 3600)'],
    [fn('histogram_quantile', ['0.99'], fn('rate', ['5m'], metric('h'))), 'histogram_quantile(0.99, rate(h[5m]))'],
    [fn('clamp', ['-1', 1], metric('up')), 'clamp(up, -1, 1)'],
    [fn('label_replace', ['d', '$1', 's', '(.*)'], metric('up')), 'label_replace(up, "d", "$1", "s", "(.*)")'],
    [fn('hour', []), 'hour()'],
    [fn('time', []), 'time()'],
    [fn('/', ['on:a, b', 'group_left:c'], metric('x'), metric('y')), 'x / on (a, b) group_left (c) y'],
    [fn('*', ['100'], fn('/', [], metric('x'), metric('y'))), '(x / y) * 100'],
    [fn('>', ['bool', '0.5'], metric('x')), 'x > bool 0.5'],
    [fn('unless', ['on:a'], metric('x'), metric('y')), 'x unless on (a) y'],
  ])('%j', (pipeline, wanted) => {
    expect(compile(pipeline)).toBe(wanted)
  })
})

describe('conditions', () => {
  const matchers = (op: string, ...values: readonly unknown[]): string =>
    matchersOf([{ key: 'l', filters: values.map((value) => ({ op, value })) }], [])
      .matchers.map((m) => `${m.op}${m.value}`)
      .join(' ')

  test.each([
    ['eq', ['a'], '=a'],
    ['EQ', ['a', 'b.c'], '=~a|b\\.c'],
    ['ne', ['a', 'b'], '!=a !=b'],
    ['in', [['a', 'b']], '=~a|b'],
    ['notin', [['a', 'b']], '!~a|b'],
    ['match', ['a*b'], '=~(?i:a.*b)'],
    ['not_match', ['x'], '!~(?i:x)'],
    ['regex', ['^a'], '=~.*(?:^a).*'],
    ['contains', ['a+'], '=~.*a\\+.*'],
    ['icontains', ['a', 'b'], '=~(?:(?i:.*a.*))|(?:(?i:.*b.*))'],
    ['inotcontains', ['a'], '!~(?i:.*a.*)'],
    ['startswith', ['a'], '=~a.*'],
    ['iendswith', ['a'], '=~(?i:.*a)'],
    ['exists', [undefined], '!='],
    ['notexists', [undefined], '='],
    ['eq', [5], '=5'],
  ])('%s %j', (op, values, wanted) => {
    expect(matchers(op, ...values)).toBe(wanted)
  })

  test('hold for every selector below, and twice is once', () => {
    const conditions = [{ key: 'env', filters: [{ op: 'eq', value: 'p' }] }]
    const inner = { ...fn('/', [], metric('a'), { ...metric('b'), conditions }), conditions }
    expect(compile(inner, { conditions, matchers: [{ label: 'z', op: '!=', value: '1' }] })).toBe(
      'a{env="p",z!="1"} / b{env="p",z!="1"}',
    )
  })

  test('on the metric name move it into the braces', () => {
    const conditions = [{ key: '__name__', filters: [{ op: 'startswith', value: 'up' }] }]
    expect(compile({ metric: 'up', conditions })).toBe('{__name__="up",__name__=~"up.*"}')
  })
})

describe('templates', () => {
  const subPipelines = subs({
    a: metric('up'),
    sum: fn('+', [], metric('x'), metric('y')),
    minus: fn('-', ['1'], metric('x')),
    nested: { template: '{{a}} / {{sum}}' },
    window: { template: 'http_requests_total[5m]' },
    here: { template: '{{here}}' },
    there: fn('abs', [], { template: 'here' }),
    'a b': metric('q'),
  })

  test.each([
    ['a', 'up'],
    ['nested', 'up / (x + y)'],
    ['sum by (job) ({{a}}) * 2', 'sum by (job) (up) * 2'],
    ['{{sum}} * {{minus}}', '(x + y) * (x - 1)'],
    ['rate({{a}}[5m] offset 1h)', 'rate(up[5m] offset 1h)'],
    ['rate({{sum}}[5m] offset 1h)', 'rate((x + y)[5m:] offset 1h)'],
    ['-{{minus}}', '-(x - 1)'],
    ['{{ a b }}{env="p"} @ end()', 'q{env="p"} @ end()'],
    ['rate({{window}})', 'rate(http_requests_total[5m])'],
    ['sum({{sum}}{env="p"})', 'sum(x{env="p"} + y{env="p"})'],
    ['slot_0 + {{a}}', 'slot_0 + up'],
    ['1 + 1', '1 + 1'],
  ])('%s', (template, wanted) => {
    expect(compile({ template }, { subPipelines })).toBe(wanted)
  })

  test.each([
    ['nowhere', 'promql/pipeline-template'],
    ['{{nowhere}}', 'promql/pipeline-template'],
    ['here', 'promql/pipeline-cycle'],
    ['there', 'promql/pipeline-cycle'],
    ['label_replace(up, "{{a}}", "", "", "")', 'promql/pipeline-slot'],
    ['{{sum}} offset 5m', 'promql/pipeline-slot'],
    ['{{a}', 'promql/'],
    ['sum({{a}}', 'promql/bad-token'],
    ['rate({{a}})', 'promql/wrong-type'],
  ])('%s is refused', (template, code) => {
    const { ast, diagnostics } = pipelineToPromql({ pipeline: { template }, subPipelines })
    expect(ast).toBeUndefined()
    expect(diagnostics[0]?.code).toContain(code)
    expect(diagnostics[0]?.origin.kind).toBe('json')
  })

  test('cannot grow without bound', () => {
    const entries: Record<string, MetricPipelineInput> = { t0: metric('up') }
    for (let i = 1; i <= 30; i++) entries[`t${i}`] = { template: `{{t${i - 1}}} + {{t${i - 1}}}` }
    expect(compile({ template: 't30' }, { subPipelines: subs(entries) })).toContain('promql/pipeline-size')
  })

  test('the text around a slot reads the same whatever fills it', () => {
    const filling = subs({ q: metric('a} or up{x="') })
    expect(compile({ template: 'sum({{q}})' }, { subPipelines: filling })).toBe('sum({__name__="a} or up{x=\\""})')
  })
})

describe('bad parts', () => {
  test.each([
    [{}, 'promql/pipeline-source', ['Pipeline']],
    [{ metric: 'a', template: 'b' }, 'promql/pipeline-source', ['Pipeline']],
    [fn('ratee', ['5m'], metric('a')), 'promql/pipeline-function', ['Pipeline', 'function', 'name']],
    [fn('rate', [], metric('a')), 'promql/pipeline-argument', ['Pipeline', 'function', 'args']],
    [fn('rate', ['-5m'], metric('a')), 'promql/pipeline-argument', ['Pipeline', 'function', 'args']],
    [fn('rate', ['5m', '1'], metric('a')), 'promql/pipeline-argument', ['Pipeline', 'function', 'args']],
    [fn('abs', []), 'promql/pipeline-inputs', ['Pipeline', 'function', 'pipelines']],
    [fn('sum', ['pod'], metric('a')), 'promql/pipeline-argument', ['Pipeline', 'function', 'args']],
    [fn('+', [], metric('a')), 'promql/pipeline-inputs', ['Pipeline', 'function', 'pipelines']],
    [fn('and', ['1'], metric('a')), 'promql/set-scalar', ['Pipeline']],
    [{ metric: 'a', conditions: [{}] }, 'promql/condition-label', ['Pipeline', 'conditions', 0]],
    [
      { metric: 'a', conditions: [{ key: 'l', filters: [{ op: 'gt', value: 1 }] }] },
      'promql/condition-operator',
      ['Pipeline', 'conditions', 0, 'filters', 0],
    ],
    [
      fn('abs', [], { metric: 'a', conditions: [{ key: 'l', filters: [{ op: 'regex', value: '(' }] }] }),
      'promql/bad-regex',
      ['Pipeline', 'function', 'pipelines', 0, 'conditions', 0, 'filters', 0],
    ],
  ])('%j', (pipeline, code, path) => {
    const { ast, diagnostics } = pipelineToPromql({ pipeline })
    expect(ast).toBeUndefined()
    expect(diagnostics[0]).toMatchObject({ code, origin: { kind: 'json', path } })
  })

  test('what would not read back', () => {
    const row = Array.from({ length: 600 }, () => 'a').join(' + ')
    expect(compile({ template: row })).toBe(row)
    expect(compile({ template: `${row} + {{q}}` }, { subPipelines: subs({ q: { template: row } }) })).toBe(
      `${row} + (${row})`,
    )
    expect(compile({ template: `{{q}} + ${row}` }, { subPipelines: subs({ q: { template: row } }) })).toContain(
      'promql/too-tall',
    )
    const deep = `${'('.repeat(100)}{{q}}${')'.repeat(100)}`
    const two = subs({ q: { template: deep.replace('{{q}}', 'a') } })
    expect(compile({ template: deep }, { subPipelines: two })).toContain('promql/too-deep')
  })

  test('pipelines nested too deep', () => {
    let pipeline = metric('a')
    for (let i = 0; i < 100; i++) pipeline = fn('abs', [], pipeline)
    expect(compile(pipeline)).toContain('promql/too-deep')
  })
})

test('what is compiled prints to PromQL that reads back as the same tree', () => {
  const names = fc.constantFrom('up', 'a.b', 'sum', 'x y', 'rate')
  const conditions = fc.array(
    fc.record({
      key: fc.constantFrom('job', '__name__', 'k8s.ns', 'on'),
      filters: fc.array(
        fc.record({
          op: fc.constantFrom('eq', 'ne', 'in', 'match', 'contains', 'notcontains', 'exists'),
          value: fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.integer(), fc.constant('a*b')),
        }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 2 },
  )
  const { pipeline } = fc.letrec<{ pipeline: MetricPipelineInput }>((tie) => ({
    pipeline: fc.oneof(
      { maxDepth: 4 },
      fc.record({ metric: names, conditions }),
      fc.constant({ template: 'other' }),
      fc.constant({ template: '-{{other}} ^ 2 + rate({{other}}[5m:1m])' }),
      fc
        .tuple(
          fc.constantFrom('sum_by', 'max_by'),
          fc.uniqueArray(names, { maxLength: 2 }),
          tie('pipeline'),
          conditions,
        )
        .map(([name, args, inner, on]) => ({ ...fn(name, args, inner), conditions: on })),
      fc
        .tuple(fc.constantFrom('rate', 'avg_over_time'), fc.constantFrom('600', '1.5', '5m', '0.0001'), tie('pipeline'))
        .map(([name, window, inner]) => fn(name, [window], inner)),
      fc
        .tuple(fc.constantFrom('+', '^', '/', '==', 'atan2'), fc.constantFrom('-1', '2', '-5m'), tie('pipeline'))
        .map(([op, arg, inner]) => fn(op, [arg], inner)),
      fc
        .tuple(fc.constantFrom('+', '^', 'and', 'or'), tie('pipeline'), tie('pipeline'))
        .map(([op, a, b]) => fn(op, ['on:job'], a, b)),
    ),
  }))
  const subPipelines = subs({ other: fn('-', [], metric('p'), metric('q')) })
  fc.assert(
    fc.property(pipeline, (input) => {
      const { ast, diagnostics } = pipelineToPromql({ pipeline: input, subPipelines })
      expect(diagnostics).toEqual([])
      const text = printPromql(ast!)
      const again = parsePromql(text)
      expect(again.diagnostics.map((d) => `${text}: ${d.message}`)).toEqual([])
      expect(withoutSpans(again.ast)).toEqual(withoutSpans(ast))
    }),
    { seed: 11, numRuns: 400 },
  )
})
