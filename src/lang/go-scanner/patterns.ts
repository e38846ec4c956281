import { nonAsciiHint, SKIPPED, TokenBuilder, type Lexed, type TokenType } from '../kit/index.ts'
import { scanString } from '../promql/text/string-text.ts'

/** Returns the token that starts at an offset of the text; `undefined` if there is none. */
export type Match = (text: string, offset: number) => string | undefined

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_')

/** Characters that a number can start with. */
export const NUMBER_STARTS: readonly string[] = Array.from('0123456789.')

/**
 * Returns the lexer settings for a token type that is matched by a function. `starts` are the possible first
 * characters.
 */
export function scanned(match: Match, starts: readonly (string | number)[]): Lexed {
  return {
    PATTERN: (text: string, offset: number) => {
      const image = match(text, offset)
      return image === undefined ? null : [image]
    },
    START_CHARS_HINT: [...starts],
    LINE_BREAKS: true,
  }
}

/** Returns the function that matches a regular expression at an offset. */
export function matching(pattern: RegExp): Match {
  const sticky = new RegExp(pattern.source, 'uy')
  return (text, offset) => {
    sticky.lastIndex = offset
    return sticky.exec(text)?.[0]
  }
}

/** Matches a number. An invalid number is also matched as one token, so that the error covers all of it. */
export const matchNumber: Match = matching(
  /0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oObB][0-9_]*(?:\.[0-9_]*)?|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]*)?/,
)

/**
 * Matches a string in double quotes or back quotes. Without a closing quote, matches to the end of the line, or of the
 * text for back quotes.
 */
export const matchString: Match = (text, offset) => text.slice(offset, scanString(text, offset).end)

const matchWord = matching(/[\p{L}_][\p{L}\p{Nd}_]*/u)

/**
 * Matches a character in single quotes. Go's scanner has such tokens, but no query language accepts them. Without a
 * closing quote, matches the rest of the line.
 */
const matchCharacter = matching(/'(?:\\.|[^'\\\n])*'?/u)

function matchBlockComment(text: string, offset: number): string | undefined {
  if (!text.startsWith('/*', offset)) return undefined
  const close = text.indexOf('*/', offset + 2)
  return close === -1 ? undefined : text.slice(offset, close + 2)
}

function matchOpenComment(text: string, offset: number): string | undefined {
  return text.startsWith('/*', offset) && !text.includes('*/', offset + 2) ? text.slice(offset) : undefined
}

/**
 * Token types that only the lexer produces. The `scan` function of a language converts them to token types of its
 * grammar.
 */
export interface RawTypes {
  readonly Word: TokenType
  readonly Character: TokenType
  readonly OpenComment: TokenType
  /** Token types of white space and comments. */
  readonly blanks: readonly TokenType[]
}

/**
 * Creates the raw token types of one language. `lineComment` matches a comment; `starts` are its possible first
 * characters.
 */
export function rawTypes(lineComment: RegExp, starts: readonly string[]): RawTypes {
  const types = new TokenBuilder()
  const skipped = (name: string, match: Match, first: readonly string[]): TokenType =>
    types.type(name, '', [], { ...scanned(match, first), GROUP: SKIPPED })
  return {
    Word: types.type('Word', '', [], scanned(matchWord, [...LETTERS, ...nonAsciiHint])),
    Character: types.type('Character', '', [], scanned(matchCharacter, ["'"])),
    OpenComment: types.type('OpenComment', '', [], scanned(matchOpenComment, ['/'])),
    blanks: [
      skipped('Blank', matching(/[ \t\r\n]+/u), Array.from(' \t\r\n')),
      skipped('LineComment', matching(lineComment), starts),
      skipped('BlockComment', matchBlockComment, ['/']),
    ],
  }
}
