import { describe, expect, test } from 'vitest'
import { present, SluiceError } from '../../src/base/index.ts'
import { parseJson } from '../../src/wire/index.ts'
import { findJsonFault } from '../../src/wire/json-fault.ts'

function refusal(body: string | Uint8Array): { code: string; message: string } {
  try {
    parseJson(body)
  } catch (error) {
    if (error instanceof SluiceError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('accepted')
}

const valid = [
  '{}',
  ' [ ] ',
  '[1,-0,1.5e-3,1E+2,"\\u00e9\\n\\/",true,false,null]',
  '{"a":{"b":[{}]},"":""}',
  '"text"',
  '0',
  '"\u2028\u007f"',
]

/** Each text with the offset at which it stops being valid JSON. */
const broken: readonly (readonly [string, number])[] = [
  ['{', 1],
  ['{"a"}', 4],
  ['{"a":}', 5],
  ['{"a":1,}', 7],
  ['{a:1}', 1],
  ["{'a':1}", 1],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['[,1]', 1],
  ['[1}', 2],
  ['{"a":1]', 6],
  ['{} x', 3],
  ['{}{}', 2],
  ['01', 1],
  ['1.', 1],
  ['.5', 0],
  ['+1', 0],
  ['-', 0],
  ['NaN', 0],
  ['Infinity', 0],
  ['undefined', 0],
  ['True', 0],
  ['truee', 4],
  ['"abc', 4],
  ['"a\\x"', 2],
  ['"a\\u12"', 2],
  ['"a\nb"', 2],
  ['"a\tb"', 2],
  ['/* c */ {}', 0],
  ['\u00a0{}', 0],
]

describe('parseJson', () => {
  test.each(valid)('%s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
    expect(findJsonFault(text)).toBeUndefined()
  })

  test.each(broken)('%j breaks at %i', (text, offset) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(findJsonFault(text)?.offset).toBe(offset)
    expect(refusal(text).code).toBe('wire/not-json')
  })

  test('the message tells line and column', () => {
    expect(refusal('{\n  "a": 1,\n  b: 2\n}').message).toBe(
      'The body is not JSON: line 3, column 3 has `b` where a member name in double quotes is expected.',
    )
    expect(refusal('{"a": "x').message).toBe(
      'The body is not JSON: line 1, column 9 has its end where the rest of a string is expected.',
    )
  })

  test('the scanner agrees with the platform on mutated texts', () => {
    const alphabet = '{}[]",:\\ 01-.eE+tfnu\n'
    let state = 42
    const next = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state % below
    }
    let refused = 0
    for (let round = 0; round < 20_000; round++) {
      const base = valid[next(valid.length)]
      const at = next(present(base).length + 1)
      const text = present(base).slice(0, at) + alphabet[next(alphabet.length)] + present(base).slice(at + next(2))
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
        refused++
      }
      expect(findJsonFault(text) === undefined, JSON.stringify(text)).toBe(isJson)
    }
    expect(refused).toBeGreaterThan(5000)
  })

  test('empty bodies and bytes that are no UTF-8', () => {
    expect(refusal('').code).toBe('wire/empty-body')
    expect(refusal(' \n').code).toBe('wire/empty-body')
    expect(refusal(new Uint8Array([0x22, 0xc3, 0xa9, 0xff, 0x22])).message).toContain('byte 3')
    expect(refusal(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])).code).toBe('wire/not-utf8')
    expect(refusal(new Uint8Array([0x7b, 0x00, 0x7d, 0x00])).code).toBe('wire/not-json')
    expect(parseJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toEqual({})
  })

  test('integers keep their digits, other numbers stay numbers', () => {
    expect(parseJson('[9007199254740991,9007199254740993,-9223372036854775808,1.5,1234567890123456.5,1e20]')).toEqual([
      9007199254740991,
      9007199254740993n,
      -9223372036854775808n,
      1.5,
      1234567890123456.5,
      1e20,
    ])
  })
})
