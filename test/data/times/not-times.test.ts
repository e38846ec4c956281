import { describe, expect, test } from 'vitest'
import { exampleContext, leadingTime, readTime } from '../../../src/data/index.ts'

describe('what is not a time', () => {
  test.each([
    ['a count', 42],
    ['a port', 8080],
    ['a duration', 0.123],
    ['a date without marks', 20060102],
    ['nothing', 0],
    ['a time before there was one', -1],
    ['an id of nine digits', 999_999_999],
    ['an id of eleven digits', 12345678901],
    ['an id of twelve digits', 123456789012],
    ['an id of fourteen digits', 20060102150405],
    ['an id of fifteen digits', 123456789012345],
    ['an id of seventeen digits', 12345678901234567n],
    ['more than there are', 10n ** 19n],
    ['seconds behind the end of time', 9223372037],
    ['not a number', NaN],
    ['endless', Infinity],
  ])('%s: %s, as a number and as a text', (_, value) => {
    expect(readTime(value, exampleContext)).toBeUndefined()
    expect(readTime(String(value), exampleContext)).toBeUndefined()
  })

  test.each([
    '',
    '20',
    'yesterday',
    '-',
    'null',
    '1.2.3.4',
    '10:20',
    '12:00:00',
    '2006-13-02T15:04:05Z',
    '2006-02-29T15:04:05Z',
    '2006-01-02T24:04:05Z',
    '2006-01-02T15:60:05Z',
    '2006-01-02T15:04:61Z',
    '2006-01-02T15:04:05+25:00',
    '2006-01-02T15:04:05.',
    '2006-01-02T15:04:05.123abc',
    '2006-01-02T15:04:05,12Z',
    '2006-01-02T15:04:05Z something',
    '2006-01-02 15:04:05 IST',
    '2006-01-02 15:04:05 PST',
    '2006-01-02 15:04:05 XYZ',
    '2006-01-02 15:04:05 Europe/Nowhere',
    '0001-01-01T00:00:00Z',
    '1600-01-01 00:00:00',
    '9999-12-31T23:59:59Z',
    '1/2/2006 15:04:05',
    '13/2/2006 3:04:05 PM',
    '13/13/2006 15:04:05',
    '1/25/2006 13:04:05 PM',
    '1/25/2006 0:04:05 AM',
    '32/Jan/2006:15:04:05 +0000',
    '30/Feb/2006:15:04:05 +0000',
    'Abc 12 10:00:00',
    'Jan 32 10:00:00',
    'I1301 15:04:05.678901',
    '061302 15:04:05',
    '/Date(soon)/',
    '@4000000043b940ee',
    '1e9999',
    '1562529662.',
    '.5',
    '0x5d2250fe',
    '1562529662 UTC',
    '١٥٦٢٥٢٩٦٦٢',
  ])('the text %j', (text) => {
    expect(readTime(text, exampleContext)).toBeUndefined()
  })

  test.each([
    'a line of words',
    '1562529662 records were read'.slice(1),
    '123456789012 is an order',
    '4102444800 is behind now',
    '2006 was a year',
    '2006-01-02 was a day',
    '10 Downing Street',
    '[12345.678901] usb 1-1: new device',
    'May I 10:20 ask',
    'port 8080 10:20:30',
    '1.2.3.4 - - [10/Foo/2000:13:55:36 -0700] "GET / HTTP/1.0"',
    '2006-01-02 15:04:05.123ms',
    '2006-01-02T15:04:05-15:06:00 is a range',
  ])('a line that begins %j', (line) => {
    expect(leadingTime(line, exampleContext)).toBeUndefined()
  })

  test('values that are neither texts nor numbers', () => {
    expect(readTime(true, exampleContext)).toBeUndefined()
    expect(readTime(null, exampleContext)).toBeUndefined()
  })

  test('a megabyte of anything', () => {
    for (const part of [
      '2006-01-02T15:04:05.',
      '1',
      '2006-01-02 ',
      ' ',
      '[',
      'Jan ',
      'Jan  2 2006, ',
      'Mon, ',
      '/Date(1',
      'é',
    ]) {
      for (const text of [
        part.repeat(2 ** 20 / part.length),
        part + '1'.repeat(2 ** 20),
        `${part}${' '.repeat(2 ** 20)}`,
      ]) {
        expect(readTime(text, exampleContext)).toBeUndefined()
        leadingTime(text, exampleContext)
      }
    }
  })
})
