import { describe, expect, test } from 'vitest'
import { lowerPromql, parsePromqlOrThrow } from '../../../src/lang/promql/index.ts'
import {
  evaluateFormula,
  mapSeriesSelects,
  printSeriesPlan,
  seriesSelects,
  seriesType,
  type LabelPredicate,
  type SeriesPlan,
} from '../../../src/plan/series/index.ts'

function planOf(text: string): SeriesPlan {
  return lowerPromql(parsePromqlOrThrow(text))
}

describe('lowering and printing', () => {
  test.each([
    ['1h', 'number 3600'],
    ['"x"', 'text "x"'],
    ['a{b!="c"} offset 1m @ 5', 'select samples{b!="c", __name__="a"} @ 5000ms offset 60000ms'],
    ['a @ end() smoothed', 'select samples{__name__="a"} @ end() smoothed'],
    ['rate(a[5m] anchored)', 'call rate\n  range 300000ms\n    select samples{__name__="a"} anchored'],
    ['a[10m:] offset 1m', 'subquery 600000ms offset 60000ms\n  select samples{__name__="a"}'],
    ['a[10m:30s]', 'subquery 600000ms step 30000ms\n  select samples{__name__="a"}'],
    ['sum by (x) ((a))', 'aggregate sum by (x)\n  select samples{__name__="a"}'],
    ['topk without (y) (2, a)', 'aggregate topk without (y)\n  number 2\n  select samples{__name__="a"}'],
    [
      'a == bool on (x) group_left (y) b',
      'binary == bool many-to-one on (x) include (y)\n  select samples{__name__="a"}\n  select samples{__name__="b"}',
    ],
    [
      'a + fill_right(2) b',
      'binary + one-to-one ignoring () fill_right(2)\n  select samples{__name__="a"}\n  select samples{__name__="b"}',
    ],
    ['-(a)', 'unary -\n  select samples{__name__="a"}'],
  ])('%s', (text, printed) => {
    expect(printSeriesPlan(planOf(text))).toBe(printed)
  })
})

test.each([
  ['1 + 2', 'scalar'],
  ['a + 2', 'vector'],
  ['-a', 'vector'],
  ['a[1m]', 'matrix'],
  ['a[1m:]', 'matrix'],
  ['"x"', 'string'],
  ['time()', 'scalar'],
  ['rate(a[1m])', 'vector'],
])('%s is a %s', (text, type) => {
  expect(seriesType(planOf(text))).toBe(type)
})

test('a guard reaches every select, wherever it stands', () => {
  const guard: LabelPredicate = { kind: 'matcher', matcher: { label: 'zone', op: '=', value: 'eu' } }
  const text =
    'topk(scalar(k), rate(a[1m]) + on () b) unless max_over_time(info(c, {__name__="d"})[1h:1m]) or label_replace(e, "x", "", "", "")'
  const plan = mapSeriesSelects(planOf(text), (select) => ({ ...select, guard }))
  const selects = seriesSelects(plan)
  expect(selects).toHaveLength(6)
  expect(selects.every((select) => select.guard === guard)).toBe(true)
  expect(printSeriesPlan(plan).match(/guard zone="eu"/g)).toHaveLength(6)
})

test('a rewrite that changes nothing gives the same plan', () => {
  const plan = planOf('sum(rate(a[5m])) / on () (b or c[1m:] @ 3 > 1)'.replace('c[1m:] @ 3 > 1', 'c > 1'))
  expect(mapSeriesSelects(plan, (select) => select)).toBe(plan)
})

test.each([
  ['a[step() + 2 * 1m]', 30 + 120],
  ['a[max_of(range() / 4, 10s) % 7]', 15 % 7],
  ['a[-(3 - 2 ^ 3)]', 5],
  ['a[min_of(step(), 1h)]', 30],
])('the range of %s is %d s in a query of 60 s by 30 s', (text, seconds) => {
  const plan = planOf(text)
  const range = plan.kind === 'series-range' ? plan.range : undefined
  expect(range?.kind).toBe('computed')
  if (range?.kind !== 'computed') return
  const refuse = (operation: string): never => {
    throw new Error(operation)
  }
  expect(evaluateFormula(range.formula, { stepSeconds: 30, rangeSeconds: 60 }, refuse)).toBe(seconds)
})
