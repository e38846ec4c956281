import { describe, expect, test } from 'vitest'
import { SluiceError, compileRegexp, regexpFault, runWithBudget } from '../../src/base/index.ts'

describe('compileRegexp', () => {
  test.each(['(?i)zebra', '[a-z]{3}\\d{20}', '(?:a|b|c)+[xyz]{2}[à-ü]', '(?i)(\\w+)\\s?@', '[^ ]+[😀-😅]'])(
    '%j looks at the limits while it searches a long text',
    (pattern) => {
      const regexp = compileRegexp(pattern, false)
      const text = 'GET /users/12345 took 35 ms '.repeat(20_000)
      let looks = 0
      runWithBudget({ checkpoint: () => void looks++ }, () => {
        expect(regexp.find(text)).toBeUndefined()
        expect(regexp.test(text)).toBe(false)
      })
      expect(looks).toBeGreaterThan(40)
      // The match must equal the one in a short string.
      const tail = 'ZEBRA abc12345678901234567890 abcxyé a@ b😀'
      const [start = 0, end = 0] = regexp.find(tail) ?? []
      expect(regexp.find(text + tail)?.slice(0, 2)).toEqual([text.length + start, text.length + end])
    },
  )

  test.each([
    ['a.c', 'xa\ncx', true],
    ['(?-s)a.c', 'a\nc', false],
    ['^b', 'a\nb', false],
    ['(?m)^b', 'a\nb', true],
    ['\\bfoo\\b', 'a foo.', true],
    ['[[:alpha:]]+\\d', 'ab1', true],
    ['\\p{Cyrillic}', 'abв', true],
    ['^.$', '😀', true],
    ['', '', true],
  ])('%j on %j', (pattern, text, isMatch) => {
    expect(compileRegexp(pattern, false).test(text)).toBe(isMatch)
  })

  test('without regard to case', () => {
    expect(compileRegexp('straße|ПРИВЕТ', true).test('STRAßE привет')).toBe(true)
    expect(compileRegexp('(?-i)a', true).test('A')).toBe(false)
  })

  test('groups of a match', () => {
    const regexp = compileRegexp('(?P<key>\\w+)=(x)?(\\d*)', false)
    expect(regexp.groupNames).toEqual([undefined, 'key', undefined, undefined])
    expect(regexp.find('a b=12 c=x3')).toEqual([2, 6, 2, 3, -1, -1, 4, 6])
    expect(regexp.find('a b=12 c=x3', 6)).toEqual([7, 11, 7, 8, 9, 10, 10, 11])
    expect(regexp.find('nothing')).toBeUndefined()
  })

  test.each(['(', 'a**b)', '[z-a]', '(?=a)', '\\1', '(?<!a)b', 'a{2,1}', 'x{1001}'])('%j is refused', (pattern) => {
    expect(regexpFault(pattern)).toMatch(/\w/)
    expect(() => compileRegexp(pattern, false)).toThrow(SluiceError)
  })

  test.each(['(a+)+$', '(a|a)*b', '(.*)*x', '(?:a?){30}a{30}b', '(\\w+\\s?)*!'])(
    '%j takes work in proportion to a hostile text',
    (pattern) => {
      const regexp = compileRegexp(pattern, false)
      const text = `${'a'.repeat(20_000)}?`
      let looks = 0
      runWithBudget({ checkpoint: () => void looks++ }, () => expect(regexp.test(text)).toBe(false))
      expect(looks).toBeLessThan(100)
    },
  )
})
