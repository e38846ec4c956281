import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { SluiceError, seededRandom, type Random } from '../../src/base/index.ts'
import type { PlainJson } from '../../src/data/index.ts'
import { readMonitor, type DocumentBody } from '../../src/resources/index.ts'
import { isSameDuration, monitorDurationNs } from '../../src/resources/monitors/duration.ts'
import { MAX_YAML_BYTES, parseYaml } from '../../src/resources/monitors/read-body.ts'
import { toYaml } from '../../src/resources/monitors/to-yaml.ts'

function read(text: string, isJson = false): DocumentBody {
  return readMonitor(new TextEncoder().encode(text), isJson).body
}

function codeOf(text: string, isJson = false): string {
  try {
    read(text, isJson)
    return 'none'
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
}

/** Parses YAML under the rules of version 1.1. */
function readOld(text: string): unknown {
  const document = parseDocument(text, { version: '1.1', intAsBigInt: true })
  if (document.errors.length > 0) throw document.errors[0]
  return document.toJS()
}

function withBigInts(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value)
  if (Array.isArray(value)) return value.map(withBigInts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withBigInts(member)]))
}

describe('YAML out and in', () => {
  const texts = [
    'a\n---\ntitle: b',
    '- x',
    '*alias',
    '&anchor x',
    '!tag x',
    '# no comment',
    'x # y',
    'a: b',
    '{a: b}',
    '[a]',
    '"',
    "'",
    '|',
    '>',
    '%YAML 1.1',
    '...',
    '---',
    '@x',
    '`x`',
    'yes',
    'No',
    'on',
    'y',
    '~',
    'null',
    'true',
    '1_000',
    '0o7',
    '0x1F',
    '1e3',
    '.5',
    '.inf',
    '12:30:45',
    '2026-01-01',
    '=',
    '<<',
    '',
    ' ',
    ' lead',
    'trail ',
    'tab\there',
    'cr\rlf\r\n',
    '\n',
    '\n\n',
    'a\n',
    'a\n\n',
    ' a\n b\n',
    'a\n  \n',
    '\u0000\u0007\u001b[31m',
    '\u0085',
    '\u2028\u2029',
    '\ufeff',
    '\u00a0',
    '\ud800',
    'x\udfff',
    '😀',
    '__proto__',
    'constructor',
    'ÄRGER',
    '日本',
    'x'.repeat(300),
    'long words '.repeat(30),
  ]

  function check(body: DocumentBody): void {
    const yaml = toYaml(body)
    expect(parseYaml(yaml), yaml).toEqual(body)
    expect(readOld(yaml), yaml).toEqual(withBigInts(body))
    // oxlint-disable-next-line no-control-regex
    expect(yaml).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/)
  }

  test.each(texts)('%j as a value, a name and an item', (text) => {
    check({ title: text })
    check(Object.fromEntries([[text, text]]))
    check({ labels: Object.fromEntries([[text, { list: [text, [text]] }]]), after: 'x' })
  })

  function value(random: Random, depth: number): PlainJson {
    const kind = random.below(depth > 3 ? 5 : 7)
    if (kind === 0) return random.pick([true, false, null])
    if (kind === 1) return random.pick([0, -1, 1.5, 1e21, 1e-7, 2 ** 53, 9007199254740993n, -(10n ** 30n)])
    if (kind <= 4) return random.pick(texts) + (random.next() < 0.3 ? random.pick(texts) : '')
    const count = random.below(4)
    if (kind === 5) return Array.from({ length: count }, () => value(random, depth + 1))
    return Object.fromEntries(Array.from({ length: count }, () => [random.pick(texts), value(random, depth + 1)]))
  }

  test('2,000 random definitions come back the same from readers of both versions', () => {
    for (let seed = 0; seed < 2000; seed++) {
      const random = seededRandom(seed)
      check({ title: random.pick(texts), x: value(random, 0), y: value(random, 0) })
    }
  })
})

describe('reading a body', () => {
  test('unknown members are kept at every depth, known ones get their spelling', () => {
    const given = {
      Title: 'a',
      vendor: { Deep: [null, { x: 1 }] },
      MODEL: {
        queries: [
          {
            DataType: 'logs',
            sqlPipeline: { selectors: [{ Key: 'a', hint: 1, processors: null }], tryBuckets: true, limit: '5' },
            rollup: { function: 'sum', time: 60 },
            conditions: [{ key: 'a', filters: [{ op: 'eq', value: 9007199254740992 }], ui: {} }],
          },
        ],
      },
    }
    const text = JSON.stringify(given).replace('9007199254740992', '9007199254740993')
    expect(read(text)).toEqual({
      title: 'a',
      vendor: { Deep: [null, { x: 1 }] },
      model: {
        queries: [
          {
            dataType: 'logs',
            sqlPipeline: { selectors: [{ key: 'a', hint: 1 }], tryBuckets: true, limit: 5 },
            rollup: { function: 'sum', time: 60 },
            conditions: [{ key: 'a', filters: [{ op: 'eq', value: 9007199254740993n }], ui: {} }],
          },
        ],
      },
    })
  })

  test.each(['json', 'yaml'])('names that are special to the language are ordinary names, in %s', (kind) => {
    const text =
      '{"__proto__":{"polluted":1},"labels":{"__proto__":"x","constructor":"y"},"model":{"queries":[{"__proto__":{"polluted":2}}]}}'
    const body = read(kind === 'json' ? text : `# yaml\n${text}`)
    expect(JSON.stringify(body)).toBe(text)
    expect(toYaml(body)).toContain('__proto__')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
  })

  const bombs: readonly (readonly [string, string, string])[] = [
    [
      'laughs',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((n, i) => `${n}: &${n} [${Array(10).fill(`*${'abcdefghij'[i]}`).join()}]`)
        .join('\n')}\n`,
      'resources/yaml-feature',
    ],
    ['a circle', 'title: a\nx: &x [*x]\n', 'wire/too-deep'],
    ['a wide anchor, used often', `x: &x [${'a,'.repeat(3000)}b]\ny: [${'*x,'.repeat(90)}*x]\n`, 'resources/too-large'],
    ['brackets', '['.repeat(200_000), 'wire/too-deep'],
    ['braces', '{a: '.repeat(60_000), 'wire/too-deep'],
    ['dashes', `x:\n${'- '.repeat(100_000)}`, 'wire/too-deep'],
    ['question marks', '? '.repeat(100_000), 'wire/too-deep'],
    ['indentation', Array.from({ length: 400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 'wire/too-deep'],
    ['JSON brackets', `{"x":${'['.repeat(300_000)}`, 'wire/too-deep'],
    ['length', `x: ${'a'.repeat(MAX_YAML_BYTES)}`, 'resources/too-large'],
    ['many values', `{"x":[${'1,'.repeat(30_000)}1]}`, 'resources/too-large'],
    ['an alias of nothing', 'x: *nobody\n', 'resources/yaml-feature'],
    ['a name twice', 'title: a\ntitle: b\n', 'resources/not-yaml'],
    ['a merge', 'a: &a {b: 1}\nx:\n  <<: *a\n', 'none'],
    ['bytes that are no text', '', 'wire/empty-body'],
  ]

  test.each(bombs)('%s are bounded', (_, text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  test('a body that is not UTF-8', () => {
    const bytes = Uint8Array.from([0x74, 0x3a, 0x20, 0xff])
    expect(() => readMonitor(bytes, false)).toThrow('not UTF-8')
  })
})

test.each([
  ['10 minutes', '10m'],
  ['1d', '24h'],
  ['1m', '1m0s'],
  ['90s', '1 minute 30 seconds'],
  ['0s', '0'],
])('%s is as long as %s', (a, b) => {
  expect(isSameDuration(a, b)).toBe(true)
})

test('what is not a duration, or another one', () => {
  expect(isSameDuration('1m', '1h')).toBe(false)
  expect(isSameDuration('soon', 'later')).toBe(false)
  expect(isSameDuration('soon', 'soon')).toBe(true)
  expect(monitorDurationNs('ten minutes')).toBeUndefined()
  expect(monitorDurationNs('10 parsecs')).toBeUndefined()
})

describe('JSON is JSON', () => {
  test.each([
    '{"title":}',
    '{"title":"x",}',
    '{title: y1}',
    "{'title':'x'}",
    'title: x',
    '{"title":"x"} # y',
    '{"a":.5}',
    '[',
    '- a',
  ])('%s is YAML at best', (text) => {
    expect(codeOf(text, true)).toBe('wire/not-json')
  })

  test('a body that is JSON reads the same under either type', () => {
    const text = '{"title":"x","labels":{"a":"1"},"model":{"queries":[{"rollup":{"time":60}}]}}'
    expect(read(text, true)).toEqual(read(text, false))
  })

  test('labels and annotations are texts', () => {
    for (const member of ['labels', 'annotations', 'LABELS'])
      for (const value of ['1', '1.5', 'true', '[]', '{}', '12345678901234567890'])
        expect([member, value, codeOf(`{"${member}":{"a":${value}}}`, true)]).toEqual([
          member,
          value,
          'wire/wrong-type',
        ])
    expect(read('{"labels":{"a":"1"},"annotations":{"b":"true"}}', true)).toEqual({
      labels: { a: '1' },
      annotations: { b: 'true' },
    })
  })

  test('bare words of YAML are the texts that are written', () => {
    expect(read('labels: {a: 1.50, b: true, c: 0x1F, d: 12345678901234567890, e: "2", f: yes, g: -.inf}')).toEqual({
      labels: { a: '1.50', b: 'true', c: '0x1F', d: '12345678901234567890', e: '2', f: 'yes', g: '-.inf' },
    })
    expect(read('x: &m {a: 1.0}\nannotations: *m')).toMatchObject({ annotations: { a: '1.0' } })
    expect(read('{"labels":{"a":true,"n":5}}')).toEqual({ labels: { a: 'true', n: '5' } })
    expect(codeOf('labels: {a: [1]}')).toBe('wire/wrong-type')
  })

  test('the time of a rollup is a whole number or a duration', () => {
    const withTime = (time: string): string => `{"model":{"queries":[{"rollup":{"time":${time}}}]}}`
    for (const time of ['60', '"60"', '"10m"', '"1.5h"', '"10 minutes"'])
      expect(codeOf(withTime(time), true)).toBe('none')
    expect(codeOf(withTime('1.5'), true)).toBe('wire/wrong-type')
    expect(codeOf(withTime('true'), true)).toBe('wire/wrong-type')
    expect(codeOf(withTime('"1.5"'), true)).toBe('resources/bad-duration')
    expect(codeOf('model: {queries: [{rollup: {time: 1.5}}]}')).toBe('wire/wrong-type')
  })
})
