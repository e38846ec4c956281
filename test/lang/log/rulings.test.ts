import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { canon, lower, parse } from '../../../src/lang/log/index.ts'
import { printInterval, printPlan, type Dialect } from '../../../src/plan/index.ts'

const NOON = 1_767_268_800_000_000_000n // 2026-01-01T12:00:00Z

function planOf(query: string, dialect: Dialect = 'native'): string {
  const { ast, diagnostics } = parse(query, { dialect })
  expect(diagnostics).toEqual([])
  return printPlan(lower(ast, { dialect, nowNs: NOON, table: 'logs' }))
}

/** Returns the predicate of a query without pipes. */
function filterOf(query: string, dialect: Dialect = 'native'): string {
  const [first, second] = planOf(query, dialect).split('\n')
  expect(second?.trim()).toBe('scan logs always')
  return present(first).replace(/^filter /, '')
}

/** Returns the time range of a query that is one time filter. */
function rangeOf(query: string): string {
  const plan = lower(parse(query).ast, { nowNs: NOON, table: 'logs' })
  const test = plan.kind === 'filter' && plan.predicate.kind === 'test' ? plan.predicate.test : undefined
  return test?.kind === 'time-range' ? printInterval(test.range) : 'no time filter'
}

function isRefused(query: string, dialect: Dialect = 'native'): boolean {
  return parse(query, { dialect }).diagnostics.some(({ severity }) => severity === 'error')
}

/** Expects that two queries have the same plan. */
function same(a: string, b: string, dialect: Dialect = 'native'): void {
  expect(planOf(a, dialect)).toBe(planOf(b, dialect))
}

describe.each(['native', 'logsql'] as const)('rulings of both dialects, %s', (dialect) => {
  test.each([
    ['(a)or(b)', '(a) or (b)'],
    ['(a)and(b)', '(a) and (b)'],
    ['(a)(b)', '(a) (b)'],
    ['(a)not(b)', '(a) not (b)'],
    ['(a)!(b)', '(a) !(b)'],
    ['(a)-b', '(a) -b'],
    ['a:(x)OR b:(y)', 'a:(x) OR b:(y)'],
    ['a:in(x)or b:in(y)', 'a:in(x) or b:in(y)'],
    ['a:range[1, 2)and b:range(1, 2]or c', 'a:range[1, 2) and b:range(1, 2] or c'],
    ['_time:[1h, 5m)OR not(x)', '_time:[1h, 5m) OR not (x)'],
    ['_time:[1h, 5m]and(x)', '_time:[1h, 5m] and (x)'],
    ['{a="b"}or(x)', '{a="b"} or (x)'],
    ['"a"or b', '"a" or b'],
    ['a:"x"and b:="y"or(c)', 'a:"x" and b:="y" or (c)'],
    ['((a)or(b))and(c)|count()', '((a) or (b)) and (c) | count()'],
    ['* | filter (a)or(b)|fields a', '* | filter (a) or (b) | fields a'],
    ['* | count() if ((a)or(b)) x', '* | count() if ((a) or (b)) x'],
  ])('operators and filters behind parentheses: %s', (tight, loose) => same(tight, loose, dialect))

  test.each([
    ['* | top 10 by a, b', '* | top 10 by (a, b)'],
    ['* | top by a hits n rank', '* | top by (a) hits n rank'],
    ['* | top by (a) rank as r hits n', '* | top by (a) hits n rank as r'],
    ['* | uniq by a hits', '* | uniq by (a) with hits'],
    ['* | uniq by a, b with hits limit 5', '* | uniq by (a, b) with hits limit 5'],
    ['* | uniq by (hits) hits', '* | uniq (hits) with hits'],
    ['* | unroll by a, b', '* | unroll by (a, b)'],
    ['* | stats by a, b:10 count() n, sum(c) s', '* | stats by (a, b:10) count() n, sum(c) s'],
    ['* | by a count() n', '* | stats by (a) count() n'],
    ['* | sort by a desc, b limit 3', '* | sort by (a desc, b) limit 3'],
    ['* | sort by a limit 3 partition by b, c', '* | sort by (a) partition by (b, c) limit 3'],
    ['* | first 2 by a desc partition by b rank', '* | first 2 by (a desc) partition by (b) rank'],
    ['* | last by a', '* | last by (a)'],
    ['* | running_stats by a, b count() n', '* | running_stats by (a, b) count() n'],
    ['* | total_stats by a sum(b) n, max(b) m', '* | total_stats by (a) sum(b) n, max(b) m'],
    ['* | join by a, b (* | fields a, b, c)', '* | join by (a, b) (* | fields a, b, c)'],
    ['* | join on a rows({a="1"}) inner', '* | join by (a) rows({a="1"}) inner'],
  ])('keys without parentheses: %s', (bare, listed) => same(bare, listed, dialect))

  test('two texts that touch are a mistake, whatever stands before them', () => {
    for (const query of ['(a)b', '(a)b:c', 'a:in(x)b', 'a(b)', '"a"(b)', '"a"b', 'a:1(b)', '{a="b"}c'])
      expect([query, isRefused(query, dialect)]).toEqual([query, true])
  })

  test('a placeholder of a format is one field', () => {
    expect(isRefused('* | format "<a*>"', dialect)).toBe(true)
    expect(isRefused('* | format "<*> <_> *<a>*"', dialect)).toBe(false)
  })

  test('`options` at the start of a query', () => {
    expect(isRefused('options', dialect)).toBe(dialect === 'logsql')
    expect(isRefused('a:in(options | fields b)', dialect)).toBe(dialect === 'logsql')
    expect(isRefused('"options"', dialect)).toBe(false)
    expect(isRefused('* | filter options', dialect)).toBe(false)
    expect(isRefused('a options', dialect)).toBe(false)
  })
})

describe('rulings of the native dialect', () => {
  test('a time that is not meant is a time too', () => {
    same('_time!=2026-01-01', '!_time:=2026-01-01')
  })

  test('a range that leaves its upper bound out does not end the subquery it stands in', () => {
    expect(isRefused('in(duration_ms:range[0.1, 404) | fields workload)')).toBe(false)
    expect(isRefused('in(duration_ms:range(0.1, 404] | fields workload)', 'logsql')).toBe(false)
  })

  test('a list may stand beside a stream filter, which is not a field that lacks its colon', () => {
    expect(filterOf('{app="web"} in(error, warn)')).toBe(
      '(stream {app = "web" as text} & unbound text in i:("error", "warn") alternative)',
    )
  })

  test('an empty filter part before a pipe is everything, a wholly empty query is refused', () => {
    expect(planOf('| limit 5')).toBe('limit 5\n  filter unbound text native ""*""\n    scan logs always')
    expect(isRefused('')).toBe(true)
    expect(isRefused('| limit 5', 'logsql')).toBe(true)
  })

  test('a value, a quoted value and a comparison of the whole value', () => {
    expect(filterOf('level:error')).toBe('unbound "level" native "error"')
    same('level:"error"', 'level: error')
    expect(filterOf('level:=error')).toContain('= "error"')
    same('level = "error"', 'level:="error"')
    same('level != "error"', '!level:="error"')
  })

  test('stars outside quotes are wildcards, inside they are text', () => {
    expect(filterOf('pod:a*b')).toBe('unbound "pod" native "a"*"b"')
    expect(filterOf('pod:"a*b"')).toBe('unbound "pod" native "a*b"')
    expect(filterOf('*x')).toBe('unbound text native ""*"x"')
    expect(isRefused('pod:a*b', 'logsql')).toBe(true)
    expect(filterOf('pod:*ab*', 'logsql')).toBe('unbound "pod" logsql ""*"ab"*""')
  })

  test('implicit operands of a level stay together, explicit ones leave it', () => {
    const { ast } = parse('a:1 a:2 and b:3 a:4 (a:5)')
    const plan = lower(ast, { nowNs: NOON, table: 'logs' })
    const predicate = plan.kind === 'filter' ? plan.predicate : undefined
    expect(predicate?.kind).toBe('implicit-and')
    if (predicate?.kind !== 'implicit-and') return
    // The parenthesised filter is a separate operand and never becomes an alternative.
    expect(predicate.args.map((arg) => arg.kind)).toEqual(['field-filter', 'and', 'field-filter', 'and'])
  })

  test('not binds tighter than and, and tighter than or', () => {
    same('not a b or c', '(!a b) or c')
    same('NOT a AND b OR c', '(-a and b) or c')
    same('- - a', 'a')
  })

  test('comparisons take a colon or none', () => {
    same('status:>=500', 'status >= 500')
    same('status>500', 'status:>500')
    same('path ~ "^/api"', 'path:~"^/api"')
    expect(filterOf('status >=500', 'logsql')).toContain('unbound text in [500, +Inf]')
  })

  test('comparisons are by number where the operand is one, else by text', () => {
    expect(filterOf('size:>10KiB')).toContain('10240')
    expect(filterOf('took:<=2s')).toContain('2000000000')
    expect(filterOf('level:>=warn')).toContain('warn')
  })

  test('a field in front of parentheses applies to what has none of its own', () => {
    same('level:(error or "fatal")', 'level:error or level:fatal')
    same('level:(error host:x)', '(level:error host:x)')
    expect(canon(parse('level:(error b:c)', { dialect: 'logsql' }).ast, 'logsql')).toBe('level:error level:"b:c"')
  })

  test('time filters count from now and cover what is written', () => {
    expect(rangeOf('_time:5m')).toBe('[2026-01-01T11:55:00Z, 2026-01-01T12:00:00Z)')
    expect(rangeOf('_time:5m offset 1h')).toBe('[2026-01-01T10:55:00Z, 2026-01-01T11:00:00Z)')
    expect(rangeOf('_time:2026-02')).toBe('[2026-02-01T00:00:00Z, 2026-03-01T00:00:00Z)')
    expect(rangeOf('_time:2026-01-31T10:20:30+02:00')).toBe('[2026-01-31T08:20:30Z, 2026-01-31T08:20:31Z)')
    expect(rangeOf('_time:[2026-01-01, 2026-01-18]')).toBe('[2026-01-01T00:00:00Z, 2026-01-19T00:00:00Z)')
    expect(rangeOf('_time:[2026-01-01, 2026-01-18)')).toBe('[2026-01-01T00:00:00Z, 2026-01-18T00:00:00Z)')
    expect(rangeOf('_time:>2026-01-01')).toBe('[2026-01-01T00:00:00.000000001Z, inf)')
    expect(rangeOf('_time:<1h')).toBe('[2026-01-01T11:00:00.000000001Z, 2026-01-01T12:00:00Z)')
    expect(rangeOf('_time:1767268800123')).toBe('[2026-01-01T12:00:00.123Z, 2026-01-01T12:00:00.124Z)')
    same('timestamp:5m', 'timestamp:[now-5m, now)')
  })

  test('options shift or lift the range of the request, in subqueries too', () => {
    const shifted = planOf('options(time_offset=1h) _time:5m')
    expect(shifted).toContain('time_add')
    expect(shifted).toContain('shifted by 3600000000000ns')
    const free = planOf('options(ignore_global_time_filter=true) x:in(a | fields x) | union (b)')
    expect(free.match(/whatever the request/g)).toHaveLength(3)
    // The global filter does not apply to the subquery that it contains.
    const own = planOf('options(global_filter=(t:in(a | fields t))) x:in(b | fields x)')
    expect(own.match(/subquery$/gm)).toHaveLength(3)
    const inner = planOf('x:in(options(ignore_global_time_filter=true) a | fields x)')
    expect(inner.match(/whatever the request/g)).toHaveLength(1)
  })

  test('results are called by their function, in the other dialect as they print', () => {
    expect(planOf('* | stats count()')).toContain('count() as count')
    expect(planOf('* | stats count()', 'logsql')).toContain('count() as count(*)')
    expect(isRefused('* | stats count(), count() if (a:b)')).toBe(true)
    expect(isRefused('* | stats count(), count() if (a:b)', 'logsql')).toBe(false)
  })

  test('stats by nothing has no keys', () => {
    same('* | stats by () count() as n', '* | stats count() as n')
  })

  test('limit and offset run in the order written', () => {
    expect(planOf('* | limit 10 | offset 5')).toBe(
      ['limit offset 5', '  limit 10', '    filter unbound text native ""*""', '      scan logs always'].join('\n'),
    )
    expect(canon(parse('* | limit 10 | offset 5').ast)).toBe('* | limit 10 | offset 5')
    expect(canon(parse('* | limit 10 | offset 5', { dialect: 'logsql' }).ast, 'logsql')).toBe('* | limit 10 | offset 5')
  })

  test('forms with something left out are refused, and accepted by the other dialect', () => {
    for (const query of ['* | limit', '* | sort', 'error;', '* | level:error']) {
      expect(isRefused(query), query).toBe(true)
      expect(isRefused(query, 'logsql'), query).toBe(false)
    }
  })

  test('accepted beside the inventory: blanks before commas, keep_existing, a parenthesised stage', () => {
    same('* | uniq (source, cluster ,client)', '* | uniq by (source, cluster, client)')
    same('* | math a / b * 100 as pct keep_existing', '* | math a / b * 100 as pct')
    same('* | (a:1 -b:2) AND (c:3)', '* | filter (a:1 -b:2) and (c:3)')
    same('* | stats count() n', '* | stats count() as n')
  })

  test('comments, quotes and escapes', () => {
    same('error # a comment | limit 5\n| limit 3', 'error | limit 3')
    same("'a b'", '"a b"')
    same('`a\\b`', '"a\\\\b"')
    same('"\\u00e4"', 'ä')
    same('"level":error', 'level:error')
    expect(isRefused('"\\ud800"')).toBe(true)
    expect(isRefused('"\\q"')).toBe(true)
  })

  test('keywords in any case stay words where a word may stand', () => {
    same('* | FIELDS a, b | Sort By (a DESC)', '* | fields a, b | sort by (a desc)')
    expect(filterOf('limit')).toBe('unbound text native "limit"')
    expect(filterOf('stats for')).toContain('"stats"')
    expect(planOf('* | fields limit, by, if')).toContain('project limit, by, if')
    expect(filterOf('in')).toBe('unbound text native "in"')
  })

  test('sample counts rows or one in so many', () => {
    expect(planOf('* | sample 100')).toContain('sample one in 100')
    expect(planOf('* | sample 100 rows')).toContain('sample 100 rows')
  })

  test('limit 0 is an empty answer, not an error', () => {
    expect(planOf('* | limit 0')).toMatch(/^limit 0\n/)
  })

  test('filters, pipes and options that the plan has nodes for use them', () => {
    expect(planOf('* | top 5 by (a)')).toMatch(/^sort hits desc limit 5\n {2}aggregate by \(a\) count\(\) as hits/)
    expect(planOf('* | delete a, b*')).toMatch(/^drop a, b\*/)
    expect(planOf('* | join by (a) (b) inner prefix "r."')).toMatch(/^join inner on \(a\) prefix r\./)
    expect(planOf('* | union rows({"a":1,"b":"x"})')).toContain('values 1 rows')
    expect(planOf('* | limit 3 by (pod)')).toMatch(/^limit-by 3 by \(pod\)/)
    expect(planOf('x:in(level:error | fields y)')).toContain('subquery')
    expect(planOf('options(global_filter=(team:a)) x:in(b | fields y)')).toMatch(
      /subquery[^]*unbound "team" native "a"/,
    )
  })

  test('one format with several results and cases', () => {
    const plan = planOf('* | format if (a:1) switch(case (s:>=500) "bad", default "<s>") as class, "<b>" as c')
    expect(plan.match(/apply format/g)).toHaveLength(3)
    expect(plan).toContain('drop class#0, class#1')
  })

  test('arithmetic groups by precedence', () => {
    expect(planOf('* | math a + b * c ^ 2 as x')).toContain('add(a, mul(b, pow(c, 2)))')
    expect(planOf('* | math a - b - c as x')).toContain('sub(sub(a, b), c)')
    expect(planOf('* | math -a default 1d as x')).toContain('default(neg(a), 86400000000000)')
    expect(canon(parse('* | math a - (b - c) as x').ast)).toBe('* | math (a - (b - c)) as x')
  })
})
