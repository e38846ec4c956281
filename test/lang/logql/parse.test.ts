import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isError, spanOf, SluiceError, applyFix } from '../../../src/base/index.ts'
import { parseLogql, parseLogqlOrThrow, renderLogqlError, type LabelCondition } from '../../../src/lang/logql/index.ts'
import { anyQueryText } from './arbitrary.ts'

function refusal(text: string): string {
  const [first] = parseLogql(text).diagnostics
  return first === undefined ? 'accepted' : renderLogqlError(first, text)
}

/** Formats the syntax tree of a condition, with label names in place of comparisons. */
function shapeOf(condition: LabelCondition): string {
  if ('label' in condition) return condition.label
  return `(${shapeOf(condition.lhs)} ${condition.kind} ${shapeOf(condition.rhs)})`
}

describe('tree', () => {
  test('a log query has matchers, stages and their spans', () => {
    const text = '{app="a", env!~`b.*`} |= "x" or ip("::1") | logfmt --strict a, b="k"'
    expect(parseLogqlOrThrow(text)).toEqual({
      kind: 'log-query',
      matchers: [
        { label: 'app', op: '=', value: 'a' },
        { label: 'env', op: '!~', value: 'b.*' },
      ],
      stages: [
        {
          kind: 'line-filter',
          op: '|=',
          alternatives: [
            { kind: 'text', value: 'x' },
            { kind: 'ip', value: '::1' },
          ],
          span: { start: 22, end: 41 },
        },
        {
          kind: 'logfmt',
          isStrict: true,
          keepsEmpty: false,
          extractions: [
            { label: 'a', path: 'a', span: { start: 60, end: 61 } },
            { label: 'b', path: 'k', span: { start: 63, end: 68 } },
          ],
          span: { start: 44, end: 68 },
        },
      ],
      span: { start: 0, end: 68 },
    })
  })

  test.each([
    ['a="1" and b="1" or c="1"', '((a and b) or c)'],
    ['a="1" or b="1" and c="1"', '(a or (b and c))'],
    ['a="1" and b="1" and c="1"', '((a and b) and c)'],
    ['a="1", b="1" or c="1"', '(a and (b or c))'],
    ['a="1" or b="1", c="1"', '(a or (b and c))'],
    ['a="1" b="1" or c="1"', '(a and (b or c))'],
    ['(a="1" or b="1") and c="1"', '((a or b) and c)'],
  ])('the condition %s', (text, shape) => {
    const ast = parseLogqlOrThrow(`{x="y"} | ${text}`)
    const stage = ast.kind === 'log-query' ? ast.stages[0] : undefined
    expect(stage?.kind === 'label-filter' && shapeOf(stage.condition)).toBe(shape)
  })

  test.each([
    ['a=5', 'number', '==', 5],
    ['a>-1.5', 'number', '>', -1.5],
    ['a==1_000', 'number', '==', 1000],
    ['a<1h30m', 'duration', '<', 5.4e12],
    ['a>=-1.5ms', 'duration', '>=', -1.5e6],
    ['a!=1d', 'duration', '!=', 8.64e13],
    ['a>1.5KiB', 'bytes', '>', 1536],
    ['a>1k', 'bytes', '>', 1000],
    ['a<=2MB', 'bytes', '<=', 2e6],
  ])('the quantity %s', (text, kind, op, value) => {
    const ast = parseLogqlOrThrow(`{x="y"} | ${text}`)
    expect(ast).toMatchObject({ stages: [{ condition: { kind, label: 'a', op, value } }] })
  })

  const filtered = { matchers: [{ label: 'a' }], stages: [{ kind: 'line-filter' }] }
  test.each([
    '({a="b"} |= "x" [5m] offset 1s)',
    '({a="b"}[5m] offset 1s |= "x")',
    '(({a="b"} |= "x") [5m] offset 1s)',
    '(({a="b"} |= "x" [5m] offset 1s))',
  ])('the range stands anywhere: rate%s', (argument) => {
    const ast = parseLogqlOrThrow(`rate${argument}`)
    expect(ast).toMatchObject({ fn: 'rate', rangeMs: 300_000, offsetNs: 1_000_000_000n, logs: filtered })
  })

  test('unwrap with its conversion and conditions is apart from the stages', () => {
    const ast = parseLogqlOrThrow('Quantile_Over_Time(.5, {a="b"} | json | unwrap Bytes(x) | y>1 [1m]) by (z)')
    expect(ast).toMatchObject({
      fn: 'quantile_over_time',
      param: 0.5,
      logs: { stages: [{ kind: 'json' }] },
      unwrap: { label: 'x', conversion: 'bytes', filters: [{ kind: 'label-filter' }] },
      grouping: { labels: ['z'], isWithout: false },
    })
  })

  test.each([
    ['1 + 2 * 3', 7],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', 4],
    ['1 - -1', 2],
    ['1 > bool 2', 0],
    ['1 / 0', Number.NaN],
    ['0x1p4', 16],
  ])('numbers are folded: %s', (text, value) => {
    expect(parseLogqlOrThrow(text)).toMatchObject({ kind: 'number', value })
  })

  test.each([
    '{rate="x", sum="y", ip="z"} | bytes=1 | vector="x"',
    'SUM BY (avg) (rate({a="b"}[1m]))',
    '{a="b"}//c\n|="d"/* e */#f',
  ])('words are keywords only where they are called: %s', (text) => {
    expect(refusal(text)).toBe('accepted')
  })
})

describe('errors', () => {
  test.each([
    ['', 'parse error : syntax error: unexpected $end'],
    ['\n ', 'parse error at line 2, col 2: syntax error: unexpected $end'],
    ['{é="ü",}', 'parse error at line 1, col 8: syntax error: unexpected }, expecting IDENTIFIER'],
    ['{a="b"} | json | unwrap x', 'parse error at line 1, col 18: syntax error: unexpected unwrap'],
    ['{a="b"}\n!= ', 'parse error at line 2, col 4: syntax error: unexpected $end, expecting STRING or ip'],
    ['rate({a="b"}[5m]', 'parse error at line 1, col 17: syntax error: unexpected $end, expecting )'],
    ['rate({a="b"}[5m:1m])', 'parse error at line 0, col 13: unknown unit "m:" in duration "5m:1m"'],
    ['sum by (a.b) (vector(1))', 'parse error at line 1, col 10: syntax error: unexpected ., expecting , or )'],
    [
      'vector(1) + on (a) group_left (vector(2))',
      'parse error at line 1, col 32: syntax error: unexpected VECTOR, expecting IDENTIFIER or )',
    ],
    ['{a=~"["}', 'parse error : error parsing regexp: missing closing ]: `[`'],
    [
      '{a="b"} | json x="a[1"',
      `parse error : stage '| json x="a[1"' : cannot parse expression [a[1]: syntax error: unexpected $end, expecting STRING or INDEX`,
    ],
    [
      '{a="b"} | json x="a..b"',
      `parse error : stage '| json x="a..b"' : cannot parse expression [a..b]: syntax error: unexpected DOT, expecting FIELD`,
    ],
    [
      '{a="b"} | json x="a-b"',
      `parse error : stage '| json x="a-b"' : cannot parse expression [a-b]: unexpected char -`,
    ],
    ['{a="b"} | regexp "(?P<x>a)(?P<x>b)"', "parse error : invalid regexp parser: duplicate extracted label name 'x'"],
    [
      '{a="b"} | pattern "<x> <x>"',
      'parse error : invalid pattern parser: duplicate capture name (x): invalid expression',
    ],
    [
      '{a="b"} |> "<_><_>"',
      `parse error : stage '|> "<_><_>"' : found consecutive capture '<_><_>': invalid expression`,
    ],
    ['{a="b"} | x=ip("300.0.0.1")', `parse error : stage '| x=ip("300.0.0.1")' : ip: invalid pattern: "300.0.0.1"`],
    ['{a!="b"}', /^parse error : queries require at least one/],
    ['rate({a=~".*"}[1m]) + 1', /^parse error : queries require at least one/],
    ['max(1)', /^parse error : queries require at least one/],
    ['topk(1.5, vector(1))', 'parse error : invalid parameter topk(1.5,'],
    ['max(2, vector(1))', 'parse error : unsupported parameter for operation max(2,'],
    ['sort_desc(vector(1)) by (a)', "parse error : sort and sort_desc doesn't allow grouping by "],
    ['max_over_time({a="b"}[1m])', 'parse error : invalid aggregation max_over_time without unwrap'],
    ['{a="b"} > 1', 'parse error : unexpected type for left leg of binary operation (>): *syntax.MatchersExpr'],
    ['vector(1) or 2', 'parse error : unexpected literal for right leg of logical/set binary operation (or): 2.000000'],
    ['1e', 'parse error at line 1, col 1: exponent has no digits'],
    ['08', "parse error at line 1, col 1: invalid digit '8' in octal literal"],
    ['0B', 'parse error at line 1, col 1: binary literal has no digits'],
    ['1__0', "parse error at line 1, col 1: '_' must separate successive digits"],
    [
      '1e400',
      'parse error : unable to parse literal as a float: strconv.ParseFloat: parsing "1e400": value out of range',
    ],
    [
      '{a="b"} | x>1e',
      'parse error : unable to parse literal as a float: strconv.ParseFloat: parsing "1e": invalid syntax',
    ],
    ['{a="b"} | x>08', "parse error at line 1, col 13: invalid digit '8' in octal literal"],
    [
      'quantile_over_time(0x1, {a="b"} | unwrap c [1m])',
      'parse error : invalid parameter for operation quantile_over_time: strconv.ParseFloat: parsing "0x1": invalid syntax',
    ],
    ['topk(0x1, vector(1))', 'parse error : invalid parameter topk(0x1,'],
    ['{a="\\400"}', 'parse error at line 1, col 4: invalid syntax'],
    ['{a="\\q"}', 'parse error at line 1, col 4: invalid char escape'],
    ['{a="b} | x', 'parse error at line 1, col 4: literal not terminated'],
    ["{a=''}", 'parse error at line 1, col 4: invalid char literal'],
    ['{a="b"} /* x', 'parse error at line 1, col 9: comment not terminated'],
    ['rate({a="b"}[30s1m])', 'parse error at line 0, col 13: not a valid duration string: "30s1m"'],
    ['rate({a="b"}[5m', "parse error at line 0, col 13: missing closing ']' in duration"],
    [
      '{a="b"} |= "x" | json |~ "(" |~ "["',
      `parse error : stage '|= "x" |~ "(" |~ "["' : error parsing regexp: missing closing ]: \`[\``,
    ],
    [
      '{a="b"} | label_format x="{{", x=y',
      `parse error : stage '| label_format x="{{",x=y' : multiple label name 'x' not allowed in a single format operation`,
    ],
    [
      '{a="b"} | label_format x="{{"',
      `parse error : stage '| label_format x="{{"' : invalid template for label 'x': template: label:1: unclosed action`,
    ],
    ['0b1', 'parse error : unable to parse literal as a float: strconv.ParseFloat: parsing "0b1": invalid syntax'],
  ])('%s', (text, wanted) => {
    if (typeof wanted === 'string') expect(refusal(text)).toBe(wanted)
    else expect(refusal(text)).toMatch(wanted)
  })

  test('what the text cannot say is an error only where the query is run', () => {
    for (const text of ['{a="b"} |~ "("', '{a="b"} | json x=""', 'sort(1)']) {
      expect(parseLogql(text).diagnostics.some(isError)).toBe(true)
      expect(parseLogql(text, { isFormatOnly: true }).diagnostics).toEqual([])
    }
  })

  test('several errors are found, each at its place', () => {
    const { diagnostics } = parseLogql('{a=, b="c"} | json 1 | logfmt | x>')
    expect(diagnostics.map(({ origin }) => spanOf(origin)?.start)).toEqual([3, 19])
  })

  test.each([
    ['{a==`b`}', '{a=`b`}'],
    ['{a=b}', '{a="b"}'],
    ['{a="b"} | json | c=d', '{a="b"} | json | c="d"'],
    ['{a="b"', '{a="b"}'],
    ['sum(rate({a="b"}[5m])', 'sum(rate({a="b"}[5m]))'],
    [`{a='b'}`, '{a="b"}'],
    [`{a='bc'}`, '{a="bc"}'],
    ['count_ovr_time({a="b"}[1m])', 'count_over_time({a="b"}[1m])'],
  ])('%s has a fix', (text, fixed) => {
    const fix = parseLogql(text).diagnostics[0]?.fixes[0]
    expect(fix && applyFix(text, fix)).toBe(fixed)
  })

  test.each([
    ['nesting', `${'('.repeat(200)}1${')'.repeat(200)}`, 'logql/too-deep'],
    ['operators', `1${' + 1'.repeat(1001)}`, 'logql/too-many-operators'],
    ['conditions', `{a="b"} | a="b"${' or a="b"'.repeat(1001)}`, 'logql/too-many-operators'],
    ['length', `{a="${'b'.repeat(70_000)}"}`, 'logql/too-long'],
  ])('a text beyond the limit of %s is refused', (_, text, code) => {
    expect(parseLogql(text).diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code])
  })

  test('any text is read or refused, with places inside of it', () => {
    fc.assert(
      fc.property(anyQueryText, (text) => {
        const { ast, diagnostics } = parseLogql(text)
        expect(ast === undefined).toBe(diagnostics.length > 0)
        for (const diagnostic of diagnostics) {
          expect(renderLogqlError(diagnostic, text)).toMatch(/^parse error/)
          const { start, end } = spanOf(diagnostic.origin) ?? { start: 0, end: 0 }
          expect(start >= 0 && start <= end && end <= text.length).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('parseLogqlOrThrow throws the diagnostics', () => {
    expect(() => parseLogqlOrThrow('{')).toThrow(SluiceError)
  })
})
