import { describe, expect, test } from 'vitest'
import { parseLogfmt, printLogfmt, readQuoted, readTextPattern, xxh64 } from '../../../src/data/index.ts'

describe('quoted texts', () => {
  test.each([
    ['"a\\tb\\u00e9\\x41\\101\\U0001F600"', 'a\tbéAA😀'],
    ["'it\\'s'", "it's"],
    ['`raw \\n`', 'raw \\n'],
    ['"open', undefined],
    ['"\\q"', undefined],
    ['"\\xd0\\xb9 \\xff"', 'й \udcff'],
    ['"\\ud83d\\ude00 \\/ \\ud83d"', '😀 / \ud83d'],
    ['"a\nb"', undefined],
    ['plain', undefined],
    ['"\\U7fffffff"', undefined],
  ])('%j', (text, value) => {
    expect(readQuoted(text)?.value).toBe(value)
  })

  test('lenient: what is not an escape stands for itself', () => {
    expect(readQuoted('"C:\\dir\\new \\u12\n\\""', 0, true)).toEqual({ value: 'C:\\dir\new \\u12\n"', end: 20 })
    expect(readQuoted('"open\\"', 0, true)).toBeUndefined()
  })
})

describe('logfmt', () => {
  test.each<[string, [string, string][]]>([
    ['', []],
    [
      'a=b c="d e" f',
      [
        ['a', 'b'],
        ['c', 'd e'],
        ['f', ''],
      ],
    ],
    [
      'a= b=""',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    ['"a b"=c', [['a b', 'c']]],
    ['a="open', [['a', '"open']]],
    ['=x', [['', 'x']]],
    [
      '\ta=1\n b=2 ',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
  ])('%j', (text, fields) => {
    expect(parseLogfmt(text)).toEqual(fields)
  })

  test('printed values are parsed back', () => {
    const fields: [string, string][] = [
      ['a', 'x'],
      ['b c', 'd "e"'],
      ['f', ''],
      ['g', 'h=i'],
      ['j', '`k'],
      ['l', 'm\nn'],
    ]
    expect(parseLogfmt(printLogfmt(fields))).toEqual(fields)
  })
})

test('patterns: entities are characters, a placeholder must end', () => {
  expect(readTextPattern('&lt;<a>&#x3e;<uc: b >&#xd800;')).toEqual([
    { prefix: '<', field: 'a', option: '' },
    { prefix: '>', field: 'b', option: 'uc' },
    { prefix: '&#xd800;', field: undefined, option: '' },
  ])
  expect(readTextPattern('a<b')).toMatch('has no `>`')
})

test.each([
  ['', 'ef46db3751d8e999'],
  ['abc', '44bc2cf5ad770999'],
  ['Nobody inspects the spammish repetition', 'fbcea83c8a378bf1'],
])('XXH64 of %j', (text, hash) => {
  expect(xxh64(text).toString(16)).toBe(hash)
  expect(xxh64(Buffer.from(text)).toString(16)).toBe(hash)
})
