import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { compileTest, fold, wordNeeds, wordsOf, type ValueTest } from '../../../src/data/index.ts'

function regexp(pattern: string, isFolded = false): ValueTest {
  return { kind: 'regexp', pattern, isFolded }
}

function words(pattern: string, isFolded = false): readonly string[] {
  return wordNeeds(regexp(pattern, isFolded)).map(({ word, isPrefix }) => (isPrefix ? `${word}*` : word))
}

describe('words that every match has', () => {
  test.each([
    ['retry [45] of 5 for call to [a-m]', ['of', '5', 'for', 'call', 'to']],
    ['^GET /pay', ['get', 'pay*']],
    ['^Error$', ['error']],
    ['error', []],
    [' error ', ['error']],
    [' error', ['error*']],
    ['a b*c d', ['d*']],
    ['a bb*c d', ['b*', 'd*']],
    [' one two+ three ', ['one', 'two*', 'three']],
    [' one two? three ', ['one', 'tw*', 'three']],
    [' one two{2,3} three ', ['one', 'tw*', 'three']],
    ['x (foo|bar) y z', ['y', 'z*']],
    [String.raw` a\.b\d c `, ['a', 'b*', 'c']],
    [String.raw` a\nb c `, ['a*', 'c']],
    ['[^]]x y [[:alpha:]] z ', ['y', 'z']],
    ['a|b c d', []],
    ['(?i) error ', []],
    [String.raw`\Q a b \E`, []],
    [' (?:one) two ', ['two']],
    [' (?P<name>one) two ', ['two']],
    ['', []],
  ] as const)('%s', (pattern, expected) => {
    expect(words(pattern)).toEqual(expected)
  })
  test('none when letters are folded', () => {
    expect(words(' error ', true)).toEqual([])
  })
})

test('every text that a random pattern matches has the words', () => {
  let seed = 3
  const random = (n: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % n
  }
  const atoms = [
    'a',
    'b',
    ' ',
    'ab',
    'é',
    '.',
    '[ab]',
    '[^ ]',
    '(a|b )',
    '(?:ab)?',
    String.raw`\b`,
    String.raw`\.`,
    String.raw`\w`,
    '-',
    '^',
    '$',
  ]
  const suffixes = ['', '', '', '', '*', '+', '?', '{1,2}', '{0}', '+?']
  let matches = 0
  for (let i = 0; i < 4000; i++) {
    let pattern = ''
    for (let n = 1 + random(5); n > 0; n--) {
      const atom = atoms[random(atoms.length)]
      pattern +=
        present(atom) +
        present(atom === '^' || atom === '$' || atom === String.raw`\b` ? '' : suffixes[random(suffixes.length)])
    }
    let holds: (value: string) => boolean
    try {
      holds = compileTest(regexp(pattern))
    } catch {
      continue
    }
    const needs = wordNeeds(regexp(pattern))
    for (let t = 0; t < 6; t++) {
      const text = Array.from({ length: random(10) }, () => 'ab é.-aB'[random(8)]).join('')
      if (!holds(text)) continue
      matches++
      const found = wordsOf(fold(text))
      for (const { word, isPrefix } of needs) {
        expect(
          found.some((each) => (isPrefix ? each.startsWith(word) : each === word)),
          `${pattern} in ${text}: ${word}`,
        ).toBe(true)
      }
    }
  }
  expect(matches).toBeGreaterThan(1000)
})
