import { describe, expect, test } from 'vitest'
import {
  memberOfJson,
  nativeBool,
  nativeValue,
  restOfJson,
  unixNs,
} from '../../../src/backends/sql/host/foreign-values.ts'
import { JsonText } from '../../../src/data/index.ts'
import { decodeValue, restFields, type SqlValue } from '../../../src/store/sqlite/index.ts'

describe('values of columns that someone else made', () => {
  test.each<[SqlValue, unknown]>([
    ['text', 'text'],
    [5n, 5],
    [2n ** 53n + 1n, 2n ** 53n + 1n],
    [-0, -0],
    [Infinity, Infinity],
    [Buffer.from('B\u0001ytes'), 'B\u0001ytes'],
    [Buffer.from([0x42, 0xff]), '42ff'],
    [Buffer.alloc(0), ''],
    [null, null],
  ])('value %#: %s', (stored, value) => expect(decodeValue(nativeValue(stored))).toEqual(value))

  test('bools are 0 and 1, anything else is what it is', () => {
    const given: readonly SqlValue[] = [0n, 1n, 2n, 1, 'true', null]
    expect(given.map((each) => decodeValue(nativeBool(each)))).toEqual([false, true, 2, 1, 'true', null])
  })

  test.each<[SqlValue, string, bigint | null]>([
    [1_767_322_800n, 's', 1_767_322_800_000_000_000n],
    [1_767_322_800.25, 's', 1_767_322_800_250_000_000n],
    [-1.5, 's', -1_500_000_000n],
    ['1767322800123', 'ms', 1_767_322_800_123_000_000n],
    [2n ** 62n, 's', null],
    ['2026-01-02T03:00:00+01:00', 'text', 1_767_319_200_000_000_000n],
    ['2026-01-02 02:00:00', 'text', 1_767_319_200_000_000_000n],
    ['2026-01-02 02:00:00.000000001', 'text', 1_767_319_200_000_000_001n],
    ['2026-01-02T02:00', 'text', 1_767_319_200_000_000_000n],
    ['2026-01-02 03:00:00+01:00', 'text', 1_767_319_200_000_000_000n],
    ['2026-13-02 02:00:00', 'text', null],
    ['soon', 'text', null],
    ['soon', 'ms', null],
    [Buffer.from('1'), 'ms', null],
    [null, 'ns', null],
  ])('time %#: %s in %s', (stored, unit, ns) => expect(unixNs(stored, unit)).toBe(ns))

  test('members of JSON are fields; the first column that has a name, and declared names, win', () => {
    const rest = restOfJson({ kind: 'rest', prefixes: ['', 'r.'], declared: ['level'] })
    const text = rest(['{"a":{"b":1},"level":"x","n":null,"l":[1]}', '{"a":2,"big":9007199254740993}'])
    expect([...restFields(String(text))]).toEqual([
      ['a.b', 1],
      ['l', new JsonText('[1]')],
      ['r.a', 2],
      ['r.big', 9_007_199_254_740_993n],
    ])
    for (const broken of ['{', '[1]', '5', '', null, Buffer.from('{}')]) expect(rest([broken, null])).toBe(null)
  })

  test.each<[string, readonly string[], unknown]>([
    ['{"a":{"b":[10,20]}}', ['a', 'b', '1'], 20],
    ['{"a":{"b":[10,20]}}', ['a'], new JsonText('{"b":[10,20]}')],
    ['{"a":null}', ['a'], null],
    ['{"a":1}', ['toString'], null],
    ['nothing', ['a'], null],
  ])('in %s at %s', (text, path, value) => expect(decodeValue(memberOfJson(path)([text]))).toEqual(value))
})
