import { dropColor, parseStreamName, printStreamName } from '../../../src/data/index.ts'
import { describe, expect, test } from 'vitest'
import { JsonText, readTextPattern } from '../../../src/data/index.ts'
import { compileUnpackWords } from '../../../src/functions/rows/lists.ts'
import { always, compileRegexp, parseRfc3339, valueMeter, runWithBudget, type Meter } from '../../../src/base/index.ts'
import {
  applyPattern,
  base64Decode,
  base64Encode,
  eachChunk,
  flattenJson,
  hexDecode,
  hexEncode,
  hexNumDecode,
  hexNumEncode,
  isNaturallyLess,
  jsonItems,
  parseSyslog,
  replaceMatches,
  replaceText,
  splitText,
  urlDecode,
  urlEncode,
} from '../../../src/functions/index.ts'

/** Returns how often a function checks the limits of its query. */
function looksOf(run: () => unknown): number {
  let looks = 0
  runWithBudget({ checkpoint: () => looks++ }, run)
  return looks
}

describe('patterns', () => {
  test.each([
    ['ip=<ip> ', 'x ip=1.2.3.4 y', ['1.2.3.4']],
    ['<a>,<_>,<b>', '1,2,3', ['1', '3']],
    ['<a>=<b>;', 'x="1;2"; y', ['x', '1;2']],
    ['[<plain:a>]', '["x"]', ['"x"']],
    ['no <a> here', 'nothing', ['']],
    ['&lt;<a>&gt;', '<x>', ['x']],
    ['<a>', '', ['']],
  ])('%j on %j', (pattern, text, values) => {
    const steps = readTextPattern(pattern)
    expect(typeof steps === 'string' ? steps : applyPattern(steps, text)).toEqual(values)
  })
})

describe('replacing', () => {
  test('replacing many matches looks at the limits of the query again and again', () => {
    const text = 'ab'.repeat(10_000)
    expect(looksOf(() => replaceText(text, 'a', 'x', 0, valueMeter()))).toBeGreaterThanOrEqual(39)
    expect(looksOf(() => replaceMatches(text, compileRegexp('a', false), 'x', 0, valueMeter()))).toBeGreaterThanOrEqual(
      39,
    )
  })

  test.each([
    ['aaa', 'a', 'b', 2, 'bba'],
    ['aaa', '', 'b', 0, 'aaa'],
    ['abab', 'ab', '', 0, ''],
  ])('%j', (text, old, by, limit, replaced) => {
    expect(replaceText(text, old, by, limit, valueMeter())).toBe(replaced)
  })

  test.each([
    ['a1b22', '\\d+', '<$0>', 0, 'a<1>b<22>'],
    ['k=v', '(?P<k>\\w)=(?P<v>\\w)', '$v=${k}$$', 0, 'v=k$'],
    ['abc', 'x*', '-', 0, '-a-b-c-'],
    ['a😀b', '', '.', 0, '.a.😀.b.'],
    ['aXbX', 'X', '$9', 1, 'abX'],
  ])('%j by %j', (text, pattern, by, limit, replaced) => {
    expect(replaceMatches(text, compileRegexp(pattern, false), by, limit, valueMeter())).toBe(replaced)
  })
})

describe('encodings', () => {
  test.each([
    ['', '', ''],
    ['aé😀', '61C3A9F09F9880', 'YcOp8J+YgA=='],
    ['any', '616E79', 'YW55'],
  ])('%j', (text, hex, base64) => {
    expect(hexEncode(text)).toBe(hex)
    expect(hexDecode(hex)).toBe(text)
    expect(base64Encode(text)).toBe(base64)
    expect(base64Decode(base64)).toBe(text)
    expect(urlDecode(urlEncode(text))).toBe(text)
  })

  test('long texts are changed in turns, cut between characters, escapes and bytes', () => {
    for (const pattern of ['é😀 +%', 'a', '😀', "!'(*)é", 'x😀y', '\ud800x']) {
      // The prefix shifts the pattern, so that chunk boundaries fall on each of its positions.
      for (const shift of ['', 'a', 'ab', 'abc']) {
        const text = `${shift}${pattern.repeat(Math.ceil(30_000 / pattern.length))}`
        const bytes = Buffer.from(text)
        const wellFormed = text.toWellFormed()
        expect(hexEncode(text)).toBe(bytes.toString('hex').toUpperCase())
        expect(hexDecode(bytes.toString('hex'))).toBe(wellFormed)
        expect(base64Encode(text)).toBe(bytes.toString('base64'))
        expect(base64Decode(bytes.toString('base64'))).toBe(wellFormed)
        expect(urlDecode(encodeURIComponent(wellFormed))).toBe(wellFormed)
        expect(urlDecode(urlEncode(text))).toBe(wellFormed)
        expect(eachChunk(text, (piece) => JSON.stringify(piece).slice(1, -1))).toBe(JSON.stringify(text).slice(1, -1))
        expect(looksOf(() => hexEncode(text))).toBeGreaterThan(1)
      }
    }
    for (const wrong of ['%E2%82', '%', '%%41', '%80', '%zz', '%e2%82%41']) {
      const text = `${'%e2%82%ac'.repeat(3000)}${wrong}${'%e2%82%ac'.repeat(3000)}`
      expect(urlDecode(text)).toBe(text)
    }
  })

  test('characters that are not encoded stay unchanged', () => {
    expect([hexDecode('abc'), base64Decode('a'), urlDecode('%zz'), hexNumDecode('x'), hexNumEncode('-1')]).toEqual([
      'abc',
      'a',
      '%zz',
      'x',
      '-1',
    ])
    expect([hexNumEncode('255'), hexNumDecode('00000000000000FF')]).toEqual(['00000000000000FF', '255'])
    expect(urlEncode("a b&'(*)")).toBe('a+b%26%27%28%2A%29')
  })
})

describe('JSON', () => {
  test('members become fields', () => {
    expect(flattenJson('{"a":{"b":1,"c":[1]},"d":null,"e":{}}', 'p.', [])?.map(([name]) => name)).toEqual([
      'p.a.b',
      'p.a.c',
    ])
    expect(flattenJson('{"a":{"b":{"c":1}}}', '', ['a.b'])?.map(([name]) => name)).toEqual(['a.b'])
    expect(flattenJson('{"__proto__":{"x":1}}', '', [])).toEqual([['__proto__.x', 1]])
    expect(flattenJson('{"x":NaN,"y":"NaN"}', '', [])).toEqual([
      ['x', 'NaN'],
      ['y', 'NaN'],
    ])
    expect(flattenJson('[1]', '', [])).toBeUndefined()
    expect(flattenJson('{"a"', '', [])).toBeUndefined()
  })

  test('items of lists', () => {
    expect(jsonItems(' [1,"a",null]')).toEqual([1, 'a', null])
    expect(jsonItems('{"a":1}')).toEqual([])
    expect(jsonItems('[1')).toEqual([])
    expect(splitText('a,,b', ',', valueMeter())).toEqual(['a', '', 'b'])
    expect(splitText('a😀', '', valueMeter())).toEqual(['a', '😀'])
  })
})

describe('names of streams', () => {
  test.each<[string, [string, string][] | undefined]>([
    ['{}', []],
    [
      '{a="b", c="d\\"e"}',
      [
        ['a', 'b'],
        ['c', 'd"e'],
      ],
    ],
    ['{a=b}', undefined],
    ['{a="b"', undefined],
    ['{a="b"} x', undefined],
  ])('%j', (text, labels) => {
    expect(parseStreamName(text)).toEqual(labels)
  })

  test('printed sorted, without empty labels', () => {
    expect(
      printStreamName([
        ['b', 'x'],
        ['a', '"'],
        ['c', ''],
      ]),
    ).toBe('{a="\\"",b="x"}')
  })
})

describe('syslog', () => {
  const context = { nowNs: parseRfc3339('2026-01-05T00:00:00Z') ?? 0n, offsetNs: 0n }
  const fields = (line: string): Record<string, string> => Object.fromEntries(parseSyslog(line, context))

  test('a date well ahead of now is of last year', () => {
    expect(fields('Dec 31 23:59:59 h app: x')['timestamp']).toBe('2025-12-31T23:59:59Z')
    expect(fields('Jan  5 12:00:00 h app: x')['timestamp']).toBe('2026-01-05T12:00:00Z')
  })

  test('local time is moved to UTC', () => {
    const moved = parseSyslog('Jan  5 01:00:00 h app: x', { ...context, offsetNs: 7_200_000_000_000n })
    expect(Object.fromEntries(moved)['timestamp']).toBe('2026-01-04T23:00:00Z')
  })

  test.each<[string, Record<string, string>]>([
    ['  <14>Jan  5 01:00:00 h app: x', { priority: '14', hostname: 'h', app_name: 'app', message: 'x' }],
    ['\t<14> Jan  5 01:00:00 h app: \t x ', { hostname: 'h', app_name: 'app', message: 'x ' }],
    [' <14>1 2026-01-05T00:00:00Z h a 1 m -   x', { format: 'rfc5424', hostname: 'h', message: 'x' }],
    ['<14> 1 - h a 1 m [y z="1"]  x', { format: 'rfc5424', 'y.z': '1', message: 'x' }],
    ['  CEF:0|v|p|1|sig|name|5|src=1', { 'cef.name': 'name', 'cef.extension.src': '1' }],
    ['<14>  CEF:0|v|p|1|sig|name|5|', { 'cef.name': 'name' }],
    ['Jan  5 01:00:00 h app:   CEF:0|v|p|1|sig|name|5|', { app_name: 'app', 'cef.name': 'name' }],
    ['\t@cee: {"a":"b"}', { a: 'b' }],
    ['<14>1 - h a - -   @cee:{"a":"b"}', { app_name: 'a', a: 'b' }],
    [' \t foo bar', { format: 'rfc3164', message: 'foo bar' }],
    ['2026-01-05T00:00:00Z', { format: 'rfc3164', message: '2026-01-05T00:00:00Z' }],
    ['2026-01-05T00:00:00+0700', { message: '2026-01-05T00:00:00+0700' }],
    ['2026-01-05T00:00:00+0700 h app: x', { timestamp: '2026-01-04T17:00:00Z', hostname: 'h', message: 'x' }],
    ['Jan  5 01:00:00', { format: 'rfc3164', timestamp: '2026-01-05T01:00:00Z' }],
  ])('blanks and times: %j', (line, found) => {
    const { message } = fields(line)
    expect(fields(line)).toMatchObject(found)
    expect(message).toBe(found['message'])
  })

  test('blanks alone have no fields, and behind a header no message', () => {
    expect(fields('  \t ')).toEqual({})
    expect(fields('Jan  5 01:00:00 h app:  ')).not.toHaveProperty('message')
    expect(fields('<14>1 - h a - -   ')).not.toHaveProperty('message')
  })

  test('structured data that is broken is part of the message', () => {
    expect(fields('<14>1 - h a - - [x a="b] rest')).toMatchObject({ message: '[x a="b] rest' })
  })

  test('parameters without quotes, and without an id', () => {
    expect(fields('<14>1 - h a 1 m [x a=b c="d e" f=g][y] [z] rest')).toMatchObject({
      'x.a': 'b',
      'x.c': 'd e',
      'x.f': 'g',
      y: '',
      message: '[z] rest',
    })
    expect(fields('<14>1 - h a 1 m [a=b c="d"] rest')).toMatchObject({ a: 'b', c: 'd', message: 'rest' })
    expect(fields('<14>1 - h a 1 m [x a=] rest')).toMatchObject({ 'x.a': '', message: 'rest' })
    expect(fields('<14>1 - h a 1 m [x a=b rest')).toMatchObject({ message: '[x a=b rest' })
  })

  test.each([
    [
      '<14>CEF:0|v|p|1|sig|name|5|src=1 msg=a b',
      { 'cef.severity': '5', 'cef.extension.src': '1', 'cef.extension.msg': 'a b' },
    ],
    ['CEF:0|v|p|1|sig|name|5|', { 'cef.severity': '5' }],
    ['<14>CEF:0|v|p|1|sig|name|5|', { 'cef.name': 'name', 'cef.severity': '5' }],
    ['<14>CEF:0|v|p|1|sig|name|5|  src=1', { 'cef.extension.src': '1' }],
    [
      String.raw`CEF:0|v\|w|p\\|1|sig|na\=me|5|a=b\=c d=e\\ f=g\|h x\=y=z`,
      {
        'cef.device_vendor': 'v|w',
        'cef.device_product': 'p\\',
        'cef.name': 'na=me',
        'cef.extension.a': 'b=c',
        'cef.extension.d': 'e\\',
        'cef.extension.f': 'g|h',
        'cef.extension.x=y': 'z',
      },
    ],
    ['<14>CEF:0|v|p|1|sig|name|5', { message: 'CEF:0|v|p|1|sig|name|5' }],
  ])('CEF: %s', (line, found) => {
    expect(fields(line)).toMatchObject(found)
  })

  test('a priority that is none', () => {
    expect(fields('<999>x')).toEqual({ format: 'rfc3164', message: '<999>x' })
  })
})

test.each([
  ['\u001b[1;31mred\u001b[0m [x]', 'red [x]'],
  ['cut \u001b[', 'cut '],
  ['cut \u001b[1;3', 'cut '],
  ['cut by another \u001b[1\u001b[0mx', 'cut by another x'],
  ['\u001b[38;5;196mq\u001b[!px', 'qx'],
  ['\u001b[ 3x', 'x'],
  ['\u001b[é', 'é'],
  ['\u001b[?25hx\u001b[<1;2Mx', 'xx'],
  ['\u001b]x [31m', '\u001b]x [31m'],
])('colours: %j', (text, without) => {
  expect(dropColor(text)).toBe(without)
})

test.each([
  ['a2', 'a10', true],
  ['90m', '1h', false],
  ['v1.2', 'v1.10', true],
  ['a', 'a1', true],
])('natural order: %j before %j', (a, b, isLess) => {
  expect(isNaturallyLess(a, b)).toBe(isLess)
})

test('a list of the parts of a text is refused before there are too many', () => {
  const asked: number[] = []
  const meter: Meter = {
    ...valueMeter(),
    items: (count) => {
      asked.push(count)
      if (count > 5000) throw new Error('too many')
    },
  }
  const long = 'a b '.repeat(100_000)
  for (const separator of ['', ' ']) expect(() => splitText(long, separator, meter)).toThrow('too many')
  const unpack = (isDistinct: boolean) =>
    compileUnpackWords(
      { from: 'a', into: 'a', isDistinct },
      { nowNs: 0n, range: always, meter },
    )(new Map([['a', long]]))
  expect(() => unpack(false)).toThrow('too many')
  expect(Math.max(...asked)).toBeLessThanOrEqual(5000 + 1024)
  // Repeated words are removed from a list of distinct words.
  expect(unpack(true)).toEqual(new Map([['a', new JsonText('["a","b"]')]]))
})
