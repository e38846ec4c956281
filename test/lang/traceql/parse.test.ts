import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyFix, SluiceError, spanOf } from '../../../src/base/index.ts'
import {
  parseTraceql,
  parseTraceqlOrThrow,
  printTraceql,
  renderTraceqlError,
  type FieldExpr,
} from '../../../src/lang/traceql/index.ts'
import { anyQueryText } from './arbitrary.ts'

function conditionOf(text: string): FieldExpr {
  const query = parseTraceqlOrThrow(`{ ${text} }`)
  if (query.kind !== 'trace-query' || query.spans.kind !== 'filter') throw new Error('no filter')
  return query.spans.condition!
}

function first(text: string) {
  return parseTraceql(text).diagnostics[0]!
}

describe('tree', () => {
  test('a search has its filter, its stages, its hints and their places', () => {
    const text = '{ span.a = 5 } | avg(duration) >= 1.5s with (most_recent=true)'
    expect(parseTraceqlOrThrow(text)).toEqual({
      kind: 'trace-query',
      spans: {
        kind: 'pipeline',
        input: {
          kind: 'filter',
          condition: {
            kind: 'binary',
            op: '=',
            lhs: { kind: 'attribute', scope: 'span', name: 'a', span: { start: 2, end: 8 } },
            rhs: { kind: 'literal', literal: { type: 'int', value: 5n }, span: { start: 11, end: 12 } },
            span: { start: 2, end: 12 },
          },
          span: { start: 0, end: 14 },
        },
        stages: [
          {
            kind: 'aggregate',
            aggregate: 'avg',
            argument: { kind: 'intrinsic', name: 'duration', span: { start: 21, end: 29 } },
            op: '>=',
            value: {
              kind: 'literal',
              literal: { type: 'duration', value: 1_500_000_000n },
              span: { start: 34, end: 38 },
            },
            span: { start: 17, end: 38 },
          },
        ],
        span: { start: 0, end: 38 },
      },
      hints: [
        {
          name: 'most_recent',
          value: { kind: 'literal', literal: { type: 'bool', value: true }, span: { start: 57, end: 61 } },
          span: { start: 45, end: 61 },
        },
      ],
      span: { start: 0, end: 62 },
    })
  })

  test('a metrics query has its function, its groupings and its stages', () => {
    const text = '{} | quantile_over_time(duration, .5, 1) by (span.a, parent.b) > 1m | topk(3)'
    expect(parseTraceqlOrThrow(text)).toMatchObject({
      kind: 'metrics-query',
      metric: {
        kind: 'metric',
        fn: { name: 'quantile_over_time', field: { name: 'duration' }, quantiles: [0.5, 1] },
        by: [
          { field: { scope: 'span', name: 'a' }, label: 'span.a' },
          { field: { scope: 'none', name: 'b' }, label: 'parent.b' },
        ],
        stages: [
          { kind: 'compare', op: '>', value: 60 },
          { kind: 'topk', limit: 3 },
        ],
      },
    })
  })

  test.each([
    ['.a && .b || .c && .d', '((.a && .b) || .c) && .d'],
    ['.a > 3 = true && .b', '((.a > 3) = true) && .b'],
    ['.a + .b * .c - .d = 0', '((.a + (.b * .c)) - .d) = 0'],
    ['.a ^ .b ^ .c = 0', '(.a ^ (.b ^ .c)) = 0'],
    ['-.a ^ 2 = 0', '(-(.a ^ 2)) = 0'],
    ['-.a * .b = 0', '(-(.a * .b)) = 0'],
    ['-.a + .b = 0', '((-.a) + .b) = 0'],
    ['!.a = .b', '(!.a) = .b'],
    ['!.a && .b', '(!.a) && .b'],
    ['.a * -.b + .c = 0', '((.a * (-.b)) + .c) = 0'],
    ['2 ^ 3 = .a', '8.0 = .a'],
    ['7 / 2 * -1 = .a', '-3 = .a'],
    ['1 / 0 = .a', '(1 / 0) = .a'],
    ['maxInt + 1 = .a', 'minInt = .a'],
    ['nil != .a', '.a != nil'],
  ])('the condition %s', (text, shape) => {
    expect(printTraceql(conditionOf(text))).toBe(shape)
  })

  test.each([
    ['.a-b/c', 'none', 'a-b/c'],
    ['.span.x', 'none', 'span.x'],
    ['resource."a \\"b\\" {}".c', 'resource', 'a "b" {}.c'],
    ['event.größe', 'event', 'größe'],
    ['link.5x', 'link', '5x'],
    ['."."', 'none', '.'],
  ])('the attribute %s', (text, scope, name) => {
    expect(conditionOf(`${text} = 1`)).toMatchObject({ lhs: { kind: 'attribute', scope, name } })
  })

  test.each([
    ['trace:duration', 'traceDuration'],
    ['trace:rootService', 'rootServiceName'],
    ['trace: id', 'trace:id'],
    ['span:name', 'name'],
    ['span:parentID', 'span:parentID'],
    ['event:timeSinceStart', 'event:timeSinceStart'],
    ['instrumentation:version', 'instrumentation:version'],
  ])('the field %s', (text, name) => {
    expect(conditionOf(`${text} != nil`)).toMatchObject({ lhs: { kind: 'intrinsic', name } })
  })

  test.each([
    ['5ms', 5_000_000n],
    ['1s500ms', 1_500_000_000n],
    ['1d', 86_400_000_000_000n],
    ['2w1d', 1_296_000_000_000_000n],
    ['1.5µs', 1500n],
    ['20y1ms', 630_720_000_001_000_000n],
    ['0.9999999999999999999s', 999_999_999n],
  ])('the duration %s', (text, value) => {
    expect(conditionOf(`duration > ${text}`)).toMatchObject({ rhs: { literal: { type: 'duration', value } } })
  })

  test('an empty text finds all spans; one of blanks is no query', () => {
    expect(printTraceql(parseTraceqlOrThrow(''))).toBe('{}')
    expect(parseTraceql(' ').ast).toBeUndefined()
  })
})

describe('errors', () => {
  test.each([
    ['{ .a = }', 'unexpected', 7, 'unexpected }'],
    ['{ .a = 1', 'unexpected', 8, 'unexpected $end'],
    ['{} | rate() by name', 'unexpected', 15, 'unexpected name, expecting ('],
    ['{ trace:nope = 1 }', 'unexpected', 8, 'expecting duration or rootName or rootService or id'],
    ['({} foo)', 'unexpected', 4, 'unexpected IDENTIFIER, expecting ) or |'],
    ['{} && ({} | count() > 0)', 'unexpected', 10, 'unexpected |'],
    ['({} | count() > 0) && {}', 'unexpected', 22, 'unexpected {, expecting ('],
    ['({} | rate()) && {}', 'unexpected', 14, 'line 0, col 15: syntax error: unexpected &&, expecting with'],
    ['{} | quantile_over_time(.a, )', 'unexpected', 28, 'expecting INTEGER or FLOAT'],
    ['{ version = 1 }', 'unexpected', 2, 'unexpected version'],
    ['{}\n  .a', 'unexpected', 5, 'line 2, col 3: syntax error: unexpected ., expecting with'],
    ['{} span.a', 'unexpected', 3, 'line 0, col 4: syntax error: unexpected span., expecting with'],
    ['{ foo = 1 }', 'unknown-name', 2, 'unknown identifier: foo'],
    ['{ .a = "x }', 'bad-token', 7, 'literal not terminated'],
    ['{ .a = "\\q" }', 'bad-token', 7, 'invalid char escape'],
    ['{ .a = "\ufffd" }', 'bad-token', 7, 'invalid UTF-8 encoding'],
    ['{ .a = 9223372036854775808 }', 'bad-token', 7, 'strconv.Atoi: parsing "9223372036854775808": value out of range'],
    ['{ .a = 1e999 }', 'bad-token', 7, 'strconv.ParseFloat: parsing "1e999": value out of range'],
    ['{} /* x', 'bad-token', 3, 'comment not terminated'],
    ['{ span. = 1 }', 'bad-token', 2, 'line 0, col 3: syntax error: unexpected END_ATTRIBUTE, expecting IDENTIFIER'],
    ['{ ."a = 1 }', 'bad-token', 2, 'unexpected EOF, expecting "'],
    ['{ parent.a = 1 }', 'parent', 2, 'parent not yet supported'],
    ['{ name = nil }', 'always-set', 2, 'name=nil is not valid because intrinsics cannot be nil'],
    ['{ name > 5 }', 'mixed-types', 2, 'binary operations must operate on the same type: name > 5'],
    ['{ .x + 1 && .a }', 'bad-operator', 2, 'illegal operation for the given types: (.x + 1) && .a'],
    ['{ status > ok }', 'bad-operator', 2, 'illegal operation for the given types: status > ok'],
    ['{ -name = "x" }', 'bad-operator', 2, 'illegal operation for the given type: -name'],
    ['{ .a =~ "(" }', 'bad-regexp', 8, 'invalid regex: `(`'],
    ['{ .a =~ .b }', 'computed-regexp', 8, 'The right side of `=~` must be a string.'],
    ['{ .a + 1 }', 'no-condition', 2, 'span filter field expressions must resolve to a boolean: { .a + 1 }'],
    ['{} | avg(name) > 1', 'no-number', 5, 'aggregate field expressions must resolve to a number type: avg(name)'],
    ['{} | by(1 + 1)', 'constant-argument', 5, 'grouping field expressions must reference the span: by(2)'],
    ['{} | count() > count()', 'scalar-side', 15, 'scalar filter rhs of type (%v) not yet supported'],
    ['{} | compare({}, 2000)', 'bad-top', 5, 'must be an integer between 1 and 1000'],
    ['{} | compare({}, 5, 20, 10)', 'bad-window', 5, 'The time of the selection ends before it begins.'],
    ['({} | compare({})) + 1', 'compare-stage', 1, 'cannot be used with second stage functions'],
    ['{} | rate() | topk(0)', 'bad-limit', 14, 'limit must be greater than 0'],
    ['{} | quantile_over_time(.a, 1.5)', 'bad-quantile', 5, 'quantile must be between 0 and 1: 1.5'],
    ['({} | rate()) * -5s', 'duration-operand', 16, 'line 0, col 17: duration cannot be used'],
  ])('%s', (text, code, start, message) => {
    const diagnostic = first(text)
    expect([diagnostic.code, spanOf(diagnostic.origin)?.start]).toEqual([`traceql/${code}`, start])
    expect(renderTraceqlError(diagnostic, text)).toContain(message)
  })

  test('each endpoint has words of its own around the message', () => {
    const form = '{} | rate(5)'
    const meaning = '{} | rate() | topk(0)'
    const bodies = ([form, meaning] as const).map((text) =>
      (['search', 'range', 'instant'] as const).map((endpoint) => renderTraceqlError(first(text), text, endpoint)),
    )
    const place = 'parse error at line 1, col 11: syntax error: unexpected INTEGER, expecting )'
    const limit = 'limit must be greater than 0'
    expect(bodies).toEqual([
      [`invalid TraceQL query: ${place}`, place, `compiling query: ${place}`],
      [`invalid TraceQL query: ${limit}`, `compiling query: ${limit}`, `compiling query: ${limit}`],
    ])
  })

  test('a query of the other kind is refused where the kind is wanted', () => {
    const [noMetrics] = parseTraceql('{}', { gives: 'metrics' }).diagnostics
    expect(renderTraceqlError(noMetrics!, '{}', 'range')).toBe('not a metrics query')
    expect(parseTraceql('{} | rate()', { gives: 'spans' }).diagnostics[0]?.code).toBe('traceql/not-search')
    expect(parseTraceql('', { gives: 'metrics' }).diagnostics[0]?.code).toBe('traceql/not-metrics')
  })

  test('several errors are found in one text', () => {
    const found = parseTraceql('{ .a = } | avg() > 1 | select(.b, 1) | by(.c').diagnostics
    expect(found.map(({ origin }) => spanOf(origin)?.start)).toEqual([7, 15, 34])
  })

  test('an error of types is reported once, not again for what is around it', () => {
    expect(parseTraceql('{ name + 1 = 2 && .a }').diagnostics.map(({ code }) => code)).toEqual(['traceql/mixed-types'])
  })

  test.each([
    ['{ name == "x" }', '{ name = "x" }'],
    ['{ name = "x" and .b }', '{ name = "x" && .b }'],
    ["{ name = 'wide' }", '{ name = "wide" }'],
    ["{ name = 'w' }", '{ name = "w" }'],
    ['{ not .a }', '{ ! .a }'],
    ['{ foo = 1 }', '{ .foo = 1 }'],
    ['{ Status = error }', '{ status = error }'],
    ['{ .a = 1', '{ .a = 1}'],
    ['{} | cuont() > 1', '{} | count() > 1'],
  ])('%s has a fix', (text, fixed) => {
    expect(applyFix(text, first(text).fixes[0]!)).toBe(fixed)
  })
})

describe('limits', () => {
  test.each([
    ['parentheses of a condition', `{ ${'('.repeat(60_000)}`, 'too-deep'],
    ['parentheses of spans', '('.repeat(60_000), 'too-deep'],
    ['a long text of parentheses', `{ ${'('.repeat(100_000)}`, 'too-long'],
    ['signs', `{ ${'-'.repeat(60_000)}.a = 1 }`, 'too-many-operators'],
    ['operators', `{ ${'.a && '.repeat(2000)}.a }`, 'too-many-operators'],
    ['stages', `{}${' | coalesce()'.repeat(2000)}`, 'too-many-operators'],
    ['stages of metrics', `{} | rate()${' > 0'.repeat(2000)}`, 'too-many-operators'],
    ['quantiles', `{} | quantile_over_time(duration${', .5'.repeat(2000)})`, 'too-many-operators'],
    ['relations', `{}${' > {}'.repeat(2000)}`, 'too-many-operators'],
    ['errors', `{}${' | {'.repeat(2000)}`, 'unexpected'],
  ])('%s', (_, text, code) => {
    expect(first(text).code).toBe(`traceql/${code}`)
  })

  test('a text of numbers and dots is read in linear time', () => {
    const start = performance.now()
    parseTraceql(`{ .a = ${'1.2'.repeat(20_000)} }`)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  test('any text is read or refused, with places inside of it', () => {
    fc.assert(
      fc.property(anyQueryText, (text) => {
        const { ast, diagnostics } = parseTraceql(text)
        expect(ast === undefined).toBe(diagnostics.length > 0)
        for (const diagnostic of diagnostics) {
          expect(renderTraceqlError(diagnostic, text)).toMatch(/^invalid TraceQL query: ./)
          const { start, end } = spanOf(diagnostic.origin) ?? { start: 0, end: 0 }
          expect(start >= 0 && start <= end && end <= text.length).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('parseTraceqlOrThrow throws the diagnostics', () => {
    expect(() => parseTraceqlOrThrow('{')).toThrow(SluiceError)
  })
})
