import {
  array,
  assert,
  constant,
  constantFrom,
  letrec,
  oneof,
  property,
  string,
  stringMatching,
  tuple,
  type Arbitrary,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  JsonText,
  isJsonObject,
  isTooDeep,
  numberOfJson,
  parseJsonExact,
  parseJsonPlain,
  plainValue,
  printJsonExact,
  type Value,
} from '../../src/data/index.ts'

/** Numbers in all notations that JSON allows. */
const numberText = tuple(
  constantFrom('', '-'),
  oneof(constant('0'), stringMatching(/^[1-9]\d{0,20}$/)),
  oneof(constant(''), stringMatching(/^\.\d{1,20}$/)),
  oneof(constant(''), stringMatching(/^[eE][+-]?\d{1,3}$/)),
).map((parts) => parts.join(''))

describe('a number of JSON', () => {
  test.each([
    ['1.5', 1.5],
    ['-12', -12],
    ['0.0000001', 0.0000001],
    ['9007199254740993', 9007199254740993n],
    ['1.50', new JsonText('1.50')],
    ['1.0', new JsonText('1.0')],
    ['1e3', new JsonText('1e3')],
    ['1E+3', new JsonText('1E+3')],
    ['-0', new JsonText('-0')],
    ['-0.0', new JsonText('-0.0')],
    ['0.1234567890123456789', new JsonText('0.1234567890123456789')],
    ['12345678901234567890.0', new JsonText('12345678901234567890.0')],
    ['1e400', new JsonText('1e400')],
    ['9'.repeat(1025), new JsonText('9'.repeat(1025))],
  ] as [string, Value][])('%s keeps its text', (text, value) => {
    expect(numberOfJson(text)).toEqual(value)
    expect(parseJsonExact(text)).toEqual(value)
  })

  test('becomes a JavaScript number in rows of programs', () => {
    expect(['1.50', '1e3', '-0'].map((text) => plainValue(new JsonText(text)))).toEqual([1.5, 1000, -0])
    expect(plainValue(new JsonText('[1.50,{"a":1e3}]'))).toEqual([1.5, { a: 1000 }])
  })
})

test('a document of numbers prints as it was written', () => {
  const document = letrec((tie) => ({
    value: oneof(
      { depthSize: 'small' },
      numberText,
      string().map((text) => JSON.stringify(text)),
      tie('list'),
      tie('object'),
    ),
    list: array(tie('value')).map((items) => `[${items.join(',')}]`),
    object: array(tie('value')).map((items) => `{${items.map((item, i) => `"k${i}":${String(item)}`).join(',')}}`),
  }))
  assert(
    property(document.value as Arbitrary<string>, (text) => {
      expect(printJsonExact(parseJsonExact(text))).toBe(text)
      const blank = text.replaceAll(/(?<=^|[[,:])(-?\d[^,\]}]*)(?=[,\]}]|$)/g, ' $1\t')
      if (!text.includes('"')) expect(printJsonExact(parseJsonExact(blank))).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

test('programs get the numbers that the platform reads', () => {
  assert(
    property(numberText, (text) => {
      const plain = parseJsonPlain(`[${text}]`) as readonly (number | bigint | string)[]
      if (typeof plain[0] !== 'string') expect(Number(plain[0])).toBe(Number(text))
    }),
  )
})

test('a number that keeps its text is no object', () => {
  const { a, b } = parseJsonExact('{"a":1.50,"b":{}}') as Readonly<Record<string, never>>
  expect([a, b].map(isJsonObject)).toEqual([false, true])
})

describe('the depth of a document', () => {
  test.each([
    ['[[[]]]', 3, false],
    ['[[[]]]', 2, true],
    ['{"a":{"b":[1]}}', 2, true],
    ['["[[[[", "\\"[[[["]', 1, false],
    ['["a\\\\", [["b"]]]', 2, true],
    ['["a\\\\\\"[[[", []]', 2, false],
    ['[["unclosed [[[', 2, false],
    ['"\\', 0, false],
    [`["${'x'.repeat(10_000)}", [[]]]`, 2, true],
  ])('%s within %i', (text, limit, isDeeper) => {
    expect(isTooDeep(text, limit)).toBe(isDeeper)
  })

  test('ignores what stands in strings', () => {
    assert(
      property(array(string({ unit: constantFrom('\\', '"', '[', '{', 'a', ']') })), (strings) => {
        const text = JSON.stringify(strings)
        expect([isTooDeep(text, 1), isTooDeep(`[${text}]`, 1)]).toEqual([false, true])
      }),
    )
  })
})
