import { isWordAt, isWordBefore } from '../../../../data/index.ts'
import { sqlAnd, sqlOr, type SqlExpr } from '../../statement/ast.ts'
import type { Cell } from '../../cell.ts'
import type { ForeignWords } from '../../dialect.ts'
import { ConditionReader } from './reading.ts'

/** The result of compiling a test: a condition that is exact in the database, or the reason why there is none. */
export type Said = SqlExpr | string

/** A character class of the ASCII characters that belong to no word. */
const NO_WORD_IN_ASCII = String.raw`[\u0001-/:-@\u005b-\u005e\u0060{-\u007f]`

export const NO_FOLD = 'it lowers some letters in another way'
const NO_WORDS = 'it has no pattern for whole words in any alphabet'

interface Piece {
  readonly text: string
  readonly startsWord: boolean
  readonly endsWord: boolean
}

function pieceOf(text: string, isPrefix: boolean): Piece {
  return { text, startsWord: isWordAt(text, 0), endsWord: !isPrefix && isWordBefore(text, text.length) }
}

/**
 * Writes a pattern for phrases that occur one after the other. A phrase that starts or ends with a word character
 * matches only whole words. `edge` matches one character between words.
 */
function patternOf(pieces: readonly Piece[], edge: string, reading: ConditionReader): string {
  let pattern = ''
  for (const [i, { text, startsWord, endsWord }] of pieces.entries()) {
    const before = pieces[i - 1]
    if (before === undefined) pattern += startsWord ? `(?:^|${edge})` : ''
    else if (before.endsWord && startsWord) pattern += `${edge}(?:.*${edge})?`
    else if (before.endsWord) pattern += `(?:${edge}.*)?`
    else pattern += startsWord ? `(?:.*${edge})?` : '.*'
    pattern += reading.literal(text)
    if (i === pieces.length - 1 && endsWord) pattern += `(?:${edge}|$)`
  }
  return `(?s)${pattern}`
}

export function phrases(
  c: Cell,
  texts: readonly string[],
  words: ForeignWords,
  { isFolded, isPrefix = false }: { readonly isFolded: boolean; readonly isPrefix?: boolean },
): Said {
  const reading = new ConditionReader(c, words, isFolded)
  const wanted = texts.map((text) => reading.wanted(text, isFolded))
  const known = wanted.filter((text) => text !== undefined)
  if (known.length < wanted.length) return NO_FOLD
  const pieces = known.map((text) => pieceOf(text, isPrefix))
  const isPart = pieces.length === 1 && pieces.every((piece) => !piece.startsWord && !piece.endsWord)
  reading.over(known, !isPart && (words.isSlowWithClasses === true || words.hasLike === true))
  if (isPart) return sqlAnd(known.map((text) => reading.contains(text)))
  if (words.wordClass === undefined) return NO_WORDS
  const pattern = (wordClass: string): SqlExpr => reading.matches(patternOf(pieces, `[^${wordClass}]`, reading))
  const exactly = pattern(words.wordClass)
  if (words.hasLike === true) {
    const edges = (edge: string): SqlExpr => reading.matchesGiven(patternOf(pieces, edge, reading))
    const sure = edges(NO_WORD_IN_ASCII)
    return sqlAnd([
      ...known.map((text) => reading.mayContain(text)),
      sqlOr([sure, sqlAnd([edges('[^0-9A-Za-z_]'), exactly])]),
    ])
  }
  const contained = known.map((text) => reading.contains(text))
  // A substring search is much faster than the pattern and excludes most strings.
  if (!words.hasRe2) return sqlAnd([...contained, exactly])
  // This pattern decides most strings. It treats all characters beyond ASCII as letters. The exact pattern has a large
  // character class and is slow.
  const surely = pattern(String.raw`0-9A-Za-z_\x{80}-\x{10ffff}`)
  const perhaps = pattern('0-9A-Za-z_')
  return words.isSlowWithClasses === true
    ? sqlAnd([perhaps, sqlOr([reading.isAscii(), surely, exactly])])
    : sqlAnd([...contained, sqlOr([surely, sqlAnd([perhaps, exactly])])])
}
