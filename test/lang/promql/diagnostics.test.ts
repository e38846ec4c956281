import { describe, expect, test } from 'vitest'
import { applyFix, present, spanOf } from '../../../src/base/index.ts'
import { parsePromql, promqlDiagnostic, renderPromqlError } from '../../../src/lang/promql/index.ts'

/** `«»` marks the expected position in the query. */
interface Marked {
  readonly text: string
  readonly start: number
  readonly end: number
}

function unmark(marked: string): Marked {
  const start = marked.indexOf('«')
  const end = marked.indexOf('»') - 1
  return { text: marked.replaceAll(/[«»]/g, ''), start, end }
}

const cases: readonly (readonly [marked: string, message: string])[] = [
  // Syntax errors
  ['«»', 'no expression found in input'],
  ['rate(a[5m]«»', 'unclosed left parenthesis'],
  ['a[5m«»', 'unclosed left bracket'],
  ['a[«»', 'unexpected end of input in duration expression'],
  ['a{b="c"«»', 'unexpected end of input inside braces'],
  ['a + «"open»', 'unterminated quoted string'],
  ['«"\\q"»', `unknown escape sequence U+0071 'q'`],
  ['«"\\u12"»', `illegal character U+0022 '"' in escape sequence`],
  ['«"\\ud800"»', 'escape sequence is an invalid Unicode code point'],
  ['a «! b»', `unexpected character after '!': ' '`],
  ['a «=~ "b"»', `unexpected character after '=': '~'`],
  ['a «€»', `unexpected character: '€'`],
  ['a «=» b', 'unexpected "="'],
  ['a «b»', 'unexpected identifier "b"'],
  ['a «a:b»', 'unexpected metric identifier "a:b"'],
  ['a «"a long string"»', 'unexpected string "\\"a long st"...'],
  ['a «12»', 'unexpected number "12"'],
  ['sum by (x) «+» 1', 'unexpected <op:+> in aggregation'],
  ['sum(«*» a)', 'unexpected <op:*> in aggregation'],
  ['abs(«*» a)', 'unexpected <op:*>'],
  ['a offset «b»', 'unexpected identifier "b" in offset, expected number, duration, step(), or range()'],
  ['a offset (1m) + «b»', 'unexpected identifier "b" in offset, expected number, duration, step(), or range()'],
  ['a offset (1m) * («b»)', 'unexpected identifier "b" in offset, expected number, duration, step(), or range()'],
  ['a @ «b»', 'unexpected identifier "b" in @, expected timestamp'],
  ['a @ «step»()', 'unexpected "step" in @, expected timestamp'],
  ['a[5m:1m «2m»]', 'unexpected duration "2m" in subquery selector, expected "]"'],
  ['a[5m «5m»]', 'unexpected duration "5m" in subquery or range, expected ":" or "]"'],
  ['a{b «"c"»}', 'unexpected string "\\"c\\"" in label matching, expected label matching operator'],
  ['a{b=«c»}', 'unexpected identifier "c" in label matching, expected string'],
  ['a{"b" «c»}', 'unexpected identifier "c" in label matching, expected "," or "}"'],
  ['sum by (a «b») (c)', 'unexpected identifier "b" in grouping opts, expected "," or ")"'],
  ['sum by (a,«,») (c)', 'unexpected "," in grouping opts, expected label'],
  ['a + on «b»', 'unexpected identifier "b" in grouping opts, expected "("'],
  // Errors in numbers and durations
  ['«1e999»', 'error parsing number: strconv.ParseFloat: parsing "1e999": value out of range'],
  ['«1m1h»', 'not a valid duration string: "1m1h"'],
  ['«5y1hs»', 'unknown unit "hs" in duration "5y1hs"'],
  ['«1ys»', 'unknown unit "ys" in duration "1ys"'],
  ['foo[«5y1hs»]', 'unknown unit "hs" in duration "5y1hs"'],
  ['foo[5m:«1ds2h»]', 'unknown unit "ds" in duration "1ds2h"'],
  ['foo offset «1h2hs»', 'unknown unit "hs" in duration "1h2hs"'],
  ['foo[«1h2h3hs»]', 'not a valid duration string: "1h2h3hs"'],
  ['a[«300000y»]', 'duration out of range'],
  ['a[5m «%» 0]', 'modulo by zero'],
  ['sum by («""») (a)', 'invalid label name for grouping: ""'],
  ['a{«b=~"("»}', 'error parsing regexp: missing closing ): `(`'],
  // Errors in calls
  ['«ratee»(a[5m])', 'unknown function with name "ratee"'],
  ['«sum()»', 'no arguments for aggregate expression provided'],
  ['«quantile(a)»', 'wrong number of arguments for aggregate expression provided, expected 2, got 1'],
  ['«round(a, 1, 2)»', 'expected at most 2 argument(s) in call to "round", got 3'],
  ['«label_join(a, "b")»', 'expected at least 3 argument(s) in call to "label_join", got 2'],
  ['rate(«a»)', 'expected type range vector in call to function "rate", got instant vector'],
  ['sum(«1»)', 'expected type instant vector in aggregation expression, got scalar'],
  ['count_values(«1», a)', 'expected type string in aggregation parameter, got scalar'],
  ['info(a, «b»)', 'expected label selectors only, got vector selector instead'],
  ['info(a, «sum(b)»)', 'expected label selectors only'],
  // Errors in modifiers
  ['(a + b)«[5m]»', 'ranges only allowed for vector selectors'],
  ['«a offset 1m» offset 2m', 'offset may not be set multiple times'],
  ['«a @ 1» @ 2', '@ <timestamp> may not be set multiple times'],
  ['«a[5m:]» anchored', 'anchored modifier is not supported for subqueries'],
  ['«sum(a)» smoothed', 'smoothed modifier not implemented'],
  ['«a» smoothed anchored', 'anchored and smoothed modifiers cannot be used together'],
  // Errors in selectors and operators
  ['«{a=~".*"}»', 'vector selector must contain at least one non-empty matcher'],
  ['«a{__name__="b"}»', 'metric name must not be set twice: "a" or "b"'],
  ['«a + on (b) 1»', 'vector matching only allowed between instant vectors'],
  ['a + fill_left(1) «fill»(2) b', 'unexpected <fill>'],
  ['a + fill_right(1) «fill»(2) b', 'unexpected <fill>'],
  ['a + fill_left(1) «fill_left»(2) b', 'unexpected <fill_left>'],
  ['a + fill_right(1) «fill_right»(2) b', 'unexpected <fill_right>'],
  ['a + fill(1) «fill»(2) b', 'unexpected <fill>'],
  ['a + fill(1) «fill_left»(2) b', 'unexpected <fill_left>'],
  ['a + fill(1) «fill_right»(2) b', 'unexpected <fill_right>'],
  ['a + fill_left(1) fill_right(2) «fill»(3) b', 'unexpected <fill>'],
  ['a + FILL_LEFT(1) «FILL» (2) b', 'unexpected <FILL>'],
  ['a + on (x) fill_left(1) «fill»(2) b', 'unexpected <fill>'],
  ['«a + fill (2) 1»', 'filling in missing series only allowed between instant vectors'],
  ['«a or fill (2) b»', 'filling in missing series not allowed for set operators'],
  ['1 + «"a"»', 'binary expression must contain only scalar and instant vector types'],
]

describe('messages and places', () => {
  test.each(cases)('%s', (marked, message) => {
    const { text, start, end } = unmark(marked)
    const first = parsePromql(text).diagnostics[0]
    expect({ message: first?.message, span: spanOf(present(first?.origin)) }).toEqual({ message, span: { start, end } })
  })

  test('the start of a row of several errors is the first of them', () => {
    const { diagnostics } = parsePromql('sum(x y) + foo{a=} + bar[z]')
    expect(diagnostics.map((d) => [d.code, spanOf(d.origin)?.start])).toEqual([
      ['promql/unexpected', 6],
      ['promql/unexpected', 17],
      ['promql/bad-token', 25],
    ])
  })

  test('as the reference renders them, columns in bytes', () => {
    const text = '"é" +\n  "ü" }'
    const { diagnostics } = parsePromql(text)
    expect(renderPromqlError(present(diagnostics[0]), text)).toBe(`2:8: parse error: unexpected character: '}'`)
  })
})

describe('fixes', () => {
  test.each([
    ['a = b', 'a == b'],
    ['ratee(a[5m])', 'rate(a[5m])'],
    ['rate(a)', 'rate(a[5m])'],
    ['rate(sum(a))', 'rate(sum(a)[5m:])'],
    ['max(a,)', 'max(a)'],
    ['abs((a)', 'abs((a))'],
    ['a{b="c"', 'a{b="c"}'],
    ['sum(a)[5m]', 'sum(a)[5m:]'],
    ['a{b="c" d="e"}', 'a{b="c" , d="e"}'],
    ['1 > 2', '1 > bool 2'],
    ['a{b=="c"}', undefined],
  ])('%s', (text, fixed) => {
    const fix = present(parsePromql(text).diagnostics[0]).fixes[0]
    expect(fix && applyFix(text, fix)).toBe(fixed)
    if (fixed !== undefined) expect(parsePromql(fixed).diagnostics).toEqual([])
  })
})

test('every code can be made, and says something', () => {
  expect(promqlDiagnostic.codes.length).toBeGreaterThan(50)
  for (const code of ['no-expression', 'trailing-comma', 'empty-selector'] as const) {
    const diagnostic = promqlDiagnostic(code, undefined, { start: 0, end: 1 })
    expect(diagnostic.message).not.toBe('')
    expect(diagnostic.code).toBe(`promql/${code}`)
  }
})
