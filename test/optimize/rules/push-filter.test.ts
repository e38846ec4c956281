import { describe, expect, test } from 'vitest'
import { field } from '../../../src/data/index.ts'
import { and, call, column, literal, test as testOf, type Expr, type LogicalPlan } from '../../../src/plan/index.ts'
import { pushFilter } from '../../../src/optimize/rules/push-filter/index.ts'
import {
  agg,
  aggregate,
  drop,
  extend,
  filter,
  join,
  limit,
  pattern,
  project,
  rename,
  scan,
  sort,
  union,
  values,
} from '../../analyze/plans.ts'
import { after, sheet } from '../checked.ts'

function is(name: string, text = 'x'): Expr {
  return testOf(column(name), { kind: 'equals', value: text, isFolded: true, isTyped: true })
}

const anyX: Expr = {
  kind: 'any-field',
  fields: pattern('a*'),
  except: [],
  test: { kind: 'empty' },
  origin: { kind: 'none' },
}

describe('push-filter', () => {
  test('into the scan, behind what is there', () => {
    expect(after(pushFilter, filter(scan('', undefined, { predicate: is('a') }), and([is('b'), is('c')])))).toBe(
      sheet(`
        scan logs always where (a = i:"x" and b = i:"x" and c = i:"x")
      `),
    )
  })

  test('through columns that are kept, dropped and renamed', () => {
    expect(after(pushFilter, filter(project(scan(), 'a', 'kube.*'), and([is('a'), is('kube.pod'), is('b')])))).toBe(
      sheet(`
        project a, kube.*
          scan logs always where (a = i:"x" and kube.pod = i:"x" and null = i:"x")
      `),
    )
    expect(after(pushFilter, filter(drop(scan(), 'kube.*'), and([is('a'), is('kube.pod')])))).toBe(
      sheet(`
        drop kube.*
          scan logs always where (a = i:"x" and null = i:"x")
      `),
    )
    expect(
      after(pushFilter, filter(rename(scan(), { a: 'b', b: 'c', d: 'e' }), and([is('a'), is('c'), is('e'), is('f')]))),
    ).toBe(
      sheet(`
        rename a as b, b as c, d as e
          scan logs always where (null = i:"x" and a = i:"x" and d = i:"x" and f = i:"x")
      `),
    )
    expect(after(pushFilter, filter(rename(scan(), { a: 'b' }, true), and([is('a'), is('b')])))).toBe(
      sheet(`
        rename copy a as b
          scan logs always where (a = i:"x" and a = i:"x")
      `),
    )
    expect(after(pushFilter, filter(rename(scan(), { 'a*': 'b*' }), is('c')))).toContain('filter c')
  })

  test('through what is computed, when it is not read or costs nothing', () => {
    const plan = extend(scan(), { a: column('b'), c: call('upper', [column('a')]), d: literal(1) })
    expect(after(pushFilter, filter(plan, and([is('a'), is('c'), is('d'), is('e')])))).toBe(
      sheet(`
        filter c = i:"x"
          extend a = b, c = upper(a), d = 1
            scan logs always where (b = i:"x" and 1 = i:"x" and e = i:"x")
      `),
    )
    expect(after(pushFilter, filter(plan, anyX))).toContain('filter any')
  })

  test('through groups, for conditions on keys only', () => {
    const plan = aggregate(scan(), { a: column('a'), u: call('upper', [column('b')]) }, { n: agg('count') })
    expect(after(pushFilter, filter(plan, and([is('a'), is('u'), is('n', '1')])))).toBe(
      sheet(`
        filter n = i:"1"
          aggregate by (a, upper(b) as u) count() as n
            scan logs always where (a = i:"x" and upper(b) = i:"x")
      `),
    )
    expect(after(pushFilter, filter(aggregate(scan(), {}, { n: agg('count') }), is('n')))).toContain('filter n')
  })

  test('through a sort but not through a limit', () => {
    const keys = [{ expr: column('a'), direction: 'asc' }] as const
    expect(after(pushFilter, filter(sort(scan(), keys), anyX))).not.toContain('filter')
    expect(after(pushFilter, filter(sort(scan(), keys, { limit: 5 }), is('a')))).toContain('filter')
    expect(after(pushFilter, filter(sort(scan(), keys, { rankName: 'r' }), is('a')))).toContain('filter')
    expect(after(pushFilter, filter(limit(scan(), 5), is('a')))).toContain('filter')
    const partitioned = sort(scan(), keys, { limit: 5, partitionBy: [column('p')], rankName: 'r' })
    expect(after(pushFilter, filter(partitioned, and([is('p'), is('a'), is('r')])))).toBe(
      sheet(`
        filter (a = i:"x" and r = i:"x")
          sort a asc partition by (p) limit 5 rank as r
            scan logs always where p = i:"x"
      `),
    )
  })

  test('into every input of a union', () => {
    expect(
      after(
        pushFilter,
        filter(union(scan(), values({ fields: [field('b')], isOpen: false })), and([is('a'), is('b')])),
      ),
    ).toBe(
      sheet(`
        union 2 inputs
          scan logs always where (a = i:"x" and b = i:"x")
          filter (null = i:"x" and b = i:"x")
            values 0 rows
      `),
    )
  })

  describe('joins', () => {
    const left = project(scan(), 'k', 'a')
    const right = project(scan(), 'k', 'b')
    test('left rows of inner and left joins', () => {
      expect(after(pushFilter, filter(join(left, right, { k: 'k' }), and([is('a'), is('k'), is('b')])))).toBe(
        sheet(`
          filter b = i:"x"
            join left on (k)
              project k, a
                scan logs always where (a = i:"x" and k = i:"x")
              project k, b
                scan logs always
        `),
      )
    })
    test('right rows of inner joins', () => {
      expect(after(pushFilter, filter(join(left, right, { k: 'k' }, 'inner'), is('b')))).toContain('where b')
      const prefixed = join(left, right, { k: 'k' }, 'inner', { prefix: 'r_', prefixMode: 'all' })
      expect(after(pushFilter, filter(prefixed, is('r_b')))).toContain('where b')
    })
    test('not a name that the right side takes, with its prefix, beside left rows that have its own', () => {
      const clashing = { prefix: 'r', prefixMode: 'collision' } as const
      const of = (input: LogicalPlan, type: 'inner' | 'left', name: string): string =>
        after(pushFilter, filter(join(input, right, { k: 'k' }, type, clashing), is(name)))
      expect(of(scan(), 'inner', 'r.b')).toContain('filter r.b')
      expect(of(scan(), 'left', 'r.b')).toContain('filter r.b')
      expect(of(scan(), 'left', 'b')).toContain('filter b')
      // No column of the right side can have these names in the result.
      expect(of(scan(), 'inner', 'r.k')).toContain('where r.k')
      expect(of(scan(), 'left', 'r.k')).toContain('where r.k')
      expect(of(scan(), 'inner', 'r.c')).toContain('where r.c')
      expect(of(left, 'inner', 'b')).toContain('where b')
    })
    test('not where a row may be padded, or a name may come from both sides', () => {
      expect(after(pushFilter, filter(join(left, right, { k: 'k' }, 'full'), is('a')))).toContain('filter')
      expect(after(pushFilter, filter(join(left, right, { k: 'k' }, 'right'), is('k')))).toContain('filter')
      expect(after(pushFilter, filter(join(scan(), scan(), { k: 'k' }), is('a')))).toContain('filter')
      expect(after(pushFilter, filter(join(left, project(scan(), 'k', 'a'), { k: 'k' }), is('a')))).toContain('filter')
    })
  })
})
