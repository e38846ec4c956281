import { fold } from '../fold.ts'
import { isWordAt, isWordBefore, wordsOf } from '../words.ts'
import type { WordNeed } from './ops.ts'

/** The end of a literal. `boundary`: the match ends there at a word boundary. `open`: the word may continue. */
export type Edge = 'boundary' | 'open'

/**
 * Returns the words that every string with this literal contains. `left` and `right` describe the ends of the literal.
 */
export function needsOfLiteral(literal: string, left: Edge, right: Edge): readonly WordNeed[] {
  const words = wordsOf(fold(literal))
  const needs: WordNeed[] = []
  for (const [i, word] of words.entries()) {
    const isCutLeft = i === 0 && left === 'open' && isWordAt(literal, 0)
    const isCutRight = i === words.length - 1 && right === 'open' && isWordBefore(literal, literal.length)
    if (!isCutLeft) needs.push({ word, isPrefix: isCutRight })
  }
  return needs
}

/** Returns the words that all alternatives need. Prefixes are left out. */
export function commonNeeds(alternatives: readonly (readonly WordNeed[])[]): readonly WordNeed[] {
  if (alternatives.length === 0) return []
  const [first = [], ...rest] = alternatives
  return first.filter((need) =>
    rest.every((needs) => needs.some((other) => other.word === need.word && other.isPrefix === need.isPrefix)),
  )
}
