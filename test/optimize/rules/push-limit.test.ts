import { describe, expect, test } from 'vitest'
import { field, type Row } from '../../../src/data/index.ts'
import { column, type LogicalPlan } from '../../../src/plan/index.ts'
import { pushLimit } from '../../../src/optimize/rules/push-limit.ts'
import { agg, aggregate, apply, extend, join, limit, scan, sort, union, values } from '../../analyze/plans.ts'
import { after, sheet } from '../checked.ts'

const origin = { kind: 'none' } as const
const rows = (count: number): LogicalPlan =>
  values(
    { fields: [field('a')], isOpen: false },
    Array.from({ length: count }, (_, i): Row => new Map([['a', i]])),
  )
const total = aggregate(scan(), {}, { a: agg('count') })
const distinct = (count: number | undefined): LogicalPlan => ({
  kind: 'distinct',
  input: scan(),
  keys: ['a'],
  hitsName: undefined,
  limit: count,
  origin,
})
const best = (count: number, partitionBy = [] as const): LogicalPlan =>
  sort(scan(), [{ expr: column('a'), direction: 'asc' }], { limit: count, partitionBy })

/** True if an input of a union gets its own limit below `limit 2 offset 3`. */
function isLimited(input: LogicalPlan): boolean {
  return after(pushLimit, limit(union(input, input), 2, 3)).includes('limit 5\n')
}

describe('an input gets a limit of its own', () => {
  test('when it may have more rows than are read, not when it has exactly so many', () => {
    expect([isLimited(rows(4)), isLimited(rows(5)), isLimited(rows(6))]).toEqual([false, false, true])
  })
  test.each([
    ['a limit', (count: number) => limit(scan(), count)],
    ['distinct rows', distinct],
    ['the best rows', best],
  ] as const)('%s says how many there are', (_, of) => {
    const limits = (count: number): number =>
      after(pushLimit, limit(union(of(count), of(count)), 2, 3)).match(/limit 5\n/g)?.length ?? 0
    // With five rows these are the limits of the inputs; with six rows they are new ones.
    expect([limits(5), limits(6)]).toEqual([2, 2])
    expect(after(pushLimit, limit(union(of(5), of(5)), 2, 3)).split('\n')).toHaveLength(8)
  })
  test('one group without keys is one row, groups by keys are any number', () => {
    expect(after(pushLimit, limit(union(total, total), 1))).toBe(
      sheet(`
        limit 1
          union 2 inputs
            aggregate count() as a
              scan logs always
            aggregate count() as a
              scan logs always
      `),
    )
    expect(isLimited(aggregate(scan(), { a: column('a') }, {}))).toBe(true)
  })
  test('the best rows of each part are any number', () => {
    const parts = sort(scan(), [{ expr: column('a'), direction: 'asc' }], { limit: 1, partitionBy: [column('p')] })
    expect(isLimited(parts)).toBe(true)
  })
  test('an inner union has as many rows as its inputs together', () => {
    const inner = (count: number): LogicalPlan => union(rows(2), rows(count))
    expect([isLimited(inner(3)), isLimited(inner(4))]).toEqual([false, true])
  })
  test('stages of one row for one row keep the number, others do not', () => {
    const one = apply(rows(5), 'text', null, ['a'], ['b'])
    const many = apply(rows(5), 'text', null, ['a'], ['b'], { isOneToOne: false })
    expect([isLimited(one), isLimited(many)]).toEqual([false, true])
    expect(isLimited(extend(rows(5), { b: column('a') }))).toBe(false)
  })
})

describe('limits move', () => {
  test('into distinct rows, where the smaller one stays', () => {
    expect(after(pushLimit, limit(distinct(undefined), 3))).toContain('limit 3')
    expect(after(pushLimit, limit(distinct(2), 3))).toContain('limit 2')
    expect(after(pushLimit, limit(distinct(4), 3))).toContain('limit 3')
  })
  test('not into distinct rows when some are skipped or none is left out', () => {
    expect(after(pushLimit, limit(distinct(undefined), 3, 1))).toMatch(/^\nlimit 3 offset 1\n/)
    expect(after(pushLimit, limit(distinct(undefined), undefined, 1))).toMatch(/^\n.*offset 1\n/)
  })
  test('below a stage that gives one row for one row, not below others', () => {
    expect(after(pushLimit, limit(apply(scan(), 'text', null, ['a'], ['b']), 3))).toContain('limit 3\n    scan')
    expect(after(pushLimit, limit(apply(scan(), 'text', null, ['a'], ['b'], { isOneToOne: false }), 3))).toMatch(
      /^\nlimit 3\n/,
    )
  })
  test('an offset without an end moves into neither unions nor joins', () => {
    expect(after(pushLimit, limit(union(scan(), scan()), undefined, 5)).match(/offset/g)).toHaveLength(1)
    expect(after(pushLimit, limit(join(scan(), scan(), { a: 'a' }), undefined, 5)).match(/offset/g)).toHaveLength(1)
  })
  test('into the left rows of a left join only, and only where there may be more', () => {
    const joined = (left: LogicalPlan, type: 'left' | 'inner' | 'full' | 'right'): string =>
      after(pushLimit, limit(join(left, scan(), { a: 'a' }, type), 2, 3))
    expect(joined(rows(6), 'left')).toContain('limit 5\n')
    expect(joined(rows(5), 'left')).not.toContain('limit 5\n')
    for (const type of ['inner', 'full', 'right'] as const) expect(joined(rows(6), type)).not.toContain('limit 5\n')
  })
  test('a window of a window is one, as long as its place can be counted', () => {
    expect(after(pushLimit, limit(limit(scan(), 10, 2), 3, 4))).toBe(
      sheet(`
        limit 3 offset 6
          scan logs always
      `),
    )
    const far = limit(limit(scan(), undefined, Number.MAX_SAFE_INTEGER), 3, 1)
    expect(after(pushLimit, far).match(/offset/g)).toHaveLength(2)
  })
})
