import { expect, test } from 'vitest'
import { indexOfLiteral, isLiteralAt } from '../../../src/data/semantics/literal.ts'

test.each([
  ['a literal', 'xabc', 'abc', 1],
  ['the lower half of a pair', '😀', '\ude00', -1],
  ['the upper half of a pair', '😀', '\ud83d', -1],
  ['a half that stands alone, behind a pair', '😀\ude00', '\ude00', 2],
  ['a text that ends inside a pair', 'a😀 a\ud83d', 'a\ud83d', 4],
  ['the empty text between the halves', '😀', '', 0],
])('%s', (_, text, literal, at) => {
  expect(indexOfLiteral(text, literal, 0)).toBe(at)
  for (let i = 0; i <= text.length; i++) {
    expect(isLiteralAt(text, literal, i)).toBe(indexOfLiteral(text, literal, i) === i)
  }
})
