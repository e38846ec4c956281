import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  lowerPromql,
  parsePromql,
  parsePromqlOrThrow,
  prettyPromql,
  printPromql,
  PROMQL_LIMITS,
  STABLE_FEATURES,
  type PromqlExpr,
  type PromqlOptions,
} from '../../../src/lang/promql/index.ts'
import { PromqlParser } from '../../../src/lang/promql/parser/parser.ts'
import { evaluateFormula, type SeriesSelect } from '../../../src/plan/series/index.ts'
import { withoutSpans } from './arbitrary.ts'

/** Formats an expression with full parentheses, which shows the precedence of operators. */
function shape(expr: PromqlExpr): string {
  switch (expr.kind) {
    case 'number':
      return String(expr.value)
    case 'vector-selector':
      return expr.name
    case 'binary':
      return `(${shape(expr.lhs)} ${expr.op} ${shape(expr.rhs)})`
    case 'unary':
      return `${expr.op}(${shape(expr.expr)})`
    case 'paren':
      return `[${shape(expr.expr)}]`
    default:
      return expr.kind
  }
}

function codes(text: string, options?: PromqlOptions): readonly string[] {
  return parsePromql(text, options).diagnostics.map((diagnostic) => diagnostic.code)
}

test('the grammar has no ambiguities and no left recursion', () => {
  expect(() => new PromqlParser(false)).not.toThrow()
})

describe('precedence', () => {
  test.each([
    ['a + b * c', '(a + (b * c))'],
    ['a * b + c', '((a * b) + c)'],
    ['a ^ b ^ c', '(a ^ (b ^ c))'],
    ['a - b - c', '((a - b) - c)'],
    ['-a ^ b', '-((a ^ b))'],
    ['-a * b', '(-(a) * b)'],
    ['a ^ -b * c', '((a ^ -(b)) * c)'],
    ['a ^ -b ^ c', '(a ^ -((b ^ c)))'],
    ['a or b and c unless d', '(a or ((b and c) unless d))'],
    ['a == b + c', '(a == (b + c))'],
    ['a < b == c', '((a < b) == c)'],
    ['a atan2 b * c', '((a atan2 b) * c)'],
    ['- -1', '1'],
    ['-(1)', '-([1])'],
    ['a </ b + c', '(a </ (b + c))'],
  ])('%s', (text, wanted) => {
    expect(shape(parsePromqlOrThrow(text))).toBe(wanted)
  })
})

describe('selectors and modifiers', () => {
  test('a name before the braces comes last among the matchers', () => {
    expect(parsePromqlOrThrow('up{job="a",}')).toMatchObject({
      kind: 'vector-selector',
      name: 'up',
      matchers: [
        { label: 'job', op: '=', value: 'a' },
        { label: '__name__', op: '=', value: 'up' },
      ],
      span: { start: 0, end: 12 },
    })
  })

  test('a quoted name stands among the matchers', () => {
    expect(parsePromqlOrThrow(`{'a.b', "c d"=~"x"}`)).toMatchObject({
      name: '',
      matchers: [
        { label: '__name__', value: 'a.b' },
        { label: 'c d', op: '=~' },
      ],
    })
  })

  test('offset and @ in either order', () => {
    const wanted = { offsetMs: 60_000, at: { kind: 'time', timeMs: 1500 } }
    expect(parsePromqlOrThrow('a offset 1m @ 1.5')).toMatchObject(wanted)
    expect(parsePromqlOrThrow('a @ 1.5 offset 1m')).toMatchObject(wanted)
    expect(parsePromqlOrThrow('a[5m] @ end() offset -90s')).toMatchObject({
      kind: 'matrix-selector',
      rangeMs: 300_000,
      selector: { offsetMs: -90_000, at: { kind: 'end' } },
    })
  })

  test('an unparenthesised offset ends at its first operand', () => {
    expect(parsePromqlOrThrow('a offset 5s - 8')).toMatchObject({ kind: 'binary', lhs: { offsetMs: 5000 } })
    expect(parsePromqlOrThrow('a offset -step() * 2')).toMatchObject({ kind: 'binary', op: '*' })
    expect(parsePromqlOrThrow('a offset -(5s) + 8')).toMatchObject({ kind: 'binary', op: '+' })
    expect(parsePromqlOrThrow('a offset +(5s) ^ 8')).toMatchObject({ kind: 'binary', op: '^' })
    expect(parsePromqlOrThrow('a offset max_of(5s, 1s) + 8')).toMatchObject({ kind: 'binary', op: '+' })
    expect(parsePromqlOrThrow('a offset (5s - 8)')).toMatchObject({
      kind: 'vector-selector',
      offsetExpr: { kind: 'duration-binary', op: '-', isWrapped: true },
    })
  })

  test.each([
    ['a offset (1m) + 1', 'a offset (1m) + 1', 61],
    ['a offset (1m) * 2', 'a offset (1m) * 2', 120],
    ['a offset (1m) - 30s', 'a offset (1m) - 30s', 30],
    ['a offset (2) ^ 3', 'a offset (2) ^ 3', 8],
    ['a offset (1m) + 1 * 2', 'a offset (1m) + 1 * 2', 62],
    ['a offset (1m) + -(5s)', 'a offset (1m) + -(5s)', 55],
    ['a offset (1m) % 7 @ 5', 'a @ 5.000 offset (1m) % 7', 4],
    ['a offset ((1m) + 1)', 'a offset ((1m) + 1)', 61],
    ['a[5m] offset (1m) + 1', 'a[5m] offset (1m) + 1', 61],
    ['a[5m:] offset (1m) + 1', 'a[5m:] offset (1m) + 1', 61],
  ])('an offset that opens with a parenthesis is a whole expression: %s', (text, printed, seconds) => {
    const expr = parsePromqlOrThrow(text)
    expect(expr.kind).not.toBe('binary')
    expect(printPromql(expr)).toBe(printed)
    expect(withoutSpans(parsePromqlOrThrow(printed))).toEqual(withoutSpans(expr))
    const plan = lowerPromql(expr)
    const { shift } = plan.kind === 'series-range' ? plan.select : (plan as SeriesSelect)
    const { offset } = shift
    if (offset.kind !== 'computed') throw new Error('a fixed offset')
    expect(evaluateFormula(offset.formula, { stepSeconds: 0, rangeSeconds: 0 }, () => expect.fail())).toBe(seconds)
  })

  test.each([
    ['a offset (1m) == 1', '=='],
    ['a offset (1m) and b', 'and'],
    ['a offset (1m) atan2 b', 'atan2'],
    ['a offset (1m) + 1 > 2', '>'],
    ['(a offset (1m)) + b', '+'],
    ['a offset (1m) @ 5 + b', '+'],
    ['-a offset (1m) @ 5 * b', '*'],
    ['a offset (1m) + 1 @ 5 - b', '-'],
  ])('what is no operator of durations, or stands apart, ends it: %s', (text, op) => {
    const expr = parsePromqlOrThrow(text)
    expect(expr).toMatchObject({ kind: 'binary', op })
    // The offset must end at the same position in the printed text.
    for (const printed of [printPromql(expr), prettyPromql(expr, 4)]) {
      const again = parsePromqlOrThrow(printed)
      expect(again).toMatchObject({ kind: 'binary', op })
      expect(printPromql(again)).toBe(printPromql(expr))
    }
  })

  test('subqueries, with and without a step', () => {
    expect(parsePromqlOrThrow('rate(a[5m])[1h:]')).toMatchObject({ kind: 'subquery', rangeMs: 3_600_000, stepMs: 0 })
    expect(parsePromqlOrThrow('a[step():min_of(1m, 5s)]')).toMatchObject({
      rangeExpr: { kind: 'duration-call', name: 'step' },
      stepExpr: { kind: 'duration-call', name: 'min_of' },
    })
  })

  test('anchored and smoothed', () => {
    expect(parsePromqlOrThrow('a[5m] anchored offset 1m')).toMatchObject({ selector: { extension: 'anchored' } })
    expect(parsePromqlOrThrow('a smoothed')).toMatchObject({ extension: 'smoothed' })
    expect(parsePromqlOrThrow('smoothed{a="b"}')).toMatchObject({ name: 'smoothed' })
  })

  test('keywords as names', () => {
    for (const name of ['by', 'without', 'offset', 'and', 'or', 'sum', 'start', 'fill', 'max_of', 'GROUP']) {
      expect(parsePromqlOrThrow(name)).toMatchObject({ kind: 'vector-selector', name })
    }
    expect(parsePromqlOrThrow('sum by (by, on, bool, group_left) (offset)')).toMatchObject({
      grouping: ['by', 'on', 'bool', 'group_left'],
    })
    expect(parsePromqlOrThrow('fill + fill(1) fill')).toMatchObject({ matching: { fillLeft: 1, fillRight: 1 } })
  })

  test.each([
    ['fill_left (1)', 1, undefined],
    ['fill_right (2)', undefined, 2],
    ['fill_left (1) fill_right (2)', 1, 2],
    ['FILL_RIGHT(2) Fill_Left(1)', 1, 2],
    ['fill (3)', 3, 3],
  ])('fills of either side: %s', (fills, fillLeft, fillRight) => {
    expect(parsePromqlOrThrow(`a + ${fills} b`)).toMatchObject({ matching: { fillLeft, fillRight } })
  })

  test('a fill word without parentheses behind a fill is a metric', () => {
    expect(parsePromqlOrThrow('a + fill_left(1) fill')).toMatchObject({
      matching: { fillLeft: 1 },
      rhs: { name: 'fill' },
    })
    expect(parsePromqlOrThrow('a + fill(1) fill_left{x="y"}')).toMatchObject({ rhs: { name: 'fill_left' } })
  })

  test('matching, with everything at once', () => {
    const text = 'a == bool on (x, "y z",) group_left (c) fill_left (-1) fill_right (2) b'
    expect(parsePromqlOrThrow(text)).toMatchObject({
      isBool: true,
      matching: {
        cardinality: 'many-to-one',
        isOn: true,
        labels: ['x', 'y z'],
        include: ['c'],
        fillLeft: -1,
        fillRight: 2,
      },
    })
    expect(parsePromqlOrThrow('a and b')).toMatchObject({ matching: { cardinality: 'many-to-many' } })
    expect(parsePromqlOrThrow('a + 1')).toMatchObject({ matching: undefined })
  })

  test('comments and blanks', () => {
    expect(parsePromqlOrThrow('# what is up\n\tsum # all\r\n ( up )')).toMatchObject({ kind: 'aggregation' })
  })
})

describe('flags', () => {
  test.each([
    ['limitk(2, a)', 'promql/aggregation-off', { experimentalFunctions: false }],
    ['info(a)', 'promql/function-off', { experimentalFunctions: false }],
    ['a[5m * 2]', 'promql/duration-off', { durationExpressions: false }],
    ['a[5m] anchored', 'promql/extension-off', { extendedRangeSelectors: false }],
    ['a + fill(0) b', 'promql/fill-off', { fillModifiers: false }],
  ])('%s', (text, code, features) => {
    expect(codes(text)).toEqual([])
    expect(codes(text, { features })).toEqual([code])
    expect(codes(text, { features: STABLE_FEATURES })).toEqual([code])
  })
})

describe('limits', () => {
  test('the text', () => {
    const long = `a${' '.repeat(PROMQL_LIMITS.textBytes)}`
    expect(codes(long)).toEqual(['promql/too-long'])
    expect(codes(long, { limits: { textBytes: Infinity } })).toEqual([])
    expect(codes('é'.repeat(40_000))).toEqual(['promql/too-long'])
  })

  test('nesting', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`
    expect(codes(nested(PROMQL_LIMITS.nesting))).toEqual([])
    expect(codes(nested(PROMQL_LIMITS.nesting + 1))).toEqual(['promql/too-deep'])
    expect(codes(nested(30_000))).toEqual(['promql/too-deep'])
    expect(codes(`a[${'('.repeat(30_000)}`)).toEqual(['promql/too-deep'])
    expect(codes('abs('.repeat(16_000))).toEqual(['promql/too-deep'])
    expect(codes('sum('.repeat(16_000))).toEqual(['promql/too-deep'])
  })

  test('height: rows of operators, signs, subqueries', () => {
    const row = (length: number): string => Array.from({ length }, () => 'a').join(' + ')
    expect(codes(row(500))).toEqual([])
    expect(codes(row(10_000))).toEqual(['promql/too-tall'])
    expect(codes(`${'-'.repeat(60_000)}a`)).toEqual(['promql/too-tall'])
    expect(codes(`a${'[1m:]'.repeat(10_000)}`)[0]).toBe('promql/subquery-type')
    expect(codes(row(5000), { limits: { height: Infinity } })).toEqual([])
  })

  test('a stack that is too small is a finding, not a crash', () => {
    const text = `${'('.repeat(20_000)}a${')'.repeat(20_000)}`
    const { ast, diagnostics } = parsePromql(text, { limits: { nesting: Infinity } })
    expect(ast).toBeUndefined()
    expect(diagnostics.map((d) => d.code)).toEqual(['promql/too-deep'])
    expect(parsePromqlOrThrow('a')).toMatchObject({ name: 'a' })
  })
})

const SYMBOLS = '( ) { } [ ] , : @ + - ^ == =~ = ! . \' " ` # \\ {{ }}'
const WORDS = 'sum by offset a "x" 5m 1e 0x bool on group_left start fill and step max_of rate topk NaN ü smoothed'
const PIECES = [...SYMBOLS.split(' '), ...WORDS.split(' '), '\n', '\ud800', ' ']

describe('never throws', () => {
  const mustHold = (text: string): void => {
    const { ast, diagnostics } = parsePromql(text)
    expect(ast === undefined).toBe(diagnostics.some((d) => d.severity === 'error'))
    for (const { origin } of diagnostics) {
      if (origin.kind !== 'text') continue
      expect(origin.span.start).toBeGreaterThanOrEqual(0)
      expect(origin.span.end).toBeLessThanOrEqual(text.length)
      expect(origin.span.start).toBeLessThanOrEqual(origin.span.end)
    }
  }

  test('on rows of tokens', () => {
    const rows = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(' '))
    fc.assert(fc.property(rows, mustHold), { seed: 3, numRuns: 1500 })
  })

  test('on any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), mustHold), { seed: 4, numRuns: 500 })
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...PIECES) }), mustHold), { seed: 5, numRuns: 1000 })
  })

  test('on mutated queries', () => {
    const query =
      'sum by (job, le) (rate(http_requests_total{job=~"a.*",le!="1"}[5m] offset 1h @ start())) > bool on (a) b'
    const mutated = fc
      .tuple(fc.nat(query.length), fc.nat(6), fc.constantFrom('', ...PIECES))
      .map(([at, length, piece]) => query.slice(0, at) + piece + query.slice(at + length))
    fc.assert(fc.property(mutated, mustHold), { seed: 6, numRuns: 1500 })
  })

  test('on long broken texts', () => {
    for (const piece of ['(', ')', 'a b ', '{a ', 'a[', 'sum(', '"', '@ ', ', ', 'a{b="c" ', 'a + ', '[1m:] ', '{}-']) {
      mustHold(piece.repeat(Math.floor(60_000 / piece.length)))
    }
  })
})

test('a long row is read to its end', () => {
  const text = Array.from({ length: 6000 }, (_, i) => `a${i}`).join('+')
  const ast = parsePromqlOrThrow(text, { limits: { height: Infinity } })
  expect(ast.span).toEqual({ start: 0, end: text.length })
})

test('the throwing form carries the diagnostics', () => {
  expect(() => parsePromqlOrThrow('rate(')).toThrow('unclosed left parenthesis')
})
