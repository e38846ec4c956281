import { span, type Span } from '../../base/index.ts'
import { retype } from '../kit/index.ts'
import { COMMENTS, lex, RawOther, RawParameter, RawQuoted, RawUnclosed, RawWord } from './lexer.ts'
import * as t from './tokens.ts'
import type { Token } from './tokens.ts'
import { unquote, type QuoteFault } from './unquote.ts'

export interface Scanned {
  readonly tokens: Token[]
  /** Comments, from `#` to the end of the line, in order. */
  readonly comments: readonly Span[]
  readonly faults: readonly QuoteFault[]
}

const finalTypes: ReadonlyMap<t.TokenType, t.TokenType> = new Map([
  [RawQuoted, t.Quoted],
  [RawParameter, t.Parameter],
  [RawUnclosed, t.Unclosed],
  [RawOther, t.Other],
])

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Maximum length of a keyword, UTF-16 units. */
const MAX_KEYWORD_LENGTH = 32

function wordType(word: string, customPipes: Names | undefined): t.TokenType {
  const name = word.toLowerCase()
  const keyword = word.length <= MAX_KEYWORD_LENGTH ? t.keywordOf(name) : undefined
  return keyword ?? (customPipes?.has(name) === true ? t.CustomPipeName : t.Identifier)
}

/** Set of the names of user-defined pipes. */
type Names = Pick<ReadonlySet<string>, 'has' | 'size'>

/**
 * Splits a text into the tokens of the grammar, in linear time. Never fails: unknown text becomes an `Other` or
 * `Unclosed` token, which no grammar rule accepts. Blanks produce no tokens; the parser compares offsets to determine
 * whether two tokens touch.
 */
export function scan(source: string, customPipes?: Names, hasParameters = false): Scanned {
  const lexed = lex(source, hasParameters)
  const faults: QuoteFault[] = []
  const tokens = lexed.tokens.map((token): Token => {
    const { image, startOffset, tokenType } = token
    const end = startOffset + image.length
    const finalType = tokenType === RawWord ? wordType(image, customPipes) : finalTypes.get(tokenType)
    if (finalType !== undefined) retype(token, finalType)
    let value = image
    if (tokenType === RawQuoted) {
      const unquoted = unquote(source, startOffset, end)
      value = unquoted.value
      if (unquoted.fault !== undefined) faults.push(unquoted.fault)
    }
    const scanned = token as Writable<Token>
    scanned.endOffset = end - 1
    scanned.value = value
    return scanned
  })
  const comments = (lexed.groups[COMMENTS] ?? []).map(({ startOffset, image }) =>
    span(startOffset, startOffset + image.length),
  )
  return { tokens, comments, faults }
}
