import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePromql, prettyPromql, printPromql, type PromqlExpr } from '../../../src/lang/promql/index.ts'
import { anyShape, expressions, withoutSpans } from './arbitrary.ts'

function read(text: string): PromqlExpr {
  const { ast, diagnostics } = parsePromql(text, { limits: { nesting: 1000 } })
  if (ast === undefined) throw new Error(`${text}: ${diagnostics.map((d) => d.message).join('; ')}`)
  return ast
}

describe('canonical text', () => {
  test.each([
    ['SUM(x) BY (b,a)', 'sum by (b, a) (x)'],
    ['sum by () (x)', 'sum(x)'],
    ['sum without () (x)', 'sum without () (x)'],
    ['a  +bool   1', undefined],
    ['a{z="1",b!=\'2\'}', 'a{b!="2",z="1"}'],
    ['{"a b"}', '{__name__="a b"}'],
    ['x offset 90m @ 1.5', 'x @ 1.500 offset 1h30m'],
    ['x[1w1d] offset -1d', 'x[8d] offset -1d'],
    ['x[365d:7d]', 'x[1y:1w]'],
    ['1e3 + 1e-7', '1000 + 0.0000001'],
    ['-2 ^ 2', '-2 ^ 2'],
    ['a == on (b) group_left c', 'a == on (b) group_left () c'],
    ['a and ignoring () b', 'a and b'],
    ['a + fill_left(1) fill_right(1) b', 'a + fill (1) b'],
    ['a + fill_right(2e21) fill_left(-1) b', 'a + fill_left (-1) fill_right (2e+21) b'],
    ['rate(x[step() * 2])', 'rate(x[step() * 2])'],
    ['"\\x41\\u00e9\\n"', '"Aé\\n"'],
    ['"\\xff\\xc3\\xa9"', '"\\xffé"'],
    ['0x1F', '31'],
    ['017', '15'],
    ['1_000', '1000'],
    ['inf - NAN', '+Inf - NaN'],
    ['5m * 2', '5m * 2'],
  ])('%s', (text, printed) => {
    const { ast } = parsePromql(text)
    expect(ast === undefined ? undefined : printPromql(ast)).toBe(printed)
  })

  test('keeps a range that is not a whole number of milliseconds', () => {
    expect(printPromql(read('x[0.0005]'))).toBe('x[0.0005]')
    expect(printPromql(read('x offset 1.0005'))).toBe('x offset 1.0005')
  })
})

describe('printing and reading are inverse', () => {
  test('for any tree in canonical form', () => {
    fc.assert(
      fc.property(expressions(anyShape), (expr) => {
        const text = printPromql(expr)
        const again = read(text)
        expect(withoutSpans(again)).toEqual(withoutSpans(expr))
        expect(printPromql(again)).toBe(text)
      }),
      { seed: 20260821, numRuns: 400 },
    )
  })

  test('for the broken lines of the pretty form', () => {
    fc.assert(
      fc.property(expressions(anyShape), fc.integer({ min: 1, max: 60 }), (expr, width) => {
        expect(printPromql(read(prettyPromql(expr, width)))).toBe(printPromql(expr))
      }),
      { seed: 7, numRuns: 150 },
    )
  })
})

describe('pretty form', () => {
  test('breaks only what is too wide', () => {
    const text = 'sum by (job) (rate(some_quite_long_metric_name_total{job="a"}[5m])) / on (job) group_left () b > 0.5'
    expect(prettyPromql(read(text), 80)).toBe(
      [
        '    sum by (job) (rate(some_quite_long_metric_name_total{job="a"}[5m]))',
        '  / on (job) group_left ()',
        '    b',
        '>',
        '  0.5',
      ].join('\n'),
    )
    expect(prettyPromql(read('a + b'))).toBe('a + b')
  })

  test('never breaks a selector', () => {
    expect(prettyPromql(read('{a="1",b="2"}[5m]'), 3)).toBe('{a="1",b="2"}[5m]')
  })
})
