import { describe, expect, test } from 'vitest'
import { Instant, JsonText, type Value } from '../../src/data/index.ts'
import { nativeRowPrinter, textRowPrinter } from '../../src/server/row-json.ts'

const values: readonly (readonly [Value, string])[] = [
  [null, 'null'],
  [true, 'true'],
  [false, 'false'],
  [0, '0'],
  [-1.5, '-1.5'],
  [1e21, '1e+21'],
  [5e-324, '5e-324'],
  [Number.NaN, 'null'],
  [Infinity, 'null'],
  [-Infinity, 'null'],
  [9007199254740993n, '9007199254740993'],
  [-(2n ** 63n), '-9223372036854775808'],
  ['', '""'],
  ['a"b\\c\n\u0001', '"a\\"b\\\\c\\n\\u0001"'],
  ['\ud800', '"\\ud800"'],
  ['é😀\u2028', '"é😀\u2028"'],
  [new Instant(1767225600000000001n), '"2026-01-01T00:00:00.000000001Z"'],
  [new Instant(-1n), '"1969-12-31T23:59:59.999999999Z"'],
  [new JsonText('{"a":[1,9007199254740993]}'), '{"a":[1,9007199254740993]}'],
]

describe('native rows', () => {
  test.each(values)('%o', (value, printed) => {
    const text = nativeRowPrinter()(new Map([['f', value]]))
    expect(text).toBe(`{"f":${printed}}`)
    expect(() => JSON.parse(text)).not.toThrow()
  })

  test('names are any text, in the order of the row, and absent ones are left out', () => {
    const print = nativeRowPrinter()
    const names = ['b', 'a', '__proto__', 'constructor', 'a"b', '']
    const row = new Map<string, Value>(names.map((name, index) => [name, index]))
    expect(print(row)).toBe('{"b":0,"a":1,"__proto__":2,"constructor":3,"a\\"b":4,"":5}')
    expect(print(new Map([['a', 1]]))).toBe('{"a":1}')
    expect(print(new Map())).toBe('{}')
  })
})

test('text rows have only text and nothing empty', () => {
  const row = new Map<string, Value>([
    ['missing', null],
    ['empty', ''],
    ['n', 1.5],
    ['big', 9007199254740993n],
    ['_time', new Instant(1767225600120000000n)],
    ['flag', false],
    ['nan', Number.NaN],
    ['list', new JsonText('["a"]')],
  ])
  expect(textRowPrinter()(row)).toBe(
    '{"n":"1.5","big":"9007199254740993","_time":"2026-01-01T00:00:00.12Z","flag":"false","nan":"NaN","list":"[\\"a\\"]"}',
  )
})
