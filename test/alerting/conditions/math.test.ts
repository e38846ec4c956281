import { describe, expect, test } from 'vitest'
import { evaluateMath, parseMath, type MathInput, type Value } from '../../../src/alerting/conditions/index.ts'
import { Labels } from '../../../src/data/index.ts'

type Sets = readonly (readonly [labels: Readonly<Record<string, string>>, value: Value])[]

function evaluate(source: string, inputs: Readonly<Record<string, Sets | 'no-data'>> = {}): Sets | 'no-data' {
  const { expr, diagnostics } = parseMath(source)
  if (expr === undefined) expect.fail(JSON.stringify(diagnostics))
  const named = Object.entries(inputs).map(([name, sets]): readonly [string, MathInput] => [
    name,
    sets === 'no-data' ? sets : sets.map(([labels, value]) => ({ labels: Labels.of(labels), value })),
  ])
  const found = evaluateMath(expr, new Map(named))
  return found === 'no-data' ? found : found.map(({ labels, value }) => [{ ...labels.toRecord() }, value])
}

function valueOf(source: string, a?: Value): Value {
  const found = evaluate(source, { a: [[{}, a]] })
  if (found === 'no-data' || found.length !== 1) expect.fail('is not one value')
  return found[0]?.[1]
}

describe('operators', () => {
  test.each([
    ['7 % 4', 3],
    ['-7 % 4', -3],
    ['1 / 0', Infinity],
    ['-1 / 0', -Infinity],
    ['0 / 0', NaN],
    ['2 ** 3 ** 2', 64],
    ['-2 ** 2', 4],
    ['2 > 1', 1],
    ['2 <= 1', 0],
    ['!0', 1],
    ['!3', 0],
    ['2 && 3', 1],
    ['0 || 0', 0],
  ])('%s is %d', (source, wanted) => {
    expect(valueOf(source)).toBe(wanted)
  })

  test.each([
    ['nan() + 1', NaN],
    ['nan() == nan()', NaN],
    ['nan() != 1', NaN],
    ['!nan()', NaN],
    ['-nan()', NaN],
    ['0 && nan()', 0],
    ['1 || nan()', 1],
    ['1 && nan()', NaN],
    ['0 || nan()', NaN],
  ])('%s is %d: only a side that decides hides NaN', (source, wanted) => {
    expect(valueOf(source)).toBe(wanted)
  })

  test.each(['null() + 1', '1 + null()', '0 && null()', '1 || null()', '-null()', '!null()'])(
    '%s has no value',
    (source) => {
      expect(valueOf(source)).toBeUndefined()
    },
  )
})

describe('functions', () => {
  test.each([
    ['round(a)', 2.5, 3],
    ['round(a)', -2.5, -3],
    ['floor(a)', -1.5, -2],
    ['ceil(a)', -1.5, -1],
    ['log(a)', 1, 0],
    ['is_nan(a)', NaN, 1],
    ['is_inf(a)', -Infinity, 1],
    ['is_number(a)', Infinity, 0],
    ['is_number(a)', 0, 1],
    ['is_null(a)', 0, 0],
    ['is_null(a)', undefined, 1],
    ['is_number(a)', undefined, 0],
    ['is_nan(a)', undefined, NaN],
    ['abs(a)', undefined, NaN],
  ])('%s of %d is %d', (source, a, wanted) => {
    expect(valueOf(source, a)).toBe(wanted)
  })
})

describe('pairs of label sets', () => {
  const hosts: Sets = [
    [{ host: 'a' }, 1],
    [{ host: 'b' }, 2],
  ]

  test('equal labels pair, and numbers without a partner are dropped', () => {
    expect(
      evaluate('a - b', {
        a: hosts,
        b: [
          [{ host: 'b' }, 10],
          [{ host: 'c' }, 20],
        ],
      }),
    ).toEqual([[{ host: 'b' }, -8]])
  })

  test('a number without labels pairs with all', () => {
    expect(evaluate('a * 10', { a: hosts })).toEqual([
      [{ host: 'a' }, 10],
      [{ host: 'b' }, 20],
    ])
  })

  test('the result has the larger set of labels', () => {
    const b: Sets = [
      [{ host: 'a', job: 'x' }, 5],
      [{ host: 'c', job: 'x' }, 6],
    ]
    expect(evaluate('a + b', { a: hosts, b })).toEqual([[{ host: 'a', job: 'x' }, 6]])
    expect(evaluate('b + a', { a: hosts, b })).toEqual([[{ host: 'a', job: 'x' }, 6]])
  })

  test('one number on each side pair without labels, even if the labels differ', () => {
    expect(evaluate('a + b', { a: [[{ host: 'a' }, 1]], b: [[{ host: 'b' }, 2]] })).toEqual([[{}, 3]])
  })

  test('no data on a side, or an unknown name, makes the whole no data', () => {
    expect(evaluate('a + b', { a: hosts, b: 'no-data' })).toBe('no-data')
    expect(evaluate('a + b', { a: hosts })).toBe('no-data')
  })
})

describe('limits', () => {
  const hosts = (count: number): Sets => Array.from({ length: count }, (_, i) => [{ host: `h${i}` }, 1])
  const zones = (count: number): Sets => Array.from({ length: count }, (_, i) => [{ zone: `z${i}` }, 1])

  test('equal label sets pair with each other alone', () => {
    const sets: Sets = [
      [{}, 2],
      [{ host: 'a' }, 3],
    ]
    expect(evaluate('$a * $b', { a: sets, b: sets })).toEqual([
      [{}, 4],
      [{ host: 'a' }, 9],
    ])
  })

  test('a thousand equal label sets pair, more results are a fault', () => {
    expect(evaluate('$a + $b', { a: hosts(1000), b: hosts(1000) })).toHaveLength(1000)
    expect(() => evaluate('$a + $b', { a: hosts(1001), b: [[{}, 1]] })).toThrow('pairs more than 1000 values')
  })

  test('an expression that compares too many label sets is a fault', () => {
    const chain = Array.from({ length: 6 }, () => '($a + $b)').join(' + ')
    expect(() => evaluate(chain, { a: hosts(1000), b: zones(1000) })).toThrow('compares too many label sets')
  })
})
