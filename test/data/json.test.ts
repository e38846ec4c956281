import { describe, expect, test } from 'vitest'
import {
  Instant,
  JsonText,
  RowWriter,
  batchOfRows,
  field,
  rowOf,
  rowToJson,
  valueToJson,
  type Value,
} from '../../src/data/index.ts'

describe('native answers', () => {
  const cases: readonly (readonly [Value, string])[] = [
    [null, 'null'],
    ['', '""'],
    ['a"b\n', '"a\\"b\\n"'],
    [1.5, '1.5'],
    [-0, '0'],
    [NaN, 'null'],
    [-Infinity, 'null'],
    [1e21, '1e+21'],
    [9007199254740993n, '9007199254740993'],
    [true, 'true'],
    [new Instant(1767323045678000000n), '"2026-01-02T03:04:05.678000000Z"'],
    [new JsonText('[1,{"a":2}]'), '[1,{"a":2}]'],
    ['\ud800', '"\\ud800"'],
  ]
  test.each(cases)('%o is written as %s', (value, json) => {
    expect(valueToJson(value)).toBe(json)
  })

  test('a stored empty text and a named null are written', () => {
    const row = rowOf([
      ['a', ''],
      ['b', null],
    ])
    expect(rowToJson(row)).toBe('{"a":"","b":null}')
  })

  test('a name like __proto__ is an ordinary name', () => {
    expect(rowToJson(rowOf([['__proto__', 1]]))).toBe('{"__proto__":1}')
  })
})

describe('logsql answers', () => {
  test('values are text and empty ones are dropped', () => {
    const row = rowOf([
      ['n', 1.5],
      ['e', ''],
      ['m', null],
      ['_time', new Instant(1767323045678000000n)],
      ['big', 9007199254740993n],
    ])
    expect(rowToJson(row, 'logsql')).toBe('{"n":"1.5","_time":"2026-01-02T03:04:05.678Z","big":"9007199254740993"}')
  })
})

test('a batch leaves missing dynamic fields out and writes missing named ones as null', () => {
  const schema = { fields: [field('a', 'any', 'dynamic'), field('b')], isOpen: false }
  const batch = batchOfRows(schema, [rowOf([['b', 1]]), rowOf([['a', 2]])])
  expect([...new RowWriter().batch(batch)]).toEqual(['{"b":1}', '{"a":2,"b":null}'])
})

test('a row beyond what a text may be is refused before it is put together', () => {
  const long = 'x'.repeat(16 * 2 ** 20)
  const names = ['a', 'b', 'c', 'd', 'e']
  const row = rowOf(names.map((name) => [name, long]))
  expect(() => rowToJson(row)).toThrow(expect.objectContaining({ code: 'budget/row-length' }))
  expect(() => rowToJson(row, 'logsql')).toThrow(expect.objectContaining({ code: 'budget/row-length' }))
  const fields = names.map((name) => field(name, 'any', 'named'))
  const batch = batchOfRows({ fields, isOpen: false }, [row])
  expect(() => [...new RowWriter().batch(batch)]).toThrow(expect.objectContaining({ code: 'budget/row-length' }))
  expect(() => [...new RowWriter().bytes(batch, '\n')]).toThrow(expect.objectContaining({ code: 'budget/row-length' }))
})
