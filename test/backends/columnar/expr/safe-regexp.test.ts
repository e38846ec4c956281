import { describe, expect, test } from 'vitest'
import { compileRegexp } from '../../../../src/base/index.ts'
import { safeRegexp } from '../../../../src/backends/columnar/expr/safe-regexp.ts'

const texts = [
  '',
  'a',
  'abc',
  'aaaa',
  'ABCDEF12',
  'abcdefa12 x',
  'retry 4 of 5 for call to billing',
  'user1234',
  'xuser1234',
  'user12345',
  'a.b',
  'a-b',
  'a]b',
  'x\ny',
  'x\ry',
  'tab\tend',
  '10.0.0.1',
  'GET /api/v1',
  '{"a":1}',
  'foo|bar',
  '$5',
  '^up',
  'a{2}',
]

describe('safe regular expressions', () => {
  test.each([
    '[a-f]{7}[0-9]{2}',
    'retry [45] of 5 for call to [a-m]',
    '\\buser\\d{4}\\b',
    'a|b|xyz',
    '(foo|bar)?\\|',
    'x.y',
    '[^a-z]',
    '^a',
    'a$',
    '^$',
    'a+',
    'a{2}',
    'a{2,}',
    'a{1,3}b?',
    '[a-]b',
    '[]a]',
    '\\.b',
    '\\$5',
    '(?:ab)?c',
    'a.*b',
    '[\\w.]+1',
    '\\W',
    'a\\]b',
    '[-a]b',
    '.',
    'a{0}',
    'A',
  ])('%s gives what RE2 gives', (pattern) => {
    for (const isFolded of [false, true]) {
      const safe = safeRegexp(pattern, isFolded)
      if (safe === undefined) continue
      const model = compileRegexp(pattern, isFolded)
      for (const text of texts) expect([text, safe.regexp.test(text)]).toEqual([text, model.test(text)])
    }
  })

  test.each([
    '(a+)+',
    '(a|aa)+',
    'a*b*',
    '(?i)x',
    'é',
    '[[:alpha:]]',
    '\\pL',
    '\\s',
    '(?P<n>a)',
    'a**',
    '(x{1,9}){1,9}',
    '\\Aa',
    'a{1001',
    '[a-\\d]',
    '(a?){30}',
    'a|b)',
  ])('%s is left to the general engine', (pattern) => {
    expect(safeRegexp(pattern, false)).toBeUndefined()
  })

  test('the common ones are not', () => {
    for (const pattern of ['[a-f]{7}[0-9]{2}', 'timeout after [0-9]+ ms', 'status=(500|503)', 'a.*b']) {
      expect(safeRegexp(pattern, false)).toBeDefined()
    }
  })

  test('repeats are written out', () => {
    expect(safeRegexp('[a-f]{3}[0-9]{1,2}', false)?.regexp.source).toBe('[a-f][a-f][a-f][0-9][0-9]{0,1}')
  })
})
