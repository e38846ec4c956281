import { describe, expect, test } from 'vitest'
import { interval, present } from '../../src/base/index.ts'
import { compileTest, rowOf, type Row, type Value, type ValueTest } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { simplifyExpr } from '../../src/optimize/simplify.ts'
import { and, call, column, literal, not, or, printExpr, test as testOf, type Expr } from '../../src/plan/index.ts'

function is(name: string, text: Value, isFolded = true): Expr {
  return testOf(column(name), { kind: 'equals', value: text, isFolded, isTyped: true })
}
function range(name: string, min: number, max: number, isMinIncluded = true, isMaxIncluded = true): Expr {
  return testOf(column(name), { kind: 'range', min, max, isMinIncluded, isMaxIncluded })
}
function empty(name: string): Expr {
  return testOf(column(name), { kind: 'empty' })
}
function time(start: bigint, end: bigint): Expr {
  return testOf(column('_time'), { kind: 'time-range', range: interval(start, end) })
}

const a = is('a', 'x')
const b = is('b', 'x')
const c = is('c', 'x')

describe('simplify-logic', () => {
  const cases: readonly (readonly [string, Expr, string])[] = [
    ['nested connectives are flat', and([a, and([b, and([c])])]), '(a = i:"x" and b = i:"x" and c = i:"x")'],
    ['what is said twice is said once', and([a, b, a]), '(a = i:"x" and b = i:"x")'],
    ['true is nothing in an AND', and([a, literal(true)]), 'a = i:"x"'],
    ['false decides an AND', and([a, literal(false)]), 'false'],
    ['a literal that is not true does not hold', and([a, literal('x')]), 'false'],
    ['true decides an OR', or([a, literal(true)]), 'true'],
    ['no parts', or([and([]), a]), 'true'],
    ['a part and its negation', and([a, b, not(a)]), 'false'],
    ['a part or its negation', or([a, not(a)]), 'true'],
    ['absorbed in OR', or([a, and([a, b])]), 'a = i:"x"'],
    ['absorbed in AND', and([a, or([a, b]), c]), '(a = i:"x" and c = i:"x")'],
    ['NOT goes to the leaves', not(or([a, and([b, not(c)])])), '(not a = i:"x" and (not b = i:"x" or c = i:"x"))'],
    ['two NOTs are none', not(not(a)), 'a = i:"x"'],
    ['a value that is not a predicate keeps its NOTs', not(not(column('f'))), 'not not f'],
    ['alternatives of one field are a list', or([a, b, is('a', 'y')]), '(a in i:("x", "y") or b = i:"x")'],
    ['lists join lists', or([or([a, is('a', 'y')]), is('a', 'x')]), 'a in i:("x", "y")'],
    ['other foldings stay apart', or([a, is('a', 'y', false)]), '(a = i:"x" or a = "y")'],
    ['two values at once', and([a, is('a', 'y')]), 'false'],
    ['one value in other letters', and([a, is('a', 'X')]), 'a = i:"x"'],
    ['two spellings of one number stay', and([is('a', '1'), is('a', '1.0')]), '(a = i:"1" and a = i:"1.0")'],
    ['two numbers', and([is('a', '1'), is('a', '2')]), 'false'],
    ['ranges meet', and([range('n', 1, 9), range('n', 5, 20, false)]), 'n in (5, 9]'],
    ['ranges that do not', and([range('n', 1, 5), range('n', 5, 9, false)]), 'false'],
    ['equal bounds', and([range('n', 1, 5), range('n', 5, 9)]), 'n in [5, 5]'],
    ['times meet', and([time(0n, 10n), time(5n, 20n)]), '_time in time [5, 10)'],
    ['times that do not', and([time(0n, 5n), time(5n, 20n)]), 'false'],
    ['missing and more', and([empty('a'), a]), 'false'],
    ['not missing is implied', and([not(empty('a')), a]), 'a = i:"x"'],
    ['not missing is not implied', and([not(empty('a')), b]), '(not a is empty and b = i:"x")'],
    [
      'chance is not said twice',
      and([testOf(call('rand', []), { kind: 'empty' }), testOf(call('rand', []), { kind: 'empty' })]),
      '(rand() is empty and rand() is empty)',
    ],
  ]
  test.each(cases)('%s', (_, expr, text) => {
    expect(printExpr(simplifyExpr(expr, standardFunctions))).toBe(text)
  })

  test('what is simple stays the same object', () => {
    const expr = and([a, or([b, not(c)])])
    expect(simplifyExpr(expr, standardFunctions)).toBe(expr)
  })
})

/** Reference implementation: evaluates a predicate on a row. */
function holds(expr: Expr, row: Row): boolean {
  switch (expr.kind) {
    case 'literal':
      return expr.value === true
    case 'and':
      return expr.args.every((arg) => holds(arg, row))
    case 'or':
      return expr.args.some((arg) => holds(arg, row))
    case 'not':
      return !holds(expr.arg, row)
    case 'test':
      return expr.arg.kind === 'column' && compileTest(expr.test)(row.get(expr.arg.name) ?? null)
    default:
      throw new Error(`not in these tests: ${expr.kind}`)
  }
}

test('random predicates answer alike before and after', () => {
  let seed = 1
  const random = (n: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % n
  }
  const pool: readonly Value[] = [null, '', 'x', 'X', 'y', '1', '1.0', 1, 2, true, 'true', '5', 5, 7.5]
  const pick = <T>(values: readonly T[]): T => present(values[random(values.length)])
  const tests: readonly (() => ValueTest)[] = [
    () => ({ kind: 'empty' }),
    () => ({ kind: 'equals', value: pick(pool), isFolded: random(2) === 0, isTyped: random(4) > 0 }),
    () => ({
      kind: 'in',
      values: [pick(pool), pick(pool)],
      isFolded: random(2) === 0,
      isTyped: random(4) > 0,
    }),
    () => ({
      kind: 'range',
      min: random(8) - 1,
      max: random(8),
      isMinIncluded: random(2) === 0,
      isMaxIncluded: random(2) === 0,
    }),
    () => ({ kind: 'starts-with', text: pick(['', 'x', '1']), isFolded: true }),
    () => ({ kind: 'contains', text: pick(['', 'x', '.']), isFolded: false }),
  ]
  const make = (depth: number): Expr => {
    const kind = random(depth === 0 ? 2 : 6)
    if (kind < 2)
      return kind === 0 && random(8) === 0
        ? literal(random(2) === 0)
        : testOf(column(pick(['a', 'b'])), present(tests[random(tests.length)])())
    if (kind === 2) return not(make(depth - 1))
    const args = Array.from({ length: random(4) }, () => make(depth - 1))
    return kind < 5 ? and(args) : or(args)
  }
  for (let i = 0; i < 4000; i++) {
    const expr = make(4)
    const simple = simplifyExpr(expr, standardFunctions)
    expect(printExpr(simplifyExpr(simple, standardFunctions))).toBe(printExpr(simple))
    for (let r = 0; r < 8; r++) {
      const row = rowOf([
        ['a', pick(pool)],
        ['b', pick(pool)],
      ])
      expect(holds(simple, row), `${printExpr(expr)} => ${printExpr(simple)}`).toBe(holds(expr, row))
    }
  }
})
