import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NameSet, parseLogfmt, readLogfmt } from '../../../src/data/index.ts'

const piece = fc.constantFrom(
  'a',
  'ab',
  'b',
  'k1',
  '=',
  ' ',
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\u00a0',
  'é',
  'a=1 ',
  'k1="x y" ',
)
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
const names = fc.uniqueArray(fc.constantFrom<string>('', 'a', 'b', 'ab', 'k1', 'x y', 'é', ...'cdefghij'.split('')))

describe('pairs of some names', () => {
  test('are those of all pairs that have one of the names', () => {
    fc.assert(
      fc.property(text, names, fc.boolean(), (line, some, isLenient) => {
        const all = readLogfmt(line, isLenient).filter(({ name }) => some.includes(name))
        expect(readLogfmt(line, isLenient, new NameSet(some))).toEqual(all)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a name is found in place, whether few or many are as long', () => {
    const few = new NameSet(['a', 'bc'])
    expect(few.at('xbcx', 1, 3)).toBe('bc')
    expect(few.at('xbcx', 0, 2)).toBeUndefined()
    const many = new NameSet('abcdefghijklm')
    expect(many.at('xm', 1, 2)).toBe('m')
    expect(many.at('xm', 0, 1)).toBeUndefined()
  })
})

test.each([
  [
    'a="one\ntwo" b=1',
    [
      ['a', 'one\ntwo'],
      ['b', '1'],
    ],
  ],
  ["a='one\ntwo'", [['a', 'one\ntwo']]],
  ['"na\nme"=1', [['na\nme', '1']]],
  [
    'a="one\\n\ntwo" b=1',
    [
      ['a', 'one\n\ntwo'],
      ['b', '1'],
    ],
  ],
  [
    'a="one\ntwo b=1',
    [
      ['a', '"one'],
      ['two', ''],
      ['b', '1'],
    ],
  ],
])('a line break may stand in quotes: %j', (text, pairs) => {
  expect(parseLogfmt(text)).toEqual(pairs)
})
