import { describe, expect, test } from 'vitest'
import { applyFix, isError, spanOf, type JsonValue, type Origin } from '../../src/base/index.ts'
import { Labels, rowToJson } from '../../src/data/index.ts'
import { createEngine, printExplainTree, type Engine, readRows } from '../../src/engine/index.ts'
import { createPromql } from '../../src/engine/metrics/index.ts'
import { createJson } from '../../src/engine/pipelines/index.ts'
import { canon, canonText, format, parameterNames, parse, type Parameters } from '../../src/lang/log/index.ts'
import { parsePromql } from '../../src/lang/promql/index.ts'
import { fingerprint } from '../../src/plan/index.ts'
import { SampleStore } from '../../src/store/index.ts'
import { complete, LanguageService } from '../../src/editor/index.ts'
import { options } from '../editor/options.ts'
import { columnarOver, rowsOver, sqliteOver, startNs, storedRow } from './data.ts'

const rows = [
  storedRow(0, startNs, { content: 'GET /pay', pod: 'alpha', level: 'info', ms: 2, host: '10.0.0.1' }),
  storedRow(1, startNs + 60_000_000_000n, {
    content: 'refused | limit 0',
    pod: 'beta',
    level: 'error',
    ms: 8,
    host: '*',
  }),
  storedRow(2, startNs + 120_000_000_000n, {
    content: 'a "quoted" text',
    pod: 'gamma',
    level: 'error',
    ms: 4,
    host: '10.0.0.9',
  }),
]

const upper = columnarOver([])
const all: readonly Engine[] = [rowsOver(rows), columnarOver(rows), await sqliteOver(rows)].map((backend) =>
  createEngine({
    backends: [backend],
    upper,
    lint: 'off',
    clock: { nowMs: () => 0, nowNs: () => startNs + 150_000_000_000n },
  }),
)

async function answer(engine: Engine, text: string, parameters: Parameters): Promise<readonly JsonValue[]> {
  const answered: JsonValue[] = []
  for await (const row of readRows(engine.query(text, { parameters }).batches()))
    answered.push(JSON.parse(rowToJson(row)) as JsonValue)
  return answered
}

const pods = (...names: readonly string[]): readonly JsonValue[] => names.map((pod) => ({ pod }))

describe('a value stands', () => {
  test.each<readonly [string, Parameters, readonly JsonValue[]]>([
    ['level:$level', { level: 'error' }, pods('beta', 'gamma')],
    ['-level:$level', { level: 'error' }, pods('alpha')],
    ['level:=$level or pod:$pod', { level: 'info', pod: 'beta' }, pods('alpha', 'beta')],
    ['$phrase', { phrase: 'a "quoted" text' }, pods('gamma')],
    ['content:$start*', { start: 'GET /p' }, pods('alpha')],
    ['content:~$pattern', { pattern: 'qu.ted' }, pods('gamma')],
    ['ms:>$n', { n: 3 }, pods('beta', 'gamma')],
    ['ms > $n', { n: 3n }, pods('beta', 'gamma')],
    ['ms:range[$from, $to)', { from: 2, to: 8 }, pods('alpha', 'gamma')],
    ['pod:in($names)', { names: ['alpha', 'gamma'] }, pods('alpha', 'gamma')],
    ['pod:in(beta, $names)', { names: ['alpha'] }, pods('alpha', 'beta')],
    ['pod:in($names)', { names: [] }, []],
    ['contains_any($words)', { words: ['refused', 'quoted'] }, pods('beta', 'gamma')],
    ['host:ipv4_range($network)', { network: '10.0.0.0/30' }, pods('alpha')],
    ['_time:$past', { past: '100s' }, pods('beta', 'gamma')],
    ['_time:[$from, $to)', { from: new Date('2026-01-01T00:00:30Z'), to: '2026-01-01T00:01:30Z' }, pods('beta')],
    ['* | sort by (_time desc) | limit $n', { n: 1 }, pods('gamma')],
    ['* | first $n by (ms desc)', { n: 1 }, pods('beta')],
    ['* | filter pod:in(level:$level | fields pod)', { level: 'info' }, pods('alpha')],
    ['* | math ms * $factor + 1 as x | filter x:17', { factor: 2 }, pods('beta')],
    ['* | math ms-$less as x | filter x:6', { less: '2' }, pods('beta')],
    ['* | split $mark from pod as x | filter x:~bet', { mark: 'a' }, pods('beta')],
    ['* | replace ($old, $new) at pod | filter pod:~"^[$]"', { old: 'alpha', new: '$new' }, pods('$new')],
  ])('%s', async (query, parameters, expected) => {
    for (const engine of all) {
      const sorted = query.includes('|') ? `${query} | fields pod` : `${query} | sort by (_time) | fields pod`
      expect(await answer(engine, sorted, parameters)).toEqual(expected)
    }
  })

  test.each<readonly [string, Parameters, readonly JsonValue[]]>([
    ['* | stats quantile($phi, ms) as q', { phi: 0.5 }, [{ q: 4 }]],
    ['* | stats by (_time:$step) count() as n | stats count() as n', { step: '1h' }, [{ n: 1 }]],
    ['* | math ms * $n | fields "ms * $n" | limit 1', { n: 0 }, [{ 'ms * $n': 0 }]],
    ['* | join by (pod) rows({pod:$pod, n:$n}) inner | fields n', { pod: 'beta', n: 5 }, [{ n: 5 }]],
  ])('%s', async (query, parameters, expected) => {
    for (const engine of all) expect(await answer(engine, query, parameters)).toEqual(expected)
  })
})

test('a value is data, whatever it holds', async () => {
  const hostile = [
    '*',
    '"',
    '$level',
    'x" or *',
    '* | limit 0',
    '\\',
    'in(*)',
    '#',
    'true',
    '5m',
    'error) or (level:info',
  ]
  for (const engine of all) {
    for (const value of hostile) {
      const found = await answer(engine, 'host:$value | fields host', { value })
      expect(found).toEqual(value === '*' ? [{ host: '*' }] : [])
      expect(await answer(engine, 'host:in($value) | fields host', { value: [value] })).toEqual(found)
      expect(await answer(engine, 'host:=$value | fields host', { value })).toEqual(found)
    }
  }
})

describe('what is wrong is reported where it stands', () => {
  const wrong: readonly (readonly [string, Parameters | undefined, string, string, string?])[] = [
    ['level:$level', undefined, '$level', 'log/missing-parameter'],
    ['level:$level', { leve: 'x' }, '$level', 'log/missing-parameter', 'level:$leve'],
    ['level:error', { level: 'x' }, 'level:error', 'log/unused-parameter'],
    ['* | limit $n', { n: 'ten' }, '$n', 'log/bad-parameter'],
    ['* | limit $n', { n: '10' }, '$n', 'log/bad-parameter'],
    ['* | limit $n', { n: 1.5 }, '$n', 'log/bad-parameter'],
    ['* | limit $n', { n: [1] }, '$n', 'log/bad-parameter'],
    ['ms:range($a, 5)', { a: 'x' }, '$a', 'log/bad-parameter'],
    ['_time:$a', { a: 'soon' }, '$a', 'log/bad-parameter'],
    ['host:ipv4_range($a)', { a: 'here' }, '$a', 'log/bad-parameter'],
    ['content:~$a', { a: '(' }, '$a', 'log/bad-parameter'],
    ['level:$a', { a: ['x'] }, '$a', 'log/bad-parameter'],
    ['level:$a', { a: null as never }, '$a', 'log/bad-parameter'],
    ['level:$a', { a: { b: 1 } as never }, '$a', 'log/bad-parameter'],
    ['level:$a', { a: '\ud800' }, '$a', 'log/bad-parameter'],
    ['* | math ms + $a as x', { a: 'x' }, '$a', 'log/bad-parameter'],
    ['* | math $a as x', { a: 'pod' }, '$a', 'log/bad-parameter'],
    ['* | math -$a as x', { a: true }, '$a', 'log/bad-parameter'],
    ['* | stats quantile($phi, ms)', { phi: 2 }, '$phi', 'log/bad-parameter'],
    ['* | stats by (ms:$step) count()', { step: 'x' }, '$step', 'log/bad-parameter'],
    ['$field:x', { field: 'level' }, '$field', 'log/parameter-as-name'],
    ['$field = x', { field: 'level' }, '$field', 'log/parameter-as-name'],
    ['* | fields $field', { field: 'level' }, '$field', 'log/parameter-as-name'],
    ['* | stats sum($field)', { field: 'ms' }, '$field', 'log/parameter-as-name'],
    ['* | stats count() as $name', { name: 'n' }, '$name', 'log/parameter-as-name'],
    ['{$label="x"}', { label: 'pod' }, '$label', 'log/parameter-as-name'],
    ['* | compute $fn(ms) as x', { fn: 'abs' }, '$fn', 'log/parameter-as-name'],
  ]
  const cases = wrong.map(([query, parameters, marked, code, fixed]) => ({ query, parameters, marked, code, fixed }))
  test.each(cases)('$query', ({ query, parameters, marked, code, fixed }) => {
    const { diagnostics } = parse(query, { parameters })
    const first = diagnostics.find(isError)
    expect(first?.code).toBe(code)
    const span = first === undefined ? undefined : spanOf(first.origin)
    expect(span && query.slice(span.start, span.end)).toBe(marked)
    if (fixed !== undefined) expect(first?.fixes.map((fix) => applyFix(query, fix))).toContain(fixed)
    expect(
      createEngine()
        .check(query, { parameters: parameters ?? {} })
        .map((each) => each.code),
    ).toContain(code)
  })
})

describe('texts with parameters', () => {
  test.each([
    ['level:$level', 'level:$level'],
    ['_time:$past level in ($levels)|limit $n', undefined],
    ['_time:$past level:in($levels, x)|limit $n', '_time:$past level:in($levels,x) | limit $n'],
    ['ms:range[$a, $b)|stats quantile($phi,ms) q', 'ms:range[$a, $b) | stats quantile($phi, ms) as q'],
    ['*|math ms*$f as x', '* | math (ms * $f) as x'],
    ['content:$a* ~$b', 'content:$a* ~$b'],
    ['* | stats by (_time:$step) count() n', '* | stats by (_time:$step) count(*) as n'],
    ['_time:day_range[08:00,18:00) zone $zone', '_time:day_range[08:00, 18:00) zone $zone'],
    ['options(time_offset=$o,allow_partial_response=$b) *', 'options(time_offset=$o, allow_partial_response=$b) *'],
    ['*|extract $p from content|extract_regexp $q', '* | extract $p from content | extract_regexp $q'],
    ['meets(level,in,$levels)', 'meets(level, "in", $levels)'],
    // A single address range is printed as its first and last address.
    ['client_ip:ipv6_range($p)|limit 1', 'client_ip:ipv6_range($p)|limit 1'],
  ])('%s prints them back', (text, printed = text) => {
    const once = canonText(text)
    expect(once).toBe(printed)
    expect(canonText(once)).toBe(once)
  })

  test('are laid out, by the engine too', () => {
    expect(format('*|filter level:$level|limit $n')).toBe('* | filter level:$level | limit $n')
    expect(createEngine().format('*|limit $n')).toBe('* | limit $n')
  })

  test('are checked and explained, and run with values alone', () => {
    const engine = createEngine({ tables: { logs: [] } })
    const text = 'level:=$level ms:>$ms | stats by (_time:$step) count() n | limit $n'
    expect(engine.check(text).filter(isError)).toEqual([])
    const tree = printExplainTree(engine.explain(text))
    expect(tree).toContain('- planned without values of `$level`, `$ms`, `$step`, `$n`')
    expect(tree).toContain('limit $n')
    expect(tree).toContain('bucket(_time, $step)')
    expect(tree).toContain('level = $level and ms text-gt $ms')
    expect(printExplainTree(engine.explain('_time:$past'))).toContain('- depends on the values of parameters')
    expect(() => engine.query(text)).toThrow('`$level` has no value.')
    expect(engine.check('content:$x level:(').map(({ code }) => code)).not.toContain('log/missing-parameter')
  })

  test('glued to a word a `$` is a part of it, as ever', () => {
    for (const text of ['a$b', 'US$', 'price:a-$b', 'cost:$5', 'path:/$x'.replace('$x', '$5')]) {
      expect(parse(text).diagnostics).toEqual([])
    }
    expect(canon(parse('a$b').ast)).toBe('"a$b"')
  })

  test('in the other dialect they are words unless there are values', () => {
    const words = parse('level:$level', { dialect: 'logsql' })
    expect(words.diagnostics).toEqual([])
    expect(canon(words.ast, 'logsql')).toBe('level:"$level"')
    const bound = parse('level:$level', { dialect: 'logsql', parameters: { level: 'x y' } })
    expect(bound.diagnostics).toEqual([])
    expect(canon(bound.ast, 'logsql')).toBe('level:"x y"')
  })

  test('are completed by the names that there will be values of', () => {
    const labels = (text: string): readonly string[] =>
      complete(text, text.length, { ...options, parameters: ['level', 'limit'] }).items.map(({ label }) => label)
    expect(labels('level:$')).toEqual(['level', 'limit'])
    expect(labels('level:error | limit $li')).toEqual(['limit'])
    expect(labels('a$l')).toEqual([])
    expect(complete('level:$', 7, options).items.map(({ label }) => label)).not.toContain('limit')
  })
})

test('an editor tells of names that there will be no values of', () => {
  const service = new LanguageService(createEngine(), { parameters: ['level', 'n'] })
  service.open('a', 'level:$level | limit $m | limit $n | limit 5')
  expect(service.diagnostics('a').filter(({ code }) => code.startsWith('log/'))).toMatchObject([
    { code: 'log/missing-parameter' },
  ])
})

test('a text that reads as a JSON list is one text in `meets`', async () => {
  for (const engine of all) {
    const count = async (text: string): Promise<number> => {
      let rows = 0
      for await (const _ of readRows(engine.query(text, { parameters: { p: '["error"]' } }).batches())) rows++
      return rows
    }
    expect(await count('meets(level, in, $p)')).toBe(0)
    expect(await count('!meets(level, in, $p)')).toBe(3)
  }
})

describe('structured queries', () => {
  const parameter = (name: string): object => ({ $parameter: name })
  const levelIs = (value: unknown, op = 'eq'): object => ({
    filters: { conditions: [{ key: 'level', filters: [{ op, value }] }] },
    selectors: [{ key: 'pod' }],
    orderBy: [{ selector: { key: 'pod' } }],
  })

  test.each<readonly [object, Parameters, readonly JsonValue[]]>([
    [levelIs(parameter('level')), { level: 'error' }, pods('beta', 'gamma')],
    [levelIs(parameter('levels'), 'in'), { levels: ['error', 'info'] }, pods('alpha', 'beta', 'gamma')],
    [levelIs(['info', parameter('levels')], 'in'), { levels: ['error'] }, pods('alpha', 'beta', 'gamma')],
    [{ ...levelIs(parameter('level')), limit: parameter('n') }, { level: 'error', n: 1 }, pods('beta')],
    [levelIs(parameter('level')), { level: '*' }, []],
    // In a body, a string that contains a JSON list is read as a list. As a parameter, the same string is one string.
    [levelIs('["error"]', 'in'), {}, pods('beta', 'gamma')],
    [levelIs(parameter('level'), 'in'), { level: '["error"]' }, []],
    [levelIs(parameter('level'), 'notin'), { level: '["error"]' }, pods('alpha', 'beta', 'gamma')],
    [levelIs(parameter('level'), 'contains'), { level: '["error"]' }, []],
  ])('%j with %o', async (query, parameters, expected) => {
    for (const engine of all) {
      const found: JsonValue[] = []
      for await (const row of readRows(createJson(engine).query(query, { parameters }).batches()))
        found.push(JSON.parse(rowToJson(row)) as JsonValue)
      expect(found).toEqual(expected)
    }
  })

  test.each<readonly [object, Parameters | undefined, string, readonly (string | number)[]]>([
    [
      levelIs(parameter('level')),
      undefined,
      'json/missing-parameter',
      ['filters', 'conditions', 0, 'filters', 0, 'value'],
    ],
    [levelIs('x'), { level: 'x' }, 'json/unused-parameter', []],
    [{ ...levelIs('x'), limit: parameter('n') }, { n: '1' }, 'json/bad-parameter', ['limit']],
    [{ selectors: [{ key: parameter('k') }] }, { k: 'pod' }, 'json/parameter-as-name', ['selectors', 0, 'key']],
    [
      levelIs(parameter('level')),
      { level: {} as never },
      'json/bad-parameter',
      ['filters', 'conditions', 0, 'filters', 0, 'value'],
    ],
  ])('%j with %o is refused: %s', (query, parameters, code, path) => {
    const [first] = createJson(createEngine()).check(query, { parameters: parameters ?? {} })
    expect(first).toMatchObject({ code, origin: { path } })
  })
})

describe('structured queries with parameters that have no values', () => {
  const parameter = (name: string): object => ({ $parameter: name })
  const engine = createEngine({ tables: { logs: [] } })
  const json = createJson(engine)
  const body = {
    filters: {
      conditions: [
        {
          key: 'level',
          filters: [
            { op: 'contains', value: parameter('part') },
            { op: 'in', value: ['a', parameter('levels')] },
            { op: 'ne', value: parameter('other') },
          ],
        },
      ],
    },
    timeOffset: parameter('ago'),
    selectors: [{ key: 'ms', alias: 'q', processors: [{ op: 'quantile', args: [parameter('phi')] }] }],
    groupBy: [{ key: '_time', processors: [{ op: 'toStartOfInterval', args: [parameter('step')] }] }],
    limit: parameter('n'),
  }
  const values: Parameters = { part: 'a.b*', levels: ['x'], other: '', ago: '1h', phi: 0.5, step: '5m', n: 3 }

  test('are formatted, checked and explained, and run with values alone', () => {
    expect(JSON.parse(json.format({ LIMIT: parameter('n') }))).toEqual({ limit: parameter('n') })
    expect(JSON.parse(json.format(body))).toEqual(body)
    expect(json.check(body).filter(isError)).toEqual([])
    expect(json.check(body, { parameters: {} })[0]?.code).toBe('json/missing-parameter')
    expect(printExplainTree(json.explain(body))).toContain('quantile($phi, ms)')
    expect(() => json.query(body)).toThrow('The parameter `part` has no value.')
    expect(json.check({ limit: parameter('n'), sample: 'x' }).map(({ origin }) => origin)).toMatchObject([
      { path: ['sample'] },
    ])
  })

  test('are texts that name them, and the same again', () => {
    const text = json.toText(body)
    expect(text).toContain('meets(level, contains, $part) or meets(level, in, "a", $levels)')
    const back = json.fromText(text)
    expect(json.toText(back)).toBe(text)
    const plans = [
      json.plan(body, { parameters: values }),
      engine.plan(text, { parameters: values }),
      json.plan(back, { parameters: values }),
    ].map(({ optimized }) => fingerprint(optimized))
    expect(new Set(plans).size).toBe(1)
  })

  test.each(['level:=$a ms:>$b | limit $c', 'ms:range[$a, $b] | math ms * $f as x | sort by (x) limit $n'])(
    '%s becomes one and a text again',
    (text) => {
      const found = json.fromText(text)
      const again = json.toText(found)
      for (const name of parameterNames(text)) expect(again).toContain(`$${name}`)
      expect(json.fromText(again)).toEqual(found)
    },
  )

  test.each([
    ['_time:$past', 'json/no-pipeline'],
    ['level:$a | delete $b', 'log/parameter-as-name'],
  ])('%s does not', (text, code) => {
    expect(() => json.fromText(text)).toThrow(expect.objectContaining({ code }) as Error)
  })

  test('a value that decides the form has no text', () => {
    const exists = { filters: { conditions: [{ key: 'a', filters: [{ op: 'exists', value: parameter('p') }] }] } }
    expect(() => json.toText(exists)).toThrow('The text language has no form for')
  })
})

describe('metric queries', () => {
  const NOW_MS = Date.UTC(2026, 0, 1, 12)
  const samples = new SampleStore()
  for (const pod of ['a', 'b', 'a|b']) {
    const labels = Labels.of({ __name__: 'up', pod })
    for (let i = 0; i <= 10; i++) samples.writer.append(labels, { timeMs: NOW_MS - (10 - i) * 30_000, value: i })
  }
  const promql = createPromql(createEngine(), samples.reader)
  const run = async (text: string, parameters: Parameters): Promise<readonly unknown[]> =>
    (await promql.query(text, { parameters, timeMs: NOW_MS }).toArray()).map(({ pod, value }) => [pod, value])

  test.each<readonly [string, Parameters, readonly unknown[]]>([
    ['up{pod=$pod}', { pod: 'a' }, [['a', 10]]],
    ['up{pod=$pod}', { pod: 'a"} or up{pod="b' }, []],
    ['up{pod=~$pods}', { pods: ['a|b'] }, [['a|b', 10]]],
    [
      'up{pod=~$pods}',
      { pods: 'a|b' },
      [
        ['a', 10],
        ['b', 10],
      ],
    ],
    ['max_over_time(up{pod="a"}[$range] offset $ago)', { range: '1m', ago: '30s' }, [['a', 9]]],
    ['count_over_time(up{pod="a"}[$range:$step])', { range: '2m', step: 60 }, [['a', 2]]],
    ['up{pod="a"} * $n ^ 2', { n: -5 }, [['a', 250]]],
    ['topk($k, up{pod!="a|b"} > $least)', { k: 1, least: 3n }, [['a', 10]]],
    ['label_replace(up{pod="a"}, "pod", $new, "pod", "(.*)")', { new: '$1-x' }, [['a-x', 10]]],
    ['up{pod="a"} @ $at', { at: new Date(NOW_MS - 60_000) }, [['a', 8]]],
  ])('%s with %o', async (text, parameters, expected) => expect(await run(text, parameters)).toEqual(expected))

  test.each<readonly [string, Parameters, string, string]>([
    ['up{pod=$pod}', {}, 'promql/missing-parameter', '$pod'],
    ['up', { pod: 'a' }, 'promql/unused-parameter', 'up'],
    ['up[$range]', { range: 'soon' }, 'promql/bad-parameter', '$range'],
    ['up * $n', { n: [1] }, 'promql/bad-parameter', '$n'],
    ['up{$label="a"}', { label: 'pod' }, 'promql/parameter-as-name', '$label'],
    ['sum by ($label) (up)', { label: 'pod' }, 'promql/parameter-as-name', '$label'],
    ['up{pod=~$pod}', { pod: '(' }, 'promql/bad-regex', 'pod=~$pod'],
    ['$n + rate(up)', { n: 12345 }, 'promql/wrong-type', 'up'],
  ])('%s with %o is refused', (text, parameters, code, marked) => {
    let diagnostic: unknown
    try {
      promql.query(text, { parameters })
    } catch (error) {
      ;[diagnostic] = (error as { diagnostics: readonly unknown[] }).diagnostics
    }
    const found = diagnostic as { readonly code: string; readonly origin: Origin } | undefined
    expect(found?.code).toBe(code)
    const span = found === undefined ? undefined : spanOf(found.origin)
    expect(span && text.slice(span.start, span.end)).toBe(marked)
  })

  test('without values a `$` is what it is to others', () => {
    expect(parsePromql('up{pod=$pod}').diagnostics.map(({ code }) => code)).toEqual(['promql/bad-token'])
    expect(promql.check('up{pod=~"a$"}')).toEqual([])
  })

  test.each([
    'up{pod=$p,x=~$q}[$r:$s] offset $o',
    'sum(rate(up[$r] @ $at)) * $n',
    'label_replace(up, $a, $b, "x", $c)',
    'count_values($l, up > $z)',
  ])('%s needs no values but to run', (text) => {
    expect(promql.check(text)).toEqual([])
    expect(promql.format(text)).toBe(text)
    expect(printExplainTree(promql.explain(text))).toContain('planned without values of `$')
    expect(() => promql.query(text)).toThrow(/^\$\w+ has no value/)
    expect(promql.check(text, { parameters: {} })[0]?.code).toBe('promql/missing-parameter')
  })

  test('other errors are reported as usual', () => {
    expect(promql.check('sum(rate(up[$r])) @ $at').map(({ message }) => message)).toEqual([
      expect.stringContaining('@ modifier must be preceded by'),
    ])
  })
})
