import { describe, expect, test } from 'vitest'
import { present, valueMeter } from '../../../src/base/index.ts'
import { Instant, JsonText, toText, type Value } from '../../../src/data/index.ts'
import { standardFunctions, statsFunctions, type Accumulator, type StatsCall } from '../../../src/functions/index.ts'

interface Case {
  readonly fn: string
  readonly rows: readonly (readonly Value[])[]
  readonly out: Value
  readonly call?: Partial<StatsCall>
}

const time = (ns: bigint): Instant => new Instant(ns)
const json = (text: string): JsonText => new JsonText(text)
const one = (...values: Value[]): Value[][] => values.map((value) => [value])

const cases: readonly Case[] = [
  { fn: 'count', rows: [], out: 0, call: { argNames: [] } },
  { fn: 'count', rows: [[], [], []], out: 3, call: { argNames: [] } },
  {
    fn: 'count',
    rows: [
      ['a', null],
      [null, ''],
      [0, null],
    ],
    out: 2,
  },
  {
    fn: 'count_empty',
    rows: [
      ['a', null],
      [null, ''],
      [0, null],
    ],
    out: 1,
  },
  {
    fn: 'count_uniq',
    rows: [
      [1, 'a'],
      [1, 'a'],
      ['1', 'a'],
      [null, ''],
      [null, 'a'],
    ],
    out: 3,
  },
  { fn: 'count_uniq', rows: one('a', 'b', 'c', 'a'), out: 2, call: { limit: 2 } },
  { fn: 'count_uniq_hash', rows: one('a', 'b', 'a', null), out: 2 },
  { fn: 'sum', rows: [], out: NaN },
  { fn: 'sum', rows: one('x', null, true, NaN), out: NaN },
  {
    fn: 'sum',
    rows: [
      [0.1, '0.2'],
      ['0.3', 'x'],
    ],
    out: 0.6,
  },
  { fn: 'sum', rows: one(9007199254740991, 2), out: 9007199254740993n },
  { fn: 'sum', rows: one('1s', '1KB'), out: 1_000_001_000 },
  { fn: 'avg', rows: [], out: NaN },
  { fn: 'avg', rows: one(1, 2, 'x', null), out: 1.5 },
  { fn: 'avg', rows: one(0.1, 0.1, 0.1), out: 0.1 },
  { fn: 'avg', rows: one(9007199254740993n, 9007199254740995n), out: 9007199254740994 },
  { fn: 'stddev', rows: one(2, 3, 0, 6, 4, 'x'), out: 2 },
  { fn: 'stddev', rows: one(5), out: 0 },
  { fn: 'stddev', rows: one(0.1, 0.1, 0.1), out: 0 },
  { fn: 'stddev', rows: one(1e200, -1e200), out: 1e200 },
  { fn: 'stddev', rows: one(1e-200, -1e-200), out: 1e-200 },
  { fn: 'stddev', rows: one(1e15 + 1, 1e15 + 3), out: 1 },
  { fn: 'stddev', rows: one('x'), out: NaN },
  { fn: 'min', rows: one(null, ''), out: null },
  { fn: 'min', rows: one('b', 10, '9', null, time(5n)), out: '9' },
  { fn: 'min', rows: one('1.0', 1, '1'), out: 1 },
  { fn: 'min-with-empty', rows: one('b', null), out: null },
  { fn: 'min-with-empty', rows: one('b', 'a'), out: 'a' },
  { fn: 'max', rows: one('b', 10, '9', null, time(5n)), out: 'b' },
  { fn: 'max', rows: one(time(5n), 7, '1970-01-01T00:00:00Z'), out: time(5n) },
  { fn: 'max', rows: one(1, '1', '1.0'), out: '1.0' },
  { fn: 'quantile', rows: [], out: null, call: { params: [0.5] } },
  { fn: 'quantile', rows: one(5, 1, 3, null), out: 3, call: { params: [0.5] } },
  { fn: 'quantile', rows: one(5, 1, 3), out: 3, call: { params: [0.6666566666666667] } },
  { fn: 'quantile', rows: one(5, 1, 3), out: 5, call: { params: [0.6666666666666666] } },
  { fn: 'quantile', rows: one(5, 1, 3), out: 1, call: { params: [-1] } },
  { fn: 'quantile', rows: one(5, 1, 3), out: 5, call: { params: [2] } },
  { fn: 'quantile', rows: one('b', 'a', 7), out: 'a', call: { params: [0.5] } },
  { fn: 'quantile-with-empty', rows: one(5, null), out: null, call: { params: [0.4] } },
  { fn: 'quantile-with-empty', rows: one(5, null), out: 5, call: { params: [0.5] } },
  { fn: 'median', rows: one(4, 3, 2, 1), out: 3 },
  { fn: 'values', rows: one('b', 1, null, 'b', true), out: json('["b",1,null,"b",true]') },
  { fn: 'values', rows: one(1, 2, 3), out: json('[1,2]'), call: { limit: 2 } },
  {
    fn: 'values',
    rows: one(NaN, 9007199254740993n, json('[1]'), time(0n)),
    out: json('[null,9007199254740993,[1],"1970-01-01T00:00:00.000000000Z"]'),
  },
  { fn: 'values-as-texts', rows: one('b', 1.5, null, true, json('[1]')), out: json('["b","1.5","","true","[1]"]') },
  {
    fn: 'values-as-texts',
    rows: one(NaN, 9007199254740993n, time(0n)),
    out: json('["NaN","9007199254740993","1970-01-01T00:00:00Z"]'),
  },
  { fn: 'uniq_values-as-texts', rows: one(10, '10', 9, null, ''), out: json('["9","10"]') },
  { fn: 'json_values-as-texts', rows: one(1, null, '', true), out: json('[{"f0":"1"},{},{},{"f0":"true"}]') },
  { fn: 'row_any-as-texts', rows: one(1.5, 2), out: json('{"f0":"1.5"}') },
  { fn: 'uniq_values', rows: [], out: json('[]') },
  { fn: 'uniq_values', rows: one('b', 10, 'a', '9', 'b', null), out: json('["9",10,"a","b"]') },
  { fn: 'uniq_values', rows: one(3, 1, 2), out: json('[1,2]'), call: { limit: 2 } },
  { fn: 'any', rows: one(null, '', 'a', 'b'), out: 'a' },
  { fn: 'any', rows: one(null), out: null },
  { fn: 'first', rows: one(null, 1), out: null },
  { fn: 'first', rows: one(2, 1), out: 2 },
  { fn: 'last', rows: one(2, 1), out: 1 },
  { fn: 'first', rows: one(3, 2, 1), out: 2, call: { params: [1] } },
  { fn: 'last', rows: one(3, 2, 1), out: 3, call: { params: [2] } },
  { fn: 'last', rows: one(3), out: null, call: { params: [1] } },
  {
    fn: 'field_max',
    rows: [
      [1, 'a'],
      ['9', 'b'],
      [9, 'c'],
      [null, 'd'],
    ],
    out: 'b',
  },
  {
    fn: 'field_min',
    rows: [
      ['', 'a'],
      [2, null],
      [3, 'c'],
    ],
    out: null,
  },
  { fn: 'row_any', rows: [['x', null, 1]], out: json('{"a":"x","c":1}'), call: { argNames: ['a', 'b', 'c'] } },
  { fn: 'row_any', rows: [], out: json('{}') },
  {
    fn: 'row_max',
    rows: [
      [1, 'a', 1],
      [2, 'b', 2],
      [2, 'c', 2],
    ],
    out: json('{"n":"b","k":2}'),
    call: { argNames: ['k', 'n', 'k'] },
  },
  {
    fn: 'row_max-as-texts',
    rows: [
      [1, 1.5],
      [2, 2],
    ],
    out: json('{"n":"2"}'),
    call: { argNames: ['k', 'n'] },
  },
  {
    fn: 'row_min-as-texts',
    rows: [
      [1, ''],
      [2, 2],
    ],
    out: json('{}'),
    call: { argNames: ['k', 'n'] },
  },
  { fn: 'row_min', rows: [[null, 'a']], out: json('{}'), call: { argNames: ['k', 'n'] } },
  {
    fn: 'json_values',
    rows: [
      ['x', 1],
      [null, 2],
    ],
    out: json('[{"a":"x","b":1},{"b":2}]'),
    call: { argNames: ['a', 'b'] },
  },
  {
    fn: 'json_values',
    rows: [
      ['x', 1],
      ['y', 3],
      ['z', null],
      ['u', 2],
    ],
    out: json('[{"a":"y"},{"a":"u"}]'),
    call: { argNames: ['a'], orderDirections: ['desc'], limit: 2 },
  },
  {
    fn: 'histogram',
    rows: one('2', 1.9, 3.05, -1, 'x', 0, 1e-9, 1e18, 1.1e18),
    out: json(
      '[{"vmrange":"0...1.000e-09","hits":2},{"vmrange":"1.896e+00...2.154e+00","hits":2},{"vmrange":"2.783e+00...3.162e+00","hits":1},{"vmrange":"8.799e+17...1.000e+18","hits":1},{"vmrange":"1.000e+18...+Inf","hits":1}]',
    ),
  },
  { fn: 'count_uniq_approx', rows: one('a', 'b', 'a', null), out: 2 },
  { fn: 'quantile_approx', rows: one(), out: null, call: { params: [0.5] } },
  {
    fn: 'pattern',
    rows: one('took 5 ms', 'took 6 ms', 'done', null),
    out: json('[{"pattern":"took <N> ms","hits":2},{"pattern":"done","hits":1}]'),
  },
  { fn: 'pattern', rows: one('b', 'a'), out: json('[{"pattern":"a","hits":1}]'), call: { limit: 1 } },
  { fn: 'rate', rows: [[], [], []], out: 1.5, call: { argNames: [], context: { rangeSeconds: 2 } } },
  { fn: 'rate', rows: [[], []], out: 2, call: { argNames: [] } },
  { fn: 'rate_sum', rows: one(1, '5', 'x'), out: 3, call: { context: { rangeSeconds: 2 } } },
  { fn: 'rate_sum', rows: one('x'), out: NaN, call: { context: { rangeSeconds: 2 } } },
  {
    fn: 'sum_len',
    rows: [
      ['abc', 'ж'],
      ['😀', null],
      [12.5, true],
    ],
    out: 17,
  },
]

function make(item: Case): Accumulator {
  const fn = standardFunctions.stats.get(item.fn)
  if (fn === undefined) throw new Error(`no function ${item.fn}`)
  return fn.accumulator({
    params: [],
    limit: undefined,
    argNames: (item.rows[0] ?? []).map((_, i) => `f${i}`),
    orderDirections: [],
    context: { rangeSeconds: undefined },
    meter: valueMeter(),
    ...item.call,
  })
}

function feed(accumulator: Accumulator, rows: readonly (readonly Value[])[]): Accumulator {
  for (const row of rows) accumulator.add(row)
  return accumulator
}

describe('stats functions', () => {
  test.each(
    cases.map((item) => [`${item.fn} ${item.rows.map((row) => row.map(toText).join(',')).join(' ')}`, item] as const),
  )('%s', (_, item) => {
    expect(feed(make(item), item.rows).finish()).toEqual(item.out)
  })

  test.each(cases.map((item) => [`${item.fn} ${item.rows.length}`, item] as const))(
    '%s: merged parts equal the whole',
    (_, item) => {
      for (let cut = 0; cut <= item.rows.length; cut++) {
        const left = feed(make(item), item.rows.slice(0, cut))
        const right = feed(make(item), item.rows.slice(cut))
        const restored = make(item)
        restored.import(JSON.parse(JSON.stringify(left.export())))
        left.merge(right)
        expect(left.finish()).toEqual(item.out)
        const restoredRight = make(item)
        restoredRight.import(JSON.parse(JSON.stringify(right.export())))
        restored.merge(restoredRight)
        expect(restored.finish()).toEqual(item.out)
      }
    },
  )

  test.each(
    cases
      .filter((item) => standardFunctions.stats.get(item.fn)?.isOrderSensitive === false)
      .map((item) => [`${item.fn} ${item.rows.length}`, item] as const),
  )('%s: the order of the rows does not show', (_, item) => {
    expect(feed(make(item), item.rows.toReversed()).finish()).toEqual(item.out)
  })

  test('every function has a case', () => {
    const tested = new Set(cases.map((item) => item.fn))
    expect(statsFunctions.map((fn) => fn.name).filter((name) => !tested.has(name))).toEqual([])
  })

  test('sketches are near the truth, merged or not', () => {
    const uniq = [0, 1].map(() => make({ fn: 'count_uniq_approx', rows: [], out: null }))
    const quantiles = [0, 1].map(() => make({ fn: 'quantile_approx', rows: [], out: null, call: { params: [0.9] } }))
    for (let i = 0; i < 20_000; i++) {
      present(uniq[i % 2]).add([`value ${i % 10_000}`])
      present(quantiles[i % 2]).add([i])
    }
    present(uniq[0]).merge(present(uniq[1]))
    expect(Math.abs(Number(uniq[0]?.finish()) - 10_000)).toBeLessThan(200)
    const restored = make({ fn: 'count_uniq_approx', rows: [], out: null })
    restored.import(JSON.parse(JSON.stringify(present(uniq[0]).export())))
    expect(restored.finish()).toBe(uniq[0]?.finish())
    present(quantiles[0]).merge(present(quantiles[1]))
    expect(Math.abs(Number(quantiles[0]?.finish()) / 18_000 - 1)).toBeLessThan(0.011)
    const copy = make({ fn: 'quantile_approx', rows: [], out: null, call: { params: [0.9] } })
    copy.import(JSON.parse(JSON.stringify(present(quantiles[0]).export())))
    expect(Number(copy.finish())).toBeCloseTo(Number(quantiles[0]?.finish()), 6)
  })
})
