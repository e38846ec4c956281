import { isWordAt, isWordBefore } from '../../../../data/index.ts'
import { sqlAnd, sqlOr, type SqlExpr } from '../../statement/ast.ts'
import type { Cell } from '../../cell.ts'
import type { ForeignWords } from '../../dialect.ts'
import { ConditionReader } from './condition-reader.ts'

/** The result of compiling a test: a condition that is exact in the database, or the reason why none is. */
export type Said = SqlExpr | string

/** Character class of all ASCII characters that are not word characters. */
const NO_WORD_IN_ASCII = String.raw`[\u0001-/:-@\u005b-\u005e\u0060{-\u007f]`

export const NO_FOLD = 'it lowers some letters in another way'
const NO_WORDS = 'it has no pattern for whole words in any alphabet'

interface PhraseToken {
  readonly text: string
  readonly startsWord: boolean
  readonly endsWord: boolean
}

function tokenOf(text: string, isPrefix: boolean): PhraseToken {
  return { text, startsWord: isWordAt(text, 0), endsWord: !isPrefix && isWordBefore(text, text.length) }
}

/**
 * Writes a pattern for phrases that occur one after the other. If a phrase starts or ends with a word character, it
 * matches only at a word boundary there. `edge` matches one character between words.
 */
function patternOf(tokens: readonly PhraseToken[], edge: string, reader: ConditionReader): string {
  let pattern = ''
  for (const [i, { text, startsWord, endsWord }] of tokens.entries()) {
    const before = tokens[i - 1]
    if (before === undefined) pattern += startsWord ? `(?:^|${edge})` : ''
    else if (before.endsWord && startsWord) pattern += `${edge}(?:.*${edge})?`
    else if (before.endsWord) pattern += `(?:${edge}.*)?`
    else pattern += startsWord ? `(?:.*${edge})?` : '.*'
    pattern += reader.literal(text)
    if (i === tokens.length - 1 && endsWord) pattern += `(?:${edge}|$)`
  }
  return `(?s)${pattern}`
}

export function phrases(
  c: Cell,
  texts: readonly string[],
  words: ForeignWords,
  { isFolded, isPrefix = false }: { readonly isFolded: boolean; readonly isPrefix?: boolean },
): Said {
  const reader = new ConditionReader(c, words, isFolded)
  const wanted = texts.map((text) => reader.wanted(text, isFolded))
  const known = wanted.filter((text) => text !== undefined)
  if (known.length < wanted.length) return NO_FOLD
  const tokens = known.map((text) => tokenOf(text, isPrefix))
  const isPart = tokens.length === 1 && tokens.every((token) => !token.startsWord && !token.endsWord)
  reader.over(known, !isPart && (words.isSlowWithClasses === true || words.hasLike === true))
  if (isPart) return sqlAnd(known.map((text) => reader.contains(text)))
  if (words.wordClass === undefined) return NO_WORDS
  const pattern = (wordClass: string): SqlExpr => reader.matches(patternOf(tokens, `[^${wordClass}]`, reader))
  const exactly = pattern(words.wordClass)
  if (words.hasLike === true) {
    const edges = (edge: string): SqlExpr => reader.matchesGiven(patternOf(tokens, edge, reader))
    const sure = edges(NO_WORD_IN_ASCII)
    return sqlAnd([
      ...known.map((text) => reader.mayContain(text)),
      sqlOr([sure, sqlAnd([edges('[^0-9A-Za-z_]'), exactly])]),
    ])
  }
  const contained = known.map((text) => reader.contains(text))
  // A substring search is much faster than the pattern, and excludes most strings.
  if (!words.hasRe2) return sqlAnd([...contained, exactly])
  // This pattern takes all characters beyond ASCII as letters, and decides most strings. The exact pattern has a large
  // character class, which is slow.
  const surely = pattern(String.raw`0-9A-Za-z_\x{80}-\x{10ffff}`)
  const perhaps = pattern('0-9A-Za-z_')
  return words.isSlowWithClasses === true
    ? sqlAnd([perhaps, sqlOr([reader.isAscii(), surely, exactly])])
    : sqlAnd([...contained, sqlOr([surely, sqlAnd([perhaps, exactly])])])
}
