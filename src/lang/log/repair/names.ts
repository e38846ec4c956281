import { distance } from 'fastest-levenshtein'
import { insertAt, replaceWith, type Fix } from '../../../base/index.ts'
import { filterDefinitions } from '../filters/index.ts'
import { mathFunctions } from '../math/expression.ts'
import { pipeDefinitions } from '../pipes/index.ts'
import { statsForms } from '../stats/call.ts'
import { expectationsAfter } from './expectations.ts'
import type { Propose } from './spot.ts'

/**
 * Maximum number of tokens of a stage for which expectations are computed, because the time is quadratic in the number
 * of tokens.
 */
const MAX_STAGE = 128
/** Maximum distance if the written text begins with the word: more than one typing error, less than two. */
const BEGINS_ALIKE = 1.5

/** Returns the number of typing errors between two words: swapped, missing, added or wrong letters. */
function slips(written: string, word: string): number {
  const plain = distance(written, word)
  if (plain === 2 && written.length === word.length) {
    let at = 0
    while (word[at] === written[at]) at++
    const isSwapped = word[at] === written[at + 1] && word[at + 1] === written[at]
    if (isSwapped && word.slice(at + 2) === written.slice(at + 2)) return 1
  }
  return written.startsWith(word) ? Math.min(plain, BEGINS_ALIKE) : plain
}

/** Returns the words that are similar to `written`, nearest first. */
function near(written: string, words: Iterable<string>): readonly string[] {
  const isSameStart = (word: string): number => Number(word[0] === written[0])
  return [...new Set(words)]
    .map((word) => ({ word, count: slips(written, word) }))
    .filter(({ word, count }) => count <= Math.max(1, Math.floor(word.length / 2)))
    .toSorted((a, b) => a.count - b.count || isSameStart(b.word) - isSameStart(a.word))
    .map(({ word }) => word)
}

/**
 * Proposes corrections of a misspelt keyword: keywords that the grammar accepts at the position, and after `|` names of
 * pipes and functions.
 */
export const keyword: Propose = ({ tokens, index }) => {
  const token = tokens[index]
  if (token === undefined || !token.isWord) return []
  const bar = tokens.slice(0, index).findLastIndex(({ type }) => type === 'Bar')
  const before = tokens.slice(bar + 1, index)
  if (before.length > MAX_STAGE) return []
  const expected = expectationsAfter(bar === -1 ? 'logQuery' : 'logPipe', before, token.touches)
  const words = (expected?.next ?? []).flatMap(({ symbol }) =>
    symbol.kind === 'token' && symbol.name.startsWith('Kw_') ? [symbol.label] : [],
  )
  const functions = before.length === 0 && bar !== -1 ? statsForms.keys() : []
  return near(token.text.toLowerCase(), [...words, ...functions]).map((word) => replaceWith(token.span, word))
}

let callable: readonly string[] | undefined

/** Returns the names that may stand before a parenthesis, longest first. */
function callableNames(): readonly string[] {
  callable ??= [
    ...new Set([
      ...pipeDefinitions.flatMap(({ names }) => names),
      ...filterDefinitions.flatMap(({ names }) => names),
      ...statsForms.keys(),
      ...mathFunctions.keys(),
      'options',
      'switch',
      'case',
      'rows',
      'lag',
      'lead',
      'if',
      'by',
      'on',
      'fields',
    ]),
  ].toSorted((a, b) => b.length - a.length)
  return callable
}

/** Proposes the missing opening parenthesis after a name, as in `lencontent)`. */
export const runTogether: Propose = ({ tokens, index }) => {
  const fixes: Fix[] = []
  // The error is reported at the closing parenthesis, at most a few tokens after the name.
  for (let i = index; i >= 0 && i > index - 8; i--) {
    const token = tokens[i]
    if (token === undefined || !token.isWord || token.type.startsWith('Kw_')) continue
    const written = token.text.toLowerCase()
    for (const name of callableNames()) {
      if (written.length > name.length && written.startsWith(name)) {
        fixes.push(insertAt(token.span.start + name.length, '('))
      }
    }
  }
  return fixes
}
