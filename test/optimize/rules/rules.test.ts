import { describe, expect, test } from 'vitest'
import { interval, present } from '../../../src/base/index.ts'
import { field } from '../../../src/data/index.ts'
import { call, column, literal, not, test as testOf, type Expr, type SortKey } from '../../../src/plan/index.ts'
import { rules } from '../../../src/optimize/index.ts'
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

function rule(name: string) {
  const found = rules.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no rule ${name}`)
  return found
}

function is(name: string, text = 'x'): Expr {
  return testOf(column(name), { kind: 'equals', value: text, isFolded: true, isTyped: true })
}
function time(start: bigint, end: bigint): Expr {
  return testOf(column('_time'), { kind: 'time-range', range: interval(start, end) })
}
function by(name: string, direction: 'asc' | 'desc' = 'asc'): SortKey {
  return { expr: column(name), direction }
}
const nothing = values({ fields: [field('a')], isOpen: false })

test('rule names are unique', () => {
  expect(new Set(rules.map((each) => each.name)).size).toBe(rules.length)
})

test('merge-filters keeps the order of the parts', () => {
  expect(after(rule('merge-filters'), filter(filter(filter(scan(), is('a')), is('b')), is('c')))).toBe(
    sheet(`
      filter (a = i:"x" and b = i:"x" and c = i:"x")
        scan logs always
    `),
  )
})

describe('infer-time-range', () => {
  const scanning = (predicate: Expr) => scan('', interval(0n, 100_000_000_000n), { predicate })
  test('tests become the range', () => {
    expect(after(rule('infer-time-range'), scanning(time(5_000_000_000n, 200_000_000_000n)))).toBe(
      sheet(`
        scan logs [1970-01-01T00:00:05Z, 1970-01-01T00:01:40Z)
      `),
    )
  })
  test('alternatives tighten it and stay', () => {
    const predicate: Expr = {
      kind: 'or',
      args: [time(5_000_000_000n, 6_000_000_000n), time(8_000_000_000n, 9_000_000_000n)],
      origin: { kind: 'none' },
    }
    expect(after(rule('infer-time-range'), scanning(predicate))).toBe(
      sheet(`
        scan logs [1970-01-01T00:00:05Z, 1970-01-01T00:00:09Z) where (_time in time [5000000000, 6000000000) or _time in time [8000000000, 9000000000))
      `),
    )
  })
  test('nothing left', () => {
    expect(after(rule('infer-time-range'), scanning(time(200_000_000_000n, 300_000_000_000n)))).toContain('where false')
  })
  test('negations say nothing', () => {
    expect(after(rule('infer-time-range'), scanning(not(time(0n, 5n))))).toContain('not _time in time')
  })
})

describe('normalize-comparison', () => {
  const one = (test: Parameters<typeof testOf>[1]): string =>
    present(after(rule('normalize-comparison'), filter(scan(), testOf(column('a'), test))).split('\n')[1])
  test.each([
    [{ kind: 'equals', value: '', isFolded: true, isTyped: true }, 'filter a is empty'],
    [{ kind: 'in', values: ['x', 'x'], isFolded: true, isTyped: true }, 'filter a = i:"x"'],
    [{ kind: 'glob', parts: ['x', ''], isFolded: true }, 'filter a starts-with i:"x"'],
    [{ kind: 'glob', parts: ['', 'x', ''], isFolded: true }, 'filter a contains i:"x"'],
    [{ kind: 'regexp', pattern: '^a\\.b$', isFolded: false }, 'filter a = "a.b" as text'],
    [{ kind: 'regexp', pattern: '^ab', isFolded: false }, 'filter a starts-with "ab"'],
    [{ kind: 'regexp', pattern: 'ab$', isFolded: false }, 'filter a glob ""*"ab"'],
    [{ kind: 'regexp', pattern: 'ab', isFolded: false }, 'filter a contains "ab"'],
    [{ kind: 'regexp', pattern: '^$', isFolded: false }, 'filter a is empty'],
    [{ kind: 'regexp', pattern: 'a\\d', isFolded: false }, 'filter a ~ "a\\\\d"'],
    [{ kind: 'regexp', pattern: 'ab', isFolded: true }, 'filter a ~ i:"ab"'],
    [{ kind: 'contains-all', phrases: ['x'], isFolded: true }, 'filter a phrase i:"x"'],
    [{ kind: 'starts-with', text: '', isFolded: true }, 'filter not a is empty'],
  ] as const)('%o', (from, text) => {
    expect(one(from)).toBe(text)
  })
})

describe('fold-constants', () => {
  const one = (expr: Expr): string => present(after(rule('fold-constants'), extend(scan(), { r: expr })).split('\n')[1])
  test.each([
    [call('plus', [literal(1), call('plus', [literal(2), literal(3)])]), 'extend r = 6'],
    [call('plus', [literal(1), column('a')]), 'extend r = plus(1, a)'],
    [testOf(literal(null), { kind: 'empty' }), 'extend r = true'],
    [testOf(column('a'), { kind: 'in', values: [], isFolded: true, isTyped: true }), 'extend r = false'],
    [testOf(column('a'), { kind: 'regexp', pattern: '.*', isFolded: false }), 'extend r = true'],
    [
      testOf(column('a'), { kind: 'range', min: 5, max: 5, isMinIncluded: true, isMaxIncluded: false }),
      'extend r = false',
    ],
    [
      {
        kind: 'case',
        branches: [
          { when: literal(false), value: literal(1) },
          { when: literal(true), value: literal(2) },
        ],
        otherwise: literal(3),
        origin: { kind: 'none' },
      },
      'extend r = 2',
    ],
  ] as const)('%#', (expr, text) => {
    expect(one(expr)).toBe(text)
  })
})

describe('sort-limit-to-topk', () => {
  const topk = rule('sort-limit-to-topk')
  test('windows compose', () => {
    expect(after(topk, limit(sort(scan(), [by('a')]), 10, 5))).toContain('sort a asc offset 5 limit 10')
    expect(after(topk, limit(sort(scan(), [by('a')], { offset: 5, limit: 10 }), 10, 3))).toContain(
      'sort a asc offset 8 limit 7',
    )
    expect(after(topk, limit(sort(scan(), [by('a')], { limit: 10 }), undefined, 30))).toContain(
      'sort a asc offset 30 limit 0',
    )
  })
  test('ranks and partitions keep their limit apart', () => {
    expect(after(topk, limit(sort(scan(), [by('a')], { rankName: 'r' }), 10))).toContain('limit 10\n  sort')
    expect(after(topk, limit(sort(scan(), [by('a')], { limit: 1, partitionBy: [column('p')] }), 10))).toContain(
      'limit 10\n  sort',
    )
  })
})

describe('push-limit', () => {
  const push = rule('push-limit')
  test('below stages that treat rows one by one', () => {
    expect(after(push, limit(project(extend(rename(scan(), { a: 'b' }), { c: literal(1) }), 'b', 'c'), 10))).toBe(
      sheet(`
        project b, c
          extend c = 1
            rename a as b
              limit 10
                scan logs always
      `),
    )
  })
  test('limits of limits', () => {
    expect(after(push, limit(limit(scan(), 10, 5), 20, 3))).toBe(
      sheet(`
        limit 7 offset 8
          scan logs always
      `),
    )
  })
  test('into unions and left joins, beside the limit above', () => {
    expect(after(push, limit(union(project(scan(), 'a'), limit(scan(), 3)), 10, 5))).toBe(
      sheet(`
        limit 10 offset 5
          union 2 inputs
            project a
              limit 15
                scan logs always
            limit 3
              scan logs always
      `),
    )
    expect(after(push, limit(join(scan(), scan(), { a: 'a' }), 10))).toBe(
      sheet(`
        limit 10
          join left on (a)
            limit 10
              scan logs always
            scan logs always
      `),
    )
    expect(after(push, limit(join(scan(), scan(), { a: 'a' }, 'inner'), 10))).not.toContain('    limit')
  })
  test('not through filters and groups', () => {
    expect(after(push, limit(filter(scan(), is('a')), 1))).toContain('limit 1\n  filter')
    expect(after(push, limit(aggregate(scan(), { a: column('a') }, {}), 1))).toContain('limit 1\n  aggregate')
  })
})

describe('remove-sort', () => {
  const remove = rule('remove-sort')
  test('newest first is how rows come', () => {
    expect(after(remove, sort(filter(scan(), is('a')), [by('_time', 'desc')], { limit: 5 }))).toBe(
      sheet(`
        limit 5
          filter a = i:"x"
            scan logs always
      `),
    )
    expect(after(remove, sort(rename(scan(), { _time: 't' }), [by('t', 'desc')]))).not.toContain('sort')
  })
  test.each([
    ['oldest first', sort(scan(), [by('_time')])],
    ['the field is another one by now', sort(extend(scan(), { _time: literal(1) }), [by('_time', 'desc')])],
    ['moved away', sort(rename(scan(), { a: '_time' }), [by('_time', 'desc')])],
    ['dropped', sort(drop(scan(), '_*'), [by('_time', 'desc')])],
    ['with a rank', sort(scan(), [by('_time', 'desc')], { rankName: 'r' })],
    ['a second key', sort(scan(), [by('_time', 'desc'), by('a')])],
    ['a union of two', sort(union(scan(), scan()), [by('_time', 'desc')])],
    ['by all fields', sort(scan(), [])],
  ])('not when %s', (_, plan) => {
    expect(after(remove, plan)).toContain('sort')
  })
  test('groups come by key, up to the first key that can tie', () => {
    const groups = aggregate(
      scan(),
      { status: column('status'), pod: column('pod'), a: column('a') },
      { n: agg('count') },
    )
    expect(after(remove, sort(groups, [by('status'), by('pod')]))).not.toContain('sort')
    expect(after(remove, sort(groups, [by('status'), by('pod'), by('a')]))).toContain('sort')
    expect(after(remove, sort(groups, [by('pod')]))).toContain('sort')
  })
  test('below groups whose functions ignore order', () => {
    const sorted = sort(scan(), [by('a')])
    expect(after(rule('ignore-order'), aggregate(sorted, { p: column('p') }, { n: agg('count') }))).not.toContain(
      'sort',
    )
    expect(
      after(rule('ignore-order'), aggregate(sorted, { p: column('p') }, { n: agg('values', [column('a')]) })),
    ).toContain('sort')
    expect(
      after(rule('ignore-order'), aggregate(sort(scan(), [by('a')], { limit: 5 }), {}, { n: agg('count') })),
    ).toContain('sort')
  })
  test('sorts in a row are one', () => {
    expect(after(remove, sort(sort(scan(), [by('a'), by('b', 'desc')]), [by('c'), by('b')]))).toContain(
      'sort c asc, b asc, a asc',
    )
  })
})

describe('remove-noop', () => {
  test.each([
    ['a filter for everything', filter(scan(), literal(true))],
    ['all fields', project(scan(), '*')],
    ['no limit', limit(scan(), undefined, 0)],
    ['a name for itself', rename(scan(), { level: 'level' }, true)],
    ['a union of one', union(scan())],
    ['a predicate for everything', scan('', undefined, { predicate: literal(true) })],
  ])('%s', (_, plan) => {
    expect(after(rule('remove-noop'), plan)).toBe('\nscan logs always\n')
  })
  test('not what names columns', () => {
    expect(after(rule('remove-noop'), project(scan(), 'a'))).toContain('project')
    expect(after(rule('remove-noop'), project(project(scan(), 'a'), 'a'))).toBe(
      sheet(`
        project a
          scan logs always
      `),
    )
  })
})

describe('propagate-empty', () => {
  const empty = rule('propagate-empty')
  const none = filter(scan(), literal(false))
  test.each([
    ['a filter for nothing', none],
    ['through stages', sort(extend(none, { a: literal(1) }), [by('a')])],
    ['limit 0', limit(scan(), 0)],
    ['groups of nothing', aggregate(none, { a: column('a') }, { n: agg('count') })],
    ['a join with nothing', join(scan(), none, { a: 'a' }, 'inner')],
    ['a union of nothing', union(none, none)],
    ['an empty range', scan('', interval(5n, 5n))],
  ])('%s', (_, plan) => {
    expect(after(empty, plan)).toBe('\nvalues 0 rows\n')
  })
  test('a total of nothing is a row', () => {
    expect(after(empty, aggregate(none, {}, { n: agg('count') }))).toBe(
      sheet(`
        aggregate count() as n
          values 0 rows
      `),
    )
  })
  test('a union loses what is empty when the columns stay the same', () => {
    expect(after(empty, union(scan(), none))).toContain('union 1 inputs')
    expect(after(empty, union(scan(), nothing))).toContain('union 2 inputs')
  })
  test('padded sides stay', () => {
    expect(after(empty, join(scan(), none, { a: 'a' }))).toContain('join left')
    expect(after(empty, join(none, scan(), { a: 'a' }, 'full'))).toContain('join full')
  })
})

describe('prune-columns', () => {
  const columns = (plan: Parameters<typeof after>[1]): readonly string[] =>
    [...after(rule('prune-columns'), plan).matchAll(/scan logs always(?: columns=\((.*?)\))?/g)].map((m) => m[1] ?? '*')
  test.each([
    ['whole rows need everything', filter(scan(), is('a')), ['*']],
    ['named columns', project(scan(), 'b', 'a', '_time'), ['_time, a, b']],
    ['conditions above the scan', project(filter(scan(), is('c')), 'a'), ['a, c']],
    ['a count needs no column', aggregate(scan(), {}, { n: agg('count') }), ['']],
    [
      'arguments, keys and conditions',
      aggregate(scan(), { k: column('k') }, { n: agg('sum', [column('v')], { filter: is('c') }) }),
      ['c, k, v'],
    ],
    ['computed columns', project(extend(scan(), { x: column('a'), y: column('x') }), 'y'), ['a']],
    ['renamed columns', project(rename(scan(), { a: 'b', b: 'c' }), 'c'), ['a']],
    ['copied columns', project(rename(scan(), { a: 'b' }, true), 'a', 'b'), ['a']],
    ['renames by pattern', project(rename(scan(), { 'a*': 'b*' }), 'b1'), ['*']],
    ['dropped columns', project(drop(scan(), 'a*'), 'a1', 'b'), ['b']],
    ['sort keys', project(sort(scan(), [by('s')]), 'a'), ['a, s']],
    ['a sort by everything', project(sort(scan(), []), 'a'), ['*']],
    ['columns by pattern', project(scan(), 'a*'), ['*']],
    [
      'arguments by pattern',
      aggregate(scan(), {}, { n: agg('sum', [{ kind: 'columns', fields: pattern('a*'), origin: { kind: 'none' } }]) }),
      ['*'],
    ],
    ['both sides of a join', project(join(scan(), scan(), { k: 'j' }), 'a'), ['a, k', 'a, j']],
    [
      'an open side that may have what the other declares',
      project(join(scan(), project(scan(), 'k', 'b'), { k: 'k' }), 'b'),
      ['b, k', 'b, k'],
    ],
    [
      'prefixes decided by the rows',
      project(join(scan(), scan(), { k: 'k' }, 'left', { prefix: 'r' }), 'r.a'),
      ['*', '*'],
    ],
    [
      'prefixes decided by the rows of the left side alone',
      project(join(scan(), project(scan(), 'k', 'a', 'b'), { k: 'k' }, 'left', { prefix: 'r' }), 'r.a'),
      ['*', 'a, k'],
    ],
    [
      'prefixes for all',
      project(join(scan(), scan(), { k: 'k' }, 'left', { prefix: 'r_', prefixMode: 'all' }), 'r_a'),
      ['a, k, r_a', 'a, k, r_a'],
    ],
    ['all inputs of a union', project(union(scan(), scan()), 'a'), ['a', 'a']],
  ] as const)('%s', (_, plan, expected) => {
    expect(columns(plan)).toEqual(expected)
  })
  test('a subquery is pruned on its own', () => {
    const inner: Expr = {
      kind: 'in-subquery',
      arg: column('a'),
      plan: project(scan(), 'b'),
      mode: 'in',
      isFolded: true,
      listsMissing: false,
      origin: { kind: 'none' },
    }
    expect(columns(filter(scan(), inner))).toEqual(['b', '*'])
  })
})
