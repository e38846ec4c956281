import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBytes, utf8Length } from '../../../src/data/index.ts'
import {
  describeChar,
  printNumber,
  printNumberShort,
  quoteChar,
  quoteText,
  roundAway,
} from '../../../src/lang/promql/text/go-text.ts'
import { printDurationMs, readDuration, readNumber, scanNumber } from '../../../src/lang/promql/text/number-text.ts'
import { scanString } from '../../../src/lang/promql/text/string-text.ts'

describe('numbers', () => {
  test.each([
    [0, '0'],
    [-0, '-0'],
    [1e21, '1000000000000000000000'],
    [1.5e-9, '0.0000000015'],
    [-123.456, '-123.456'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
    [NaN, 'NaN'],
    [5e-324, `0.${'0'.repeat(323)}5`],
  ])('%d prints without an exponent', (value, text) => {
    expect(printNumber(value)).toBe(text)
  })

  test('print and read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), (value) => {
        expect(readNumber(printNumber(value))).toEqual({ value })
        expect(Number(printNumberShort(value))).toBe(value)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  test('the short form has an exponent where it is long', () => {
    expect([1e-5, 0.0001, 1e20, 1e21, 1234567].map((value) => printNumberShort(value))).toEqual([
      '1e-05',
      '0.0001',
      '100000000000000000000',
      '1e+21',
      '1234567',
    ])
    expect([1e6, 1234567, 999999].map((value) => printNumberShort(value, 6))).toEqual([
      '1e+06',
      '1.234567e+06',
      '999999',
    ])
  })

  test.each([
    ['010', 8],
    ['08', 8],
    ['09.5', 9.5],
    ['0x1F', 31],
    ['0x_ff', 255],
    ['1_000.5', 1000.5],
    ['9223372036854775808', 9223372036854775808],
    ['1.', 1],
    ['.5e1', 5],
    ['iNf', Infinity],
  ])('%s reads as %d', (text, value) => {
    expect(readNumber(text)).toEqual({ value })
  })

  test.each(['0x', '1e999', '1__0', '0x1e+5', '_1', '1_'])('%s is refused', (text) => {
    expect(readNumber(text)).toHaveProperty('error')
  })

  test.each([
    ['1h30m', 'duration', 5],
    ['5m1', 'bad', 3],
    ['2.5.', 'bad', 4],
    ['1e5', 'number', 3],
    ['1e', 'bad', 2],
    ['0xeee', 'bad', 5],
    ['12ab', 'bad', 2],
    ['5ms)', 'duration', 3],
  ])('%s is scanned as a %s', (text, kind, end) => {
    expect(scanNumber(text, 0)).toEqual({ kind, end })
  })

  test('halves round away from zero', () => {
    expect([0.5, -0.5, 1.4, -1.6].map((value) => roundAway(value))).toEqual([1, -1, 1, -2])
  })
})

describe('durations', () => {
  test('print in biggest units', () => {
    const day = 86_400_000
    expect(
      [0, 1, 61_001, 7 * day, 8 * day, 365 * day, 366 * day, 14 * day + 1].map((ms) => printDurationMs(ms)),
    ).toEqual(['0s', '1ms', '1m1s1ms', '1w', '8d', '1y', '366d', '14d1ms'])
  })

  test('print and read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_223_372_036_854 }), (ms) => {
        expect(readDuration(printDurationMs(ms))).toEqual({ value: ms / 1000 })
      }),
      { seed: 2, numRuns: 300 },
    )
  })

  test.each(['5m1h', '1h1h', '1.5h', '5', 'm', '300000y', ''])('%s is refused', (text) => {
    expect(readDuration(text)).toHaveProperty('error')
  })
})

describe('strings', () => {
  test.each([
    ['"a\\tb"', 'a\tb'],
    [`'it\\'s'`, `it's`],
    ['`raw \\n`', 'raw \\n'],
    ['`two\nlines`', 'two\nlines'],
    ['"\\101\\x41\\u0041\\U00000041"', 'AAAA'],
    ['"\\xe2\\x98\\xba"', '☺'],
    ['"\\xe2\\x98"', '\udce2\udc98'],
  ])('%s', (text, value) => {
    expect(scanString(text, 0)).toEqual({ end: text.length, value, error: undefined })
  })

  test.each([
    ['"a', 'unterminated quoted string'],
    ['"a\n"', 'unterminated quoted string'],
    ['`a', 'unterminated raw string'],
    ['"\\\'"', `unknown escape sequence U+0027 '''`],
    ['"\\400"', 'escape sequence is an invalid Unicode code point'],
    ['"\\', 'escape sequence not terminated'],
    ['"\ufffd"', 'invalid UTF-8 rune'],
    ['"\ud800"', 'invalid UTF-8 rune'],
  ])('%j is refused', (text, error) => {
    expect(scanString(text, 0).error).toBe(error)
  })

  test('quoted texts read back, bytes that are no characters too', () => {
    const bytes = fc.array(fc.nat(255), { maxLength: 8 }).map((list) => decodeBytes(list))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), bytes), (text) => {
        expect(scanString(quoteText(text), 0)).toEqual({ end: quoteText(text).length, value: text, error: undefined })
      }),
      { seed: 3, numRuns: 500 },
    )
  })

  test('what does not print is escaped', () => {
    expect(quoteText('\u0000\u007f\u00a0\ufeff\u{e0001}\u{1f600}"')).toBe(
      '"\\x00\\x7f\\u00a0\\ufeff\\U000e0001\u{1f600}\\""',
    )
    expect(quoteChar("'")).toBe(`'\\''`)
    expect(describeChar('é')).toBe(`U+00E9 'é'`)
  })

  test('bytes are counted as UTF-8', () => {
    // Surrogate pairs, unpaired surrogates, and characters that may be adjacent to them.
    const surrogates = fc.array(fc.constantFrom('\ud801', '\udc00', 'é', 'a', '日')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), surrogates), (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'))
      }),
      { seed: 4, numRuns: 300 },
    )
  })
})
