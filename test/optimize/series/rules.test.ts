import { describe, expect, test } from 'vitest'
import { lowerPromql, parsePromqlOrThrow } from '../../../src/lang/promql/index.ts'
import { optimizeSeries, seriesRules } from '../../../src/optimize/series/index.ts'
import { mapSeriesSelects, printSeriesPlan, seriesSelects, type LabelPredicate } from '../../../src/plan/index.ts'

/** Returns the plan of a text after one rule, or after all rules. */
function after(text: string, rule?: string): string {
  const plan = lowerPromql(parsePromqlOrThrow(text))
  const rules = rule === undefined ? seriesRules : seriesRules.filter(({ name }) => name === rule)
  expect(rules.length).toBeGreaterThan(0)
  return printSeriesPlan(optimizeSeries(plan, { rules }))
}

/** True if the rule returns the identical plan. */
function isLeft(text: string, rule: string): boolean {
  const plan = lowerPromql(parsePromqlOrThrow(text))
  const only = seriesRules.filter(({ name }) => name === rule)
  return optimizeSeries(plan, { rules: only }) === plan
}

describe('fold-scalars', () => {
  test.each([
    ['2 * (3 + -1)', 'number 4'],
    ['1 > bool 2', 'number 0'],
    ['a * (60 * 60)', 'binary *\n  select samples{__name__="a"}\n  number 3600'],
  ])('%s', (text, printed) => expect(after(text, 'fold-scalars')).toBe(printed))

  test('leaves what depends on the step', () => expect(isLeft('time() * 2', 'fold-scalars')).toBe(true))
})

describe('push-matchers', () => {
  test.each([
    [
      'a{x="1"} / b{y!="2"}',
      'binary / one-to-one ignoring ()\n  select samples{x="1", __name__="a", y!="2"}\n  select samples{y!="2", __name__="b", x="1"}',
    ],
    [
      'rate(a{x="1"}[5m]) > 2 * b',
      'binary > one-to-one ignoring ()\n  call rate\n    range 300000ms\n      select samples{x="1", __name__="a"}\n  binary *\n    number 2\n    select samples{__name__="b", x="1"}',
    ],
    [
      'a and on (x) b{x="1", y="2"}',
      'binary and many-to-many on (x)\n  select samples{__name__="a", x="1"}\n  select samples{x="1", y="2", __name__="b"}',
    ],
    [
      'a{x="1", y="2"} unless ignoring (y) b{z="3"}',
      'binary unless many-to-many ignoring (y)\n  select samples{x="1", y="2", __name__="a"}\n  select samples{z="3", __name__="b", x="1"}',
    ],
  ])('%s', (text, printed) => expect(after(text, 'push-matchers')).toBe(printed))

  test.each([
    ['or keeps what has no partner', 'a{x="1"} or b'],
    ['a doubled partner is an error that must stay', 'a{x="1"} / on (x) b'],
    ['several names can collide', '{__name__=~"a|b", x="1"} / c'],
    ['a fill makes partners', 'a{x="1"} / fill (0) b'],
    ['an aggregation changes labels', 'a{x="1"} / sum by (x) (b)'],
    ['labels that are made later', 'a{x="1"} / label_replace(b, "x", "1", "", "")'],
    ['info has a pattern, no selector', 'info(a, {x="1"})'],
  ])('%s: %s', (_, text) => expect(isLeft(text, 'push-matchers')).toBe(true))
})

describe('tidy-matchers', () => {
  test.each([
    ['{a=~"x", b=~".*", a="x", c!~"y|z", __name__="m"}', 'select samples{__name__="m", a="x", c!~"y|z"}'],
    ['m{a!~"", b=~""}', 'select samples{__name__="m", b="", a!=""}'],
  ])('%s', (text, printed) => expect(after(text, 'tidy-matchers')).toBe(printed))

  test.each([
    'absent(m{a=~"x"})',
    'absent_over_time(m{a=~"x"}[5m])',
    'info(m, {a=~"x", b=~".*"})',
    '{__name__="m", a=~"x."}',
  ])('leaves %s', (text) => expect(isLeft(text, 'tidy-matchers')).toBe(true))
})

describe('project-presence', () => {
  test.each(['count(a)', 'group by (x) (a)', 'absent(a)', 'timestamp(a)', 'count_over_time(a[5m])'])('%s', (text) =>
    expect(after(text, 'project-presence')).toContain('presence-only'),
  )

  test.each(['sum(a)', 'count(rate(a[5m]))', 'count(a > 1)', 'count(a smoothed)', 'sum_over_time(a[5m])'])(
    'leaves %s',
    (text) => expect(isLeft(text, 'project-presence')).toBe(true),
  )
})

test('no rule touches a guard, and all come to rest', () => {
  const guard: LabelPredicate = { kind: 'matcher', matcher: { label: 'x', op: '=~', value: '.*' } }
  const text = 'count(a{x=~"1"} / b) + on () group_left () (c{y="2"} and d) - 2 * 3'
  const plan = mapSeriesSelects(lowerPromql(parsePromqlOrThrow(text)), (select) => ({ ...select, guard }))
  const names = new Set<string>()
  const optimized = optimizeSeries(plan, { observe: ({ rule }) => names.add(rule.name) })
  expect([...names].toSorted()).toEqual(['fold-scalars', 'push-matchers', 'tidy-matchers'])
  expect(seriesSelects(optimized).map((select) => select.guard === guard)).toEqual([true, true, true, true])
  expect(optimizeSeries(optimized)).toBe(optimized)
  expect(optimizeSeries(plan, { disabled: ['*'] })).toBe(plan)
})
