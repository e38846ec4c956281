import { describe, expect, test } from 'vitest'
import type { Row, Value } from '../../../src/data/index.ts'
import { judge } from './judge.ts'
import { logDifference, type AnswerRow, type LogAnswer } from './log-answers.ts'
import { logRules } from './log-rules.ts'
import { metricDifference, readAnswer, type MetricAnswer } from './metric-answers.ts'
import { metricRules, type Reference } from './metric-rules.ts'
import { placed } from './metrics.ts'

const refused = { refused: 'cannot parse' }

/**
 * Returns the numbers of the rules that explain the difference between two answers, or a description of the difference.
 */
async function logVerdict(
  text: string,
  ours: LogAnswer | readonly AnswerRow[],
  theirs: LogAnswer | readonly AnswerRow[],
  rows: readonly Record<string, Value>[] = [],
): Promise<string> {
  const answerOf = (given: LogAnswer | readonly AnswerRow[]): LogAnswer =>
    Array.isArray(given) ? { rows: given as readonly AnswerRow[] } : (given as LogAnswer)
  const question = { text, rows: rows.map((row): Row => new Map(Object.entries(row))) }
  const pair = { ours: answerOf(ours), theirs: answerOf(theirs) }
  const { failure, rules } = await judge(pair, question, logRules, (each) => logDifference(each, false))
  return failure === undefined ? rules.map(({ ruling }) => ruling).join(', ') : 'differ'
}

describe('rules about logs', () => {
  const [a, b] = [{ a: '1' }, { a: '2' }]
  const mixed = [{ x: 1 }, { x: 'error' }]
  const numbers = [{ x: 1 }, { x: 2 }]

  test.each([
    ['equal answers need none', '*', [a, b], [b, a], '', undefined],
    ['ids of streams', '*', [a], [{ ...a, _stream_id: '00' }], 'L32', undefined],
    ['names of streams nobody asked for', '*', [a], [{ ...a, _stream: '{}' }], 'L30', undefined],
    ['rows without a value', '* | fields a', [a, {}], [a], 'L16', undefined],
    ['two rulings at once', '*', [a], [{ ...a, _stream: '{}', _stream_id: '00' }], 'L32, L30', undefined],
    ['another name of a stream', '*', [{ _stream: '{a="1"}' }], [{ _stream: '{}' }], 'differ', undefined],
    [
      'last digits of a sum',
      '* | stats sum(x) n',
      [{ n: '0.3' }],
      [{ n: '0.30000000000000004' }],
      '§1, sums',
      undefined,
    ],
    ['more than last digits', '* | stats sum(x) n', [{ n: '0.3' }], [{ n: '0.300001' }], 'differ', undefined],
    [
      'last digits of what is no sum',
      '* | stats max(x) n',
      [{ n: '0.3' }],
      [{ n: '0.30000000000000004' }],
      'differ',
      numbers,
    ],
    ['the order of a list', '* | stats values(x) v', [{ v: '["1","2"]' }], [{ v: '["2","1"]' }], 'L18', undefined],
    ['another list', '* | stats values(x) v', [{ v: '["1","2"]' }], [{ v: '["2","2"]' }], 'differ', undefined],
    ['any of the values', '* | stats any(x) v', [{ v: '1' }], [{ v: '2' }], 'L18', undefined],
    ['which rows a limit keeps', '* | limit 1', [a], [b], 'L18', undefined],
    ['how many rows a limit keeps', '* | limit 1', [a], [a, b], 'differ', undefined],
    ['rows that no limit chose', '*', [a], [b], 'differ', undefined],
    ['the order of classes', '* | stats max(x) v', [{ v: 'error' }], [{ v: '1' }], 'L19', mixed],
    ['one class', '* | stats max(x) v', [{ v: '2' }], [{ v: '1' }], 'differ', numbers],
    ['a sample', '* | sample 2', [a], [b, a], 'L45', undefined],
    ['chance', '* | math rand() as a', [a], [b], 'L40', undefined],
    ['a form of ours', '* | stats pattern(x) p', [a], refused, 'L44', undefined],
    ['a refusal of what it has', '* | stats count() n', [a], refused, 'differ', undefined],
    ['a refusal of ours', '* | stats pattern(x) p', refused, [a], 'differ', undefined],
    ['ids in a list', '* | stats values(_stream_id) v', [a], [b], 'L32', undefined],
    ['running values of one time', '* | running_stats count() c', [a], [b], 'L18', [{ _time: 't' }, { _time: 't' }]],
    [
      'running values of other times',
      '* | running_stats count() c',
      [a],
      [b],
      'differ',
      [{ _time: 't' }, { _time: 'u' }],
    ],
    ['a sort alone', '* | sort by (x)', [a], [b], 'differ', mixed],
    ['keys without parentheses', '* | stats by a count() n', [a], refused, 'L43', undefined],
    ['keys in parentheses', '* | stats by (a) count() n', [a], refused, 'differ', undefined],
    ['a field that is called by', 'by:error', [a], refused, 'differ', undefined],
    ['`by` in quotes', '"by" level', [a], refused, 'differ', undefined],
    [
      'streams in facets',
      '* | facets',
      [{ field_name: 'a' }],
      [{ field_name: 'a' }, { field_name: '_stream' }],
      'L30',
      undefined,
    ],
    ['ids of streams in facets', '* | facets', [], [{ field_name: '_stream_id' }], 'L30', undefined],
    ['other fields in facets', '* | facets', [], [{ field_name: 'b' }], 'differ', undefined],
    ['streams as names', '* | field_names', [], [{ name: '_stream', hits: '1' }], 'L30', undefined],
    ['a row that is called so', '*', [], [{ name: '_stream' }], 'differ', undefined],
    [
      'streams in packed JSON',
      '* | pack_json as p',
      [{ p: '{"a":"1"}' }],
      [{ p: '{"_stream":"{a=\\"b\\"}","a":"1","_stream_id":"00"}' }],
      'L30',
      undefined,
    ],
    [
      'streams in packed logfmt',
      '* | pack_logfmt as p',
      [{ p: 'a=1' }],
      [{ p: '_stream="{a=\\"b\\"}" a=1 _stream_id=00' }],
      'L30',
      undefined,
    ],
    [
      'other fields in packed JSON',
      '* | pack_json as p',
      [{ p: '{"a":"1"}' }],
      [{ p: '{"a":"2","_stream":"{}"}' }],
      'differ',
      undefined,
    ],
    ['a range over midnight', '_time:day_range[22:00, 06:00)', [a], [], 'L44', undefined],
    [
      'a range over midnight that is counted',
      '_time:day_range[22:00, 06:00) | stats count() n',
      [{ n: '2' }],
      [{ n: '0' }],
      'L44',
      undefined,
    ],
    ['a range over midnight that is refused', '_time:day_range[22:00, 06:00)', [a], refused, 'L44', undefined],
    ['a range over the week', 'error -_time:week_range[Fri, Mon]', [a], [], 'L44', undefined],
    ['a range within a day', '_time:day_range[06:00, 22:00)', [a], [], 'differ', undefined],
    ['a range within a week', '_time:week_range[Mon, Friday]', [a], [], 'differ', undefined],
    ['a range of nothing', '_time:day_range[08:00, 08:00)', [a], [], 'differ', undefined],
    ['a zone', '_time:day_range[08:00, 09:00) zone "Europe/Berlin"', [a], refused, 'L44', undefined],
    ['a zone of a bucket', '* | stats by (_time:1d zone "Asia/Kolkata") count() n', [a], refused, 'L44', undefined],
    ['a field that is called zone', 'zone:eu', [a], refused, 'differ', undefined],
    ['an infinite bound', 'x:>-Infinity', [a], [], 'L44', undefined],
    ['an infinite bound that is refused', 'x:range(-inf, 5]', [a], refused, 'L44', undefined],
    ['a finite bound', 'x:>-5', [a], [], 'differ', undefined],
    ['the word in quotes', 'x:>"-Infinity"', [a], [], 'differ', undefined],
    ['a filter over two keys', '* | uniq by (a, b) filter x', [a], [], 'L44', undefined],
    ['a filter over one key', '* | uniq by (a) filter x', [a], [], 'differ', undefined],
    ['two keys without a filter', '* | uniq by (a, b)', [a], [], 'differ', undefined],
    ['an infinite result', '* | math x / 0 as y', [{ y: '+Inf' }], [{}], 'L15', undefined],
    ['an infinite result beside others', '* | math x / 0 as y', [{ y: '-Inf', ...a }], [a], 'L15', undefined],
    ['an infinite value', '*', [{ y: '+Inf', ...a }], [a], 'differ', undefined],
    ['a finite result', '* | math x / 0 as y', [{ y: '5', ...a }], [a], 'differ', undefined],
    ['folding', 'i(straße)', [a], [], '§1, folding', undefined],
    ['folding of plain letters', 'i(error)', [a], [], 'differ', [{ x: 'Error' }]],
  ] as const)('%s', async (_, text, ours, theirs, wanted, rows) => {
    expect(await logVerdict(text, ours, theirs, rows)).toBe(wanted)
  })
})

describe('rules about metrics', () => {
  const vector = (value: string, more = ''): MetricAnswer =>
    readAnswer(
      `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[0,"${value}"]}]}${more}}`,
    )
  const noted = ',"warnings":["PromQL warning: x"]'

  async function verdict(
    text: string,
    ours: MetricAnswer,
    theirs: MetricAnswer,
    raw = ours,
    reference: Reference = '3.14',
  ): Promise<string> {
    const question = { text, raw: async () => raw }
    const { failure, rules } = await judge({ ours, theirs }, question, metricRules(reference), (each) =>
      metricDifference(each, false),
    )
    return failure === undefined ? rules.map(({ ruling }) => ruling).join(', ') : 'differ'
  }

  test.each([
    ['equal answers need none', 'a', vector('1'), vector('1'), vector('1'), ''],
    ['digits of a library', 'exp(a)', vector('1.0000000000000002'), vector('1'), vector('1'), '§5, digits'],
    ['digits of what is a definition', 'sum(a)', vector('1.0000000000000002'), vector('1'), vector('1'), 'differ'],
    ['more than digits', 'exp(a)', vector('1.00001'), vector('1'), vector('1'), 'differ'],
    ['flags', 'mad_over_time(a[5m])', vector('1'), refused, vector('1'), '§5, flags'],
    ['a refusal without a flag', 'sum(a)', vector('1'), refused, vector('1'), 'differ'],
    ['a note less', 'a or b', vector('1'), vector('1', noted), vector('1', noted), 'no rule changes an answer'],
    ['a note less of the plan as written too', 'a or b', vector('1'), vector('1', noted), vector('1'), 'differ'],
    ['a note more', 'a or b', vector('1', noted), vector('1'), vector('1'), 'differ'],
  ])('%s', async (_, text, ours, theirs, raw, wanted) => {
    expect(await verdict(text, ours, theirs, raw)).toBe(wanted)
  })

  const note = (...texts: readonly string[]): MetricAnswer => vector('1', `,"infos":${JSON.stringify(texts)}`)
  const ranged = 'PromQL info: input to q needed to be fixed for monotonicity (see x), from buckets 1 to 2 (1:5)'

  test.each([
    ['a later function', 'first_over_time(a[5m])', vector('1'), refused, '§5, version 3.5'],
    ['an operator that both have', 'a + b', vector('1'), refused, 'differ'],
    [
      'the range of a note',
      'a',
      note(ranged),
      note('PromQL info: input to q needed to be fixed for monotonicity (1:5)'),
      '§5, version 3.5',
    ],
    [
      'the place of a note on topk',
      'sum(topk(1, a))',
      note('PromQL info: x (1:5)'),
      note('PromQL info: x (1:1)'),
      '§5, version 3.5',
    ],
    [
      'the place of a note on a subquery',
      'max_over_time(a[5m:1m])',
      note('x (1:5)'),
      note('x (1:1)'),
      '§5, version 3.5',
    ],
    ['the place of another note', 'sum(a)', note('PromQL info: x (1:5)'), note('PromQL info: x (1:1)'), 'differ'],
    ['another note', 'topk(1, a)', note('PromQL info: x (1:5)'), note('PromQL info: y (1:5)'), 'differ'],
  ])('3.5 alone: %s', async (_, text, ours, theirs, wanted) => {
    expect(await verdict(text, ours, theirs, ours, '3.5')).toBe(wanted)
    expect(await verdict(text, ours, theirs, ours, '3.14')).toBe('differ')
  })

  test('notes that are ours in every version', async () => {
    const twice = note(ranged, ranged.replace('1:5', '1:9'))
    expect(await verdict('a', twice, note(ranged))).toBe('§5, notes')
    const both = { refused: 'execution: vector cannot contain metrics with the same labelset' }
    expect(await verdict('a', both, vector('1'))).toBe('§5, notes')
    expect(await verdict('a', refused, vector('1'))).toBe('differ')
  })
})

test('a metric query goes where its samples are', () => {
  const cases: readonly [string, string][] = [
    ['a', 'a{run="r"}'],
    ['sum(a{b="c"} @ 2)', 'sum(a{b="c",run="r"} @ 12.000)'],
    ['rate(a[5m] @ start())', 'rate(a{run="r"}[5m] @ start())'],
    ['max_over_time((a @ 1)[5m:1m] @ 2)', 'max_over_time((a{run="r"} @ 11.000)[5m:1m] @ 12.000)'],
    ['info(a)', 'info(a{run="r"}, {run="r"})'],
    ['info(a, {b="c"})', 'info(a{run="r"}, {b="c",run="r"})'],
  ]
  for (const [text, wanted] of cases) expect(placed(text, 10_000, 'r')).toBe(wanted)
})
