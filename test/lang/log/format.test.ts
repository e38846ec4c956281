import { describe, expect, test } from 'vitest'
import { format } from '../../../src/lang/log/index.ts'

describe('format', () => {
  test('blanks where they help, none where they mean nothing', () => {
    expect(format('level:error   timeout|stats by( workload ,level )count( ) as n|sort by(n desc)')).toBe(
      'level:error timeout | stats by (workload, level) count() as n | sort by (n desc)',
    )
  })

  test('a query that is too long for a line has one stage a line', () => {
    const query =
      'level:error timeout namespace:payments workload:checkout | stats by (workload, level) count() as n, avg(duration_ms) as a | limit 10'
    expect(format(query)).toBe(
      [
        'level:error timeout namespace:payments workload:checkout',
        '  | stats by (workload, level) count() as n, avg(duration_ms) as a',
        '  | limit 10',
      ].join('\n'),
    )
  })

  test('comments stay where they are', () => {
    const query = '# all errors\nlevel:error   # only these\n| stats count() as n\n   # the end'
    expect(format(query)).toBe('# all errors\nlevel:error # only these\n  | stats count() as n\n  # the end')
  })

  test('filters and operators that touch come apart', () => {
    expect(format('(a)or(b)and(c)(d)|fields a')).toBe('(a) or (b) and (c) (d) | fields a')
    expect(format('x:"a"or"b" {p="q"}AND not(c) _time:[1h, 2h)OR y:in(1)or z')).toBe(
      'x:"a" or "b" {p="q"} AND not(c) _time:[1h, 2h) OR y:in(1) or z',
    )
  })

  test('keys without parentheses stay without', () => {
    expect(format('*|stats by a,b:1h count()as x|sort by x desc,a')).toBe(
      '* | stats by a, b:1h count() as x | sort by x desc, a',
    )
  })

  test('case, quotes and names stay as written', () => {
    expect(format("'Error'   AND  Level:`x`|LIMIT 5")).toBe("'Error' AND Level:`x` | LIMIT 5")
  })

  test('a query with errors stays as it is', () => {
    expect(format('a  |  limt  5')).toBe('a  |  limt  5')
  })
})
