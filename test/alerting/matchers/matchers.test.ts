import { describe, expect, test } from 'vitest'
import {
  compileMatchers,
  matchesEmpty,
  parseMatcher,
  parseMatchers,
  readSilenceMatcher,
  readSilenceMatchers,
} from '../../../src/alerting/matchers/index.ts'
import { SluiceError, spanOf } from '../../../src/base/index.ts'
import { Labels } from '../../../src/data/index.ts'

function errorOf(run: () => unknown): SluiceError {
  try {
    run()
  } catch (error) {
    if (error instanceof SluiceError) return error
  }
  throw new Error('expected a SluiceError')
}

describe('text syntax of matchers', () => {
  test.each([
    ['env="prod"', { label: 'env', op: '=', value: 'prod' }],
    ['env=~pro.*', { label: 'env', op: '=~', value: 'pro.*' }],
    [' env != prod ', { label: 'env', op: '!=', value: 'prod' }],
    ['env=a,b=c', { label: 'env', op: '=', value: 'a,b=c' }],
    ['env=', { label: 'env', op: '=', value: '' }],
    [String.raw`env=~"a\.b\"\n"`, { label: 'env', op: '=~', value: 'a\\.b"\n' }],
    ['"a b"!~x', { label: 'a b', op: '!~', value: 'x' }],
    ['größe="1"', { label: 'größe', op: '=', value: '1' }],
  ])('one matcher: %s', (text, expected) => {
    expect(parseMatcher(text)).toEqual(expected)
  })

  test.each([
    ['{a="b", c!=d,}', 2],
    ['a="b",c=~"x,y"', 2],
    ['{}', 0],
    ['', 0],
  ])('a list: %s', (text, count) => {
    expect(parseMatchers(text)).toHaveLength(count)
  })

  test.each([
    ['env', 3],
    ['', 0],
    ['{env=a}', 0],
    ['env="a', 4],
    ['env="a" b', 8],
    ['=a', 0],
  ])('refuses %s at its position', (text, offset) => {
    const { diagnostics } = errorOf(() => parseMatcher(text))
    expect(diagnostics[0]?.code).toBe('matchers/bad-matcher')
    expect(spanOf(diagnostics[0]!.origin)?.start).toBe(offset)
  })

  test.each(['{a="b"', 'a="b"}', 'a="b" c="d"', '{a="b"}x'])('refuses the list %s', (text) => {
    expect(errorOf(() => parseMatchers(text)).code).toBe('matchers/bad-matcher')
  })

  test('refuses patterns that are not RE2', () => {
    expect(errorOf(() => parseMatcher('a=~"(?=x)"')).code).toBe('matchers/bad-pattern')
  })
})

describe('matching', () => {
  const labels = Labels.of({ env: 'prod', note: 'a\nb' })

  test.each([
    ['env=prod', true],
    ['env=~pro', false],
    ['env=~pro.*', true],
    ['missing=""', true],
    ['missing!=x', true],
    ['missing!~".+"', true],
    ['note=~a.b', false],
    ['note=~(?s)a.b', true],
  ])('%s is %s', (text, expected) => {
    expect(compileMatchers([parseMatcher(text)])(labels)).toBe(expected)
  })

  test('matchers that hold for the empty string alone are recognized', () => {
    expect(matchesEmpty(parseMatchers('a=~".*",b=""'))).toBe(true)
    expect(matchesEmpty(parseMatchers('a=~".*",b="x"'))).toBe(false)
    expect(matchesEmpty(parseMatchers('a!="x"'))).toBe(false)
  })
})

describe('matchers of silences', () => {
  test.each([
    [{ Name: 'a', Type: 0, Value: 'x' }, '='],
    [{ Name: 'a', Type: 1, Value: 'x' }, '!='],
    [{ Name: 'a', Type: 2, Value: 'x' }, '=~'],
    [{ Name: 'a', Type: 3, Value: 'x' }, '!~'],
    [{ name: 'a', value: 'x', isEqual: false, isRegex: true }, '!~'],
    [{ name: 'a', value: 'x' }, '='],
  ])('%j means %s', (shape, op) => {
    expect(readSilenceMatcher(shape, [])).toEqual({ label: 'a', op, value: 'x' })
  })

  test('a silence for everything is refused, one without matchers is not', () => {
    expect(errorOf(() => readSilenceMatchers([{ name: 'a', value: '' }], [])).code).toBe('matchers/matches-everything')
    expect(readSilenceMatchers([], [])).toEqual([])
  })
})
