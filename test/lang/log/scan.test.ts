import { describe, expect, test } from 'vitest'
import { quoteText } from '../../../src/lang/log/print/quote.ts'
import { scan } from '../../../src/lang/log/scan.ts'
import { endOfQuoted, unquote } from '../../../src/lang/log/unquote.ts'

function valuesOf(text: string): readonly string[] {
  return scan(text).tokens.map(({ value }) => value)
}

describe('scan', () => {
  test('words are runs of letters, decimal digits and underscores', () => {
    expect(valuesOf('foo_1 bär ×2 日本語')).toEqual(['foo_1', 'bär', '×', '2', '日本語'])
  })

  test('marks of two characters are one token', () => {
    expect(valuesOf('a!=b c!~d e=~f g>=h i<=j')).toEqual([
      'a',
      '!=',
      'b',
      'c',
      '!~',
      'd',
      'e',
      '=~',
      'f',
      'g',
      '>=',
      'h',
      'i',
      '<=',
      'j',
    ])
  })

  test('quoted texts keep what is inside, comments go', () => {
    const { tokens, comments } = scan('a "b # c" # d "\n`e\\n`')
    expect(tokens.map(({ value }) => value)).toEqual(['a', 'b # c', 'e\\n'])
    expect(comments).toEqual([{ start: 10, end: 15 }])
  })

  test('a quote that never closes takes the rest', () => {
    const { tokens } = scan('a "b c')
    expect(tokens.map(({ tokenType, image }) => [tokenType.name, image])).toEqual([
      ['Identifier', 'a'],
      ['Unclosed', '"b c'],
    ])
  })

  test('a slice that ends inside a surrogate pair ends with half of it, in optimized code too', () => {
    const whole = 'level:error as\u{10ffff} and a rest that makes a slice of what stands before'
    const ends = new Set<number>()
    for (let i = 0; i < 50_000; i++) ends.add(scan(whole.slice(0, 15)).tokens.at(-1)?.endOffset ?? NaN)
    expect([...ends]).toEqual([14])
  })

  test('characters beyond the basic plane are one token', () => {
    expect(scan('😀').tokens.map(({ startOffset, endOffset }) => [startOffset, endOffset])).toEqual([[0, 1]])
  })
})

describe('quotes', () => {
  const pairs: readonly (readonly [source: string, value: string])[] = [
    ['"a"', 'a'],
    ["'it\\'s'", "it's"],
    ['`raw\\n`', 'raw\\n'],
    ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\""', '\u0007\b\f\n\r\t\v\\"'],
    ['"\\u00e4\\U0001F600"', 'ä😀'],
    ['"\\x41\\101"', 'AA'],
    ['"\\xd0\\xb9"', 'й'],
    ['"\\xff"', '\udcff'],
  ]

  test.each(pairs)('%s means %j', (source, value) => {
    expect(unquote(source, 0, source.length)).toEqual({ value, fault: undefined })
  })

  test('what is not an escape is reported with its place', () => {
    expect(unquote('"ab\\qc"', 0, 7).fault).toMatchObject({ start: 3, end: 5 })
    expect(unquote('"\\u12"', 0, 6).fault).toMatchObject({ start: 1, end: 3 })
    expect(unquote('"\\ud800"', 0, 8).fault).toMatchObject({ start: 1, end: 7 })
    expect(unquote('"a\ud800"', 0, 4).fault).toMatchObject({ start: 2, end: 3 })
    expect(unquote('`\udc00`', 0, 3).fault).toMatchObject({ start: 1, end: 2 })
  })

  test('the end of a quoted text is behind its own quote', () => {
    expect(endOfQuoted('"a\\"b" c', 0)).toBe(6)
    expect(endOfQuoted('`a\\` c', 0)).toBe(4)
    expect(endOfQuoted('"a', 0)).toBe(-1)
    expect(endOfQuoted('"a\\', 0)).toBe(-1)
  })

  test('quoting reads back', () => {
    for (const text of ['', 'a b', 'a"b\\', '\u0000\n\u007f', 'ä😀\u2028', '\udcff', '\u{e0001}']) {
      const quoted = quoteText(text)
      expect(unquote(quoted, 0, quoted.length)).toEqual({ value: text, fault: undefined })
    }
  })
})
