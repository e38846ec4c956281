import { describe, expect, test } from 'vitest'
import { Instant, JsonText } from '../../src/data/index.ts'
import { detectFormat, isBadLine, jsonLines, logfmt, plainText } from '../../src/ingest/index.ts'
import { parseRfc3339 } from '../../src/base/index.ts'

const nowNs = parseRfc3339('2026-03-10T12:00:00Z') ?? 0n
const text = plainText({ nowNs })

function record(format: typeof jsonLines, line: string): Record<string, unknown> {
  const decoded = format.decode(line)
  if (isBadLine(decoded)) throw new Error(decoded.reason)
  return Object.fromEntries(decoded)
}

describe('JSON lines', () => {
  test('flattens objects with dots, keeps arrays as JSON, drops null', () => {
    expect(record(jsonLines, '{"a":{"b":1,"c":{"d":"x"}},"e":[1,{"f":2}],"g":null,"h":true}')).toEqual({
      'a.b': 1,
      'a.c.d': 'x',
      e: new JsonText('[1,{"f":2}]'),
      h: true,
    })
  })

  test.each([
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807', 9223372036854775807n],
    ['9007199254740992', 9007199254740992],
    ['-0', new JsonText('-0')],
    ['1.5e3', new JsonText('1.5e3')],
  ])('keeps the number %s exactly', (source, value) => {
    expect(record(jsonLines, `{"n":${source}}`)).toEqual({ n: value })
  })

  test.each([
    ['{"a":', 'not JSON'],
    ['[1]', 'must be an object'],
    ['{}', 'without a value'],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'nested deeper'],
  ])('refuses %s', (line, reason) => {
    const decoded = jsonLines.decode(line)
    expect(isBadLine(decoded) && decoded.reason).toContain(reason)
  })

  test('a prototype key is a field like any other', () => {
    expect([...(jsonLines.decode('{"__proto__":"x","constructor":1}') as Map<string, unknown>)]).toEqual([
      ['__proto__', 'x'],
      ['constructor', 1],
    ])
  })
})

describe('logfmt', () => {
  test('pairs, quotes, escapes and flags', () => {
    expect(record(logfmt, 'level=info msg="a \\"b\\"\\n" n=5 done empty=')).toEqual({
      level: 'info',
      msg: 'a "b"\n',
      n: '5',
      done: true,
      empty: '',
    })
    expect(record(logfmt, `path="C:\\dir\\x" q='a b' "k k"="\\"v\\""`)).toEqual({
      path: 'C:\\dir\\x',
      q: 'a b',
      'k k': '"v"',
    })
  })
  test('lines that are not logfmt are reported', () => {
    expect(logfmt.decode('a=1 =2')).toEqual({ reason: 'a `=` has no key before it' })
    expect(logfmt.decode('a=1 b="open')).toEqual({ reason: 'the quoted value of `b` is not closed', isOpen: true })
    expect(logfmt.decode('no pairs')).toEqual({ reason: 'no key=value pair' })
  })
})

describe('plain text', () => {
  test.each([
    ['2026-01-02 03:04:05,678 WARN disk nearly full', '2026-01-02T03:04:05.678Z', 'warn'],
    ['2026-01-02T03:04:05.123456789+01:00 [ERROR] x', '2026-01-02T02:04:05.123456789Z', 'error'],
    ['Mar  9 08:07:06 host app: started', '2026-03-09T08:07:06Z', undefined],
    ['Dec 31 23:59:59 host app: fatal: gone', '2025-12-31T23:59:59Z', 'fatal'],
    ['I0309 08:07:06.000123 1 main.go:1] up', '2026-03-09T08:07:06.000123Z', 'info'],
    ['10.0.0.1 - - [10/Feb/2026:13:55:36 -0700] "GET / HTTP/1.1" 200 1', '2026-02-10T20:55:36Z', undefined],
    ['1767323045.5 info hello', '2026-01-02T03:04:05.5Z', 'info'],
  ])('finds time and level in %s', (line, time, level) => {
    const row = record(text, line)
    expect(row._time).toEqual(new Instant(parseRfc3339(time) ?? -1n))
    expect(row.level).toBe(level)
    expect(row.content).toBe(line)
  })

  test('no time that is not there', () => {
    expect(record(text, '2026-13-45 99:99:99 hello')).toEqual({ content: '2026-13-45 99:99:99 hello' })
  })
})

test('the format is detected from sample lines', () => {
  const formats = [jsonLines, logfmt, text] as const
  expect(detectFormat(['{"a":1}', '{"b":2}'], formats).name).toBe('json')
  expect(detectFormat(['level=info msg="x y"', 'level=warn msg=z a=b'], formats).name).toBe('logfmt')
  expect(detectFormat(['hello world', 'GET /a?b=c'], formats).name).toBe('text')
})

describe('the level of a line of text', () => {
  const level = (line: string): unknown => {
    const row = text.decode(line)
    return isBadLine(row) ? undefined : row.get('level')
  }

  test.each([
    ['2026-01-02T03:04:05Z no critical updates found'],
    ['2026-01-02T03:04:05Z request completed without error in 5 ms'],
    ['2026-01-02T03:04:05Z user debug logged in'],
    ['2026-01-02T03:04:05Z The Error page was shown'],
    ['2026-01-02T03:04:05Z see info.txt (no error)'],
    ['2026-01-02T03:04:05Z 3 warnings, first "panic button"'],
    ['Jan  2 03:04:05 web app[7]: finished without error'],
    ['0 errors found in the alert queue'],
  ])('%s has none, because the word belongs to a sentence', (line) => {
    expect(level(line)).toBeUndefined()
  })

  test.each([
    ['2026-01-02T03:04:05Z ERROR the disk is full', 'error'],
    ['2026-01-02T03:04:05Z error the disk is full', 'error'],
    ['2026-01-02T03:04:05Z [main] Warning: no disk', 'warn'],
    ['2026-01-02T03:04:05Z [main] com.example.Disk - ERROR - full', 'error'],
    ['2026-01-02T03:04:05Z [INF] no error', 'info'],
    ['2026-01-02T03:04:05Z main.go:12: error: full', 'error'],
    ['2026-01-02T03:04:05Z\tinfo\tmain\tno error', 'info'],
    ['2026-01-02T03:04:05Z core <warning> full', 'warn'],
    ['2026-01-02T03:04:05Z disk - notice - full', 'notice'],
    ['2026-01-02T03:04:05Z disk: {"level":"fatal"}', 'fatal'],
    ['2026-01-02T03:04:05Z disk level=debug full', 'debug'],
    ['Jan  2 03:04:05 web app[7]: error: full', 'error'],
    ['info: Example.Disk[0]', 'info'],
    ['[info     ] full', 'info'],
    ['10:11:12 WARN full', 'warn'],
  ])('%s has %s', (line, expected) => {
    expect(level(line)).toBe(expected)
  })
})
