import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatLogql, parseLogql, parseLogqlOrThrow, type LogqlExpr } from '../../../src/lang/logql/index.ts'
import { logsText, metricText } from './arbitrary.ts'

function formatted(text: string): string {
  return formatLogql(parseLogqlOrThrow(text, { isFormatOnly: true }))
}

/** Returns the syntax tree without positions. A negative line filter with alternatives may become two filters. */
function meaningOf(expr: LogqlExpr): unknown {
  return JSON.parse(
    JSON.stringify(expr, (key, value: unknown) => {
      if (key === 'span') return undefined
      if (typeof value === 'bigint') return String(value)
      if (key === 'stages') return (value as { kind: string }[]).flatMap(splitNegative)
      return value
    }),
  )
}

function splitNegative(stage: { kind: string; op?: string; alternatives?: readonly unknown[] }): unknown[] {
  if (stage.kind !== 'line-filter' || stage.op?.startsWith('!') !== true) return [stage]
  return (stage.alternatives ?? []).map((alternative) => ({ ...stage, alternatives: [alternative] }))
}

describe('layout', () => {
  test.each([
    ['{app="a",env=~`b`}|json|x=1,y="z"', '{app="a", env=~"b"} | json | ( x==1 , y="z" )'],
    ['{a="b"} | json x, y="p.q" | drop x , y="1"', '{a="b"} | json x="x",y="p.q" | drop x,y="1"'],
    ['{a="b"} | logfmt --keep-empty --strict', '{a="b"} | logfmt --strict --keep-empty'],
    ['{a="b"} != "x" or "y" or ip("::1")', '{a="b"} != "x" != "y" != ip("::1")'],
    ['{a="b"} | a=~"xx|y" | b=~"[xy]" | c!~"x.*"', '{a="b"} | a=~"xx|y" | b=~`[xy]` | c!~"x.*"'],
    ['{a="b"} | d>1500ms | d>1d | s<=1500KB | s>0.5GB', '{a="b"} | d>1.5s | d>24h0m0s | s<=1.5MB | s>500MB'],
    ['RATE({a="b"}[90m] OFFSET 1h |= "x")', 'rate({a="b"} |= "x"[1h30m] offset 1h0m0s)'],
    ['sum(rate({a="b"}[1m])) by (x, y)', 'sum by (x,y)(rate({a="b"}[1m]))'],
    ['topk(3, vector(1))', 'topk(3,vector(1.000000))'],
    ['vector(1)+on(a)group_left(b,c)vector(2)', '(vector(1.000000) + on (a) group_left (b,c) vector(2.000000))'],
    ['1 + 2 * 3 ^ 2', '19'],
    ['1e6', '1e+06'],
    ['rate({a="b"}[0])', 'rate({a="b"}[0s])'],
  ])('%s', (text, wanted) => {
    expect(formatted(text)).toBe(wanted)
  })

  test('what is longer than 100 bytes is broken, stages and arguments each on a line of their own', () => {
    const long =
      'quantile_over_time(0.9, {app="shop", env="production"} |= "a" != "b" | json | status>=500 and level="error" | unwrap duration(took) | took!="" [5m] offset 90s) by (route, method)'
    expect(formatted(`sum(${long}) / on (a, b) vector(2)`)).toBe(
      [
        '  sum(',
        '    quantile_over_time(',
        '      0.9,',
        '      {app="shop", env="production"} |= "a" != "b" | json | ( status>=500 , level="error" )',
        '        | unwrap duration(took)',
        '        | took!="" [5m] offset 1m30s',
        '    ) by (route, method)',
        '  )',
        '/ on (a, b) ',
        '  vector(2.000000)',
      ].join('\n'),
    )
  })

  test.each(['info|warn', '.*', '.+', '', 'a.*', '.*a', '(?i)a', 'foo|foobar', 'a(bb|cc)', '(aa|b)', 'x\\.y'])(
    'a regular expression made of literals stands in double quotes: %s',
    (pattern) => {
      const quoted = JSON.stringify(pattern)
      expect(formatted(`{a="b"} | c=~${quoted}`)).toBe(`{a="b"} | c=~${quoted}`)
    },
  )

  test.each(['[ab]', 'a|b', '500|503|x', 'a?', '^a$', '.*a.*b', 'a.b', '\\d', 'a.+'])(
    'another stands in back quotes: %s',
    (pattern) => {
      expect(formatted(`{a="b"} | c=~${JSON.stringify(pattern)}`)).toBe(`{a="b"} | c=~\`${pattern}\``)
    },
  )

  test.each([
    ['to the left', `vector(1)${' + vector(1)'.repeat(1000)}`],
    ['to the right', `${'vector(1) ^ '.repeat(1000)}vector(1)`],
    ['in parentheses', `${'vector(1) - ('.repeat(120)}vector(1)${')'.repeat(120)}`],
    ['between conditions', `{a="b"} | c="d"${' or c="d"'.repeat(120)}`],
  ])('the largest query is formatted: operators %s', (_, text) => {
    const once = formatted(text)
    // Indentation can make the text longer than the default limit of the parser.
    const again = parseLogqlOrThrow(once, { isFormatOnly: true, limits: { textBytes: Infinity, nesting: 256 } })
    expect(formatLogql(again)).toBe(once)
  })

  test('line filters in a row stay on one line', () => {
    const text = `{app="a"} |= "${'x'.repeat(40)}" |= "${'y'.repeat(40)}" | json`
    expect(formatted(text)).toBe(`{app="a"}\n  |= "${'x'.repeat(40)}" |= "${'y'.repeat(40)}"\n  | json`)
  })
})

describe('meaning', () => {
  test.each([
    ['by () is kept', 'min by () (rate({a="b"}[1m]))', 'min by ()(rate({a="b"}[1m]))'],
    ['on () is kept', 'vector(1) or on () vector(2)', '(vector(1.000000) or on ()  vector(2.000000))'],
    [
      'an operand in parentheses is no list of labels',
      'vector(1) / on (a) group_left () (vector(1) + 1)',
      '(vector(1.000000) / on (a) group_left () (vector(1.000000) + 1))',
    ],
    [
      'parentheses stay where broken lines would mean something else',
      `vector(1) - (sum(rate({app="${'x'.repeat(40)}"}[1m])) - sum(rate({app="${'y'.repeat(40)}"}[1m])))`,
      [
        '  vector(1.000000)',
        '-',
        '  (',
        `      sum(rate({app="${'x'.repeat(40)}"}[1m]))`,
        '    -',
        `      sum(rate({app="${'y'.repeat(40)}"}[1m]))`,
        '  )',
      ].join('\n'),
    ],
    ['a size that rounding would change is written in bytes', '{a="b"} | s>1KiB', '{a="b"} | s>1024B'],
  ])('%s', (_, text, wanted) => {
    expect(formatted(text)).toBe(wanted)
  })

  test.each([
    ['logs', logsText],
    ['metrics', metricText],
  ])('the canonical text of %s is stable and means the same', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { ast, diagnostics } = parseLogql(text, { isFormatOnly: true })
        expect(diagnostics.map(({ message }) => message)).toEqual([])
        const once = formatLogql(ast!)
        const again = parseLogqlOrThrow(once, { isFormatOnly: true })
        expect(formatLogql(again)).toBe(once)
        expect(meaningOf(again)).toEqual(meaningOf(ast!))
      }),
      { numRuns: 400 },
    )
  })
})
