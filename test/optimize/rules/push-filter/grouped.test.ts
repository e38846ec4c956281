import { describe, expect, test } from 'vitest'
import { call, column, literal, not, test as testOf, type Expr, type LogicalPlan } from '../../../../src/plan/index.ts'
import { pushFilter } from '../../../../src/optimize/rules/push-filter/index.ts'
import { agg, aggregate, filter, pattern, scan, sort } from '../../../analyze/plans.ts'
import { after } from '../../checked.ts'

const origin = { kind: 'none' } as const

function is(name: string): Expr {
  return testOf(column(name), { kind: 'equals', value: 'x', isFolded: true, isTyped: true })
}

/** Splits the conditions into those that stay above and those that reach the scan. */
function parted(plan: LogicalPlan): { readonly above: string; readonly below: string } {
  const text = after(pushFilter, plan)
  return { above: /^ *filter (.*)$/m.exec(text)?.[1] ?? '', below: / where (.*)$/m.exec(text)?.[1] ?? '' }
}

/** This condition reads no column. */
const unread = testOf(literal(1), { kind: 'equals', value: 1, isFolded: false, isTyped: true })
const anyField: Expr = { kind: 'any-field', fields: pattern('*'), except: [], test: { kind: 'empty' }, origin }

describe('conditions on distinct rows', () => {
  const distinct = (extra: { limit?: number; hitsName?: string } = {}): LogicalPlan => ({
    kind: 'distinct',
    input: scan(),
    keys: ['a', 'b'],
    hitsName: undefined,
    limit: undefined,
    origin,
    ...extra,
  })
  test('on a key, or on several, go below', () => {
    expect(parted(filter(distinct(), is('a')))).toEqual({ above: '', below: 'a = i:"x"' })
    const either: Expr = { kind: 'or', args: [is('a'), is('b')], origin }
    expect(parted(filter(distinct({ hitsName: 'hits' }), either)).above).toBe('')
  })
  test('on how many rows there were stay above: below there are none yet', () => {
    expect(parted(filter(distinct({ hitsName: 'hits' }), is('hits')))).toEqual({ above: 'hits = i:"x"', below: '' })
    const both: Expr = { kind: 'or', args: [is('a'), is('hits')], origin }
    expect(parted(filter(distinct({ hitsName: 'hits' }), both)).below).toBe('')
  })
  test('stay above a limit, which would choose other rows', () => {
    expect(parted(filter(distinct({ limit: 5 }), is('a')))).toEqual({ above: 'a = i:"x"', below: '' })
  })
  test('that read no certain field stay above', () => {
    expect(parted(filter(distinct(), anyField)).below).toBe('')
    expect(parted(filter(distinct(), unread)).below).toBe('')
  })
})

describe('conditions on groups', () => {
  const groups = (calls = { n: agg('count') }): LogicalPlan =>
    aggregate(scan(), { a: column('a'), u: call('upper', [column('b')]) }, calls)
  test('on keys go below, as what the key is made of', () => {
    expect(parted(filter(groups(), not(is('u'))))).toEqual({ above: '', below: 'not upper(b) = i:"x"' })
  })
  test('on results stay above, alone or beside a key', () => {
    expect(parted(filter(groups(), is('n')))).toEqual({ above: 'n = i:"x"', below: '' })
    expect(parted(filter(groups(), { kind: 'or', args: [is('a'), is('n')], origin })).below).toBe('')
  })
  test('that read no certain field stay above, and so do all when there is one group without keys', () => {
    expect(parted(filter(groups(), anyField)).below).toBe('')
    expect(parted(filter(groups(), unread)).below).toBe('')
    const total = aggregate(scan(), {}, { n: agg('count') })
    expect(parted(filter(total, is('a'))).below).toBe('')
    expect(parted(filter(total, testOf(literal(1), { kind: 'empty' }))).below).toBe('')
  })
})

describe('conditions on the best rows of each part', () => {
  const keys = [{ expr: column('a'), direction: 'asc' }] as const
  const best = (extra: Parameters<typeof sort>[2]): LogicalPlan => sort(scan(), keys, extra)
  test('go below when they keep or remove whole parts', () => {
    for (const extra of [{ limit: 2 }, { offset: 1 }, { rankName: 'r' }]) {
      expect(parted(filter(best({ ...extra, partitionBy: [column('p')] }), is('p')))).toEqual({
        above: '',
        below: 'p = i:"x"',
      })
      expect(parted(filter(best({ ...extra, partitionBy: [column('p')] }), is('a'))).below).toBe('')
      expect(parted(filter(best(extra), is('p'))).below).toBe('')
    }
  })
  test('on the rank stay above, also when it has the name of what parts are made by', () => {
    const plan = best({ limit: 2, partitionBy: [column('p')], rankName: 'p' })
    expect(parted(filter(plan, is('p'))).below).toBe('')
  })
  test('a part made by an expression is not known by a name', () => {
    const plan = best({ limit: 2, partitionBy: [call('upper', [column('p')])] })
    expect(parted(filter(plan, is('p'))).below).toBe('')
  })
  test('a sort that gives every row lets all below', () => {
    expect(parted(filter(best({}), is('z')))).toEqual({ above: '', below: 'z = i:"x"' })
  })
})

describe('conditions on the first rows of each group', () => {
  const first: LogicalPlan = { kind: 'limit-by', input: scan(), keys: [column('k')], limit: 2, offset: 0, origin }
  test('go below when they are on the group', () => {
    expect(parted(filter(first, is('k')))).toEqual({ above: '', below: 'k = i:"x"' })
  })
  test('stay above when they choose among its rows', () => {
    expect(parted(filter(first, is('a')))).toEqual({ above: 'a = i:"x"', below: '' })
    expect(parted(filter(first, anyField)).below).toBe('')
  })
})
