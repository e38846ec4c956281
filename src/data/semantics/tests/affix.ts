import type { ValueTestOf } from '../../value-test.ts'
import { fold } from '../fold.ts'
import { indexOfLiteral, isLiteralAt } from '../literal.ts'
import type { TestOps, TextPredicate } from './ops.ts'
import { foldedIf } from './phrase.ts'
import { needsOfLiteral } from './word-need.ts'

export const startsWithOps: TestOps<ValueTestOf<'starts-with'>> = {
  text: (test) => {
    if (test.text === '') return (text) => text !== ''
    const prefix = test.isFolded ? fold(test.text) : test.text
    return foldedIf(test.isFolded, (text) => isLiteralAt(text, prefix, 0))
  },
  words: (test) => needsOfLiteral(test.text, 'boundary', 'open'),
}

export const containsOps: TestOps<ValueTestOf<'contains'>> = {
  text: (test) => {
    const inner = test.isFolded ? fold(test.text) : test.text
    return foldedIf(test.isFolded, (text) => indexOfLiteral(text, inner, 0) !== -1)
  },
  words: (test) => needsOfLiteral(test.text, 'open', 'open'),
}

/**
 * Matches the middle parts at their leftmost positions. If any placement of the parts matches, the leftmost placement
 * does.
 */
function globPredicate(parts: readonly string[]): TextPredicate {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  const middle = parts.slice(1, -1).filter((part) => part !== '')
  return (text) => {
    const end = text.length - last.length
    if (end < first.length || !isLiteralAt(text, first, 0) || !isLiteralAt(text, last, end)) return false
    let from = first.length
    for (const part of middle) {
      const at = indexOfLiteral(text, part, from)
      if (at === -1 || at + part.length > end) return false
      from = at + part.length
    }
    return true
  }
}

export const globOps: TestOps<ValueTestOf<'glob'>> = {
  text: (test) => foldedIf(test.isFolded, globPredicate(test.isFolded ? test.parts.map(fold) : test.parts)),
  words: (test) =>
    test.parts.flatMap((part, i) =>
      needsOfLiteral(part, i === 0 ? 'boundary' : 'open', i === test.parts.length - 1 ? 'boundary' : 'open'),
    ),
}
