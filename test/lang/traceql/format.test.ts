import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  parseTraceql,
  parseTraceqlOrThrow,
  printAggregate,
  printTraceql,
  type TraceqlExpr,
} from '../../../src/lang/traceql/index.ts'
import { metricsText, searchText } from './arbitrary.ts'

function printed(text: string): string {
  return printTraceql(parseTraceqlOrThrow(text))
}

/** Returns the syntax tree without positions. */
function meaningOf(expr: TraceqlExpr): unknown {
  return JSON.parse(
    JSON.stringify(expr, (key, value: unknown) => {
      if (key === 'span') return undefined
      return typeof value === 'bigint' || Object.is(value, -0) ? `${String(value)} ${typeof value}` : value
    }),
  )
}

describe('canonical text', () => {
  test.each([
    ['', '{}'],
    ['{.a=1&&name="x"}', '{ (.a = 1) && (name = `x`) }'],
    ['{ span:name =~ "a.*" || trace:rootService = "" }', '{ (name =~ `a.*`) || (rootServiceName = ``) }'],
    ['{ name = "a`b" }', '{ name = "a`b" }'],
    ['{ -.a ^ 2 = -4 }', '{ (-(.a ^ 2)) = -4 }'],
    ['{ 1 + 2 * 3 - 4.5 < .a }', '{ 2.5 < .a }'],
    ['{ .a > 4e2 && .b = 1e30 }', '{ (.a > 400.0) && (.b = 1e+30) }'],
    ['{ duration > 90s || duration = 1500us }', '{ (duration > 1m30s) || (duration = 1.5ms) }'],
    ['{ .a != nil && nil = span.b }', '{ (.a != nil) && (span.b = nil) }'],
    ['{ span."with space" = 1 && ."a".b = 2 }', '{ (span."with space" = 1) && (.a.b = 2) }'],
    ['{.a}>{.b}&&{.c}', '({ .a } > { .b }) && { .c }'],
    ['{.a} > ({.b} >> {})', '{ .a } > ({ .b } >> {})'],
    ['count()>2|by(name)', '{} | count() > 2 | by(name)'],
    ['{}|{.a}&&{.b}|coalesce()|select(.a,kind)', '{} | { .a } && { .b } | coalesce() | select(.a, kind)'],
    ['({}|count()>1)&&({.a})', '({} | count() > 1) && ({ .a })'],
    ['{} with(a=true,b=.5)', '{} with (a=true, b=0.5)'],
    ['{}|rate()by(name,span.x)|topk(3)>1.50', '{} | rate() by (name, span.x) | topk(3) > 1.5'],
    ['{}|quantile_over_time(duration,.5,0.90)', '{} | quantile_over_time(duration, 0.5, 0.9)'],
    ['(({}|rate())+({}|rate()))*2>1', '(({} | rate()) + ({} | rate())) * 2 > 1'],
    ['{}|compare({status=error})', '{} | compare({ status = error }, 10)'],
    ['{}|rate() by (parent.name)', '{} | rate() by (parent.name)'],
    ['{} | avg_over_time(duration) > 1m', '{} | avg_over_time(duration) > 60'],
  ])('%s', (text, wanted) => {
    expect(printed(text)).toBe(wanted)
  })

  test('an aggregate prints without its comparison, as answers name it', () => {
    const { spans } = parseTraceqlOrThrow('{} | avg(.k * 2) = 5') as Extract<TraceqlExpr, { kind: 'trace-query' }>
    const stage = spans.kind === 'pipeline' ? spans.stages[0] : undefined
    expect(stage?.kind === 'aggregate' && printAggregate(stage)).toBe('avg(.k * 2)')
  })

  test.each([
    ['operators to the left', `{ .a = 1${' || .a = 1'.repeat(400)} }`],
    ['operators to the right', `{ ${'.a ^ '.repeat(900)}.a = 1 }`],
    ['signs', `{ ${'-'.repeat(900)}.a = 1 }`],
    ['filters', `{}${' > {}'.repeat(900)}`],
    ['parentheses', `${'('.repeat(120)}{}${')'.repeat(120)}`],
  ])('the largest query is printed: %s', (_, text) => {
    const { ast } = parseTraceql(text)
    expect(printTraceql(ast!).length).toBeGreaterThanOrEqual(2)
  })

  test.each([
    ['searches', searchText, 'spans'],
    ['metrics queries', metricsText, 'metrics'],
  ] as const)('of %s is stable and means the same', (_, texts, gives) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { ast, diagnostics } = parseTraceql(text, { gives })
        expect(diagnostics.map(({ message }) => message)).toEqual([])
        const once = printTraceql(ast!)
        const again = parseTraceqlOrThrow(once, { gives, limits: { nesting: 500 } })
        expect(printTraceql(again)).toBe(once)
        expect(meaningOf(again)).toEqual(meaningOf(ast!))
      }),
      { numRuns: 400 },
    )
  })
})
