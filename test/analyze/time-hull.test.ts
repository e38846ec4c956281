import { describe, expect, test } from 'vitest'
import { MAX_NS, MIN_NS, always, interval, type Interval } from '../../src/base/index.ts'
import { bind, holdsNothing, impliedRange, timeHull } from '../../src/analyze/index.ts'
import { and, column, literal, not, or, test as testOf, type Expr, type LogicalPlan } from '../../src/plan/index.ts'
import { standardCatalog } from '../../src/store/index.ts'
import { agg, aggregate, filter, functions, join, limit, scan } from './plans.ts'

function time(start: bigint, end: bigint, field = '_time'): Expr {
  return testOf(column(field), { kind: 'time-range', range: interval(start, end) })
}
const other = testOf(column('a'), { kind: 'empty' })

describe('the widest range of a predicate', () => {
  test.each([
    ['a test', time(5n, 9n), 5n, 9n],
    ['of another field', time(5n, 9n, 'other'), MIN_NS, MAX_NS],
    ['all of', and([time(5n, 9n), other, time(7n, 20n)]), 7n, 9n],
    ['one of', or([time(5n, 6n), time(8n, 9n)]), 5n, 9n],
    ['one of, with a part that says nothing', or([time(5n, 6n), other]), MIN_NS, MAX_NS],
    ['one of, with an empty part', or([time(5n, 6n), time(30n, 30n)]), 5n, 6n],
    ['a negation', not(time(5n, 9n)), MIN_NS, MAX_NS],
    ['everything', literal(true), MIN_NS, MAX_NS],
  ] as const)('%s', (_, expr, startNs, endNs) => {
    expect(timeHull(expr, '_time')).toEqual({ startNs, endNs })
  })

  test('nothing at all', () => {
    expect(holdsNothing(timeHull(literal(false), '_time'))).toBe(true)
    expect(holdsNothing(timeHull(and([time(0n, 5n), time(6n, 9n)]), '_time'))).toBe(true)
    expect(holdsNothing({ startNs: MAX_NS, endNs: MAX_NS })).toBe(false)
  })
})

describe('the range that rows can come from', () => {
  const implied = (plan: LogicalPlan): Interval =>
    impliedRange(plan, (table) => standardCatalog.tables.get(table)?.timeField)
  const bound = (plan: LogicalPlan): Interval => bind(plan, { catalog: standardCatalog, functions }).timeRange
  test('scan and filters right above it', () => {
    expect(implied(filter(filter(scan('logs', interval(0n, 100n)), time(5n, 200n)), time(0n, 50n)))).toEqual(
      interval(5n, 50n),
    )
  })
  test('below other stages, but not filters above them', () => {
    const groups = aggregate(filter(scan('logs'), time(5n, 9n)), { _time: column('_time') }, { n: agg('count') })
    expect(implied(limit(filter(groups, time(6n, 7n)), 5))).toEqual(interval(5n, 9n))
  })
  test('of the first input', () => {
    expect(implied(join(filter(scan('logs'), time(5n, 9n)), scan('logs'), { a: 'a' }))).toEqual(interval(5n, 9n))
    expect(
      implied({ kind: 'values', outputSchema: { fields: [], isOpen: false }, rows: [], origin: { kind: 'none' } }),
    ).toEqual(always)
  })
  test('is part of a bound plan', () => {
    expect(bound(filter(scan('', interval(0n, 100n)), time(5n, 200n)))).toEqual(interval(5n, 100n))
  })
})
