import { lazyLexer, retype, TokenBuilder, type Token, type TokenType } from '../kit/index.ts'
import { blanks, BLANKS, enclosed, matching, opening, unclosed, wordStarts } from './lexing.ts'

const tokens = new TokenBuilder()

/** Returns all token types of the grammar. */
export function vocabulary(): TokenType[] {
  return tokens.vocabulary
}

/** Pattern for the end of a word, field or variable: one of these characters follows, or the text ends. */
const END = '(?![^ \\t\\r\\n.,|:()}])'

/** Pattern of the trim marker: a minus sign before white space. Any other minus sign starts a number. */
const MARKER = `(?:-(?=${BLANKS}))?`

const keywordsAfterOpening = [
  'if',
  'else if',
  'else with',
  'else',
  'end',
  'range',
  'with',
  'define',
  'template',
  'block',
  'break',
  'continue',
] as const

/** Token types of `{{` together with a keyword, by keyword. */
export const openings = Object.fromEntries(
  keywordsAfterOpening.map((words) => [words, opening(tokens, { delimiter: '{{', marker: MARKER, words, end: END })]),
) as Readonly<Record<(typeof keywordsAfterOpening)[number], TokenType>>

export const Open = opening(tokens, { delimiter: '{{', marker: MARKER })
export const Close = tokens.type('Close', '}}', [], {
  ...matching(new RegExp(`(?:${BLANKS}+-)?\\}\\}`), Array.from(' \t\r\n}')),
  POP_MODE: true,
})
export const Text = tokens.type('Text', 'text', [], { PATTERN: /(?:[^{]|\{(?!\{))+/, LINE_BREAKS: true })
const COMMENT_START = new RegExp(`\\{\\{(?:-${BLANKS})?/\\*`)
export const Comment = tokens.type(
  'Comment',
  'comment',
  [],
  enclosed(COMMENT_START, '*/', new RegExp(`\\*/(?:${BLANKS}-)?\\}\\}`)),
)
/** A comment that is never closed. No rule accepts it. */
export const OpenComment = tokens.type('OpenComment', 'comment', [], unclosed(COMMENT_START, '*/'))

export const Variable = tokens.type(
  'Variable',
  '$variable',
  [],
  matching(new RegExp(`\\$[\\p{L}\\p{Nd}_]*`, 'u'), ['$']),
)
export const Field = tokens.type('Field', '.field', [], matching(new RegExp(`\\.[\\p{L}\\p{Nd}_]+`, 'u'), ['.']))
export const Dot = tokens.type('Dot', '.', [], matching(/\./, ['.']))
export const Word = tokens.type(
  'Word',
  'function',
  [],
  matching(new RegExp(`[\\p{L}_][\\p{L}\\p{Nd}_]*`, 'u'), wordStarts),
)
export const True = tokens.keyword('true', [])
export const False = tokens.keyword('false', [])
export const Nil = tokens.keyword('nil', [])
export const Numeral = tokens.type(
  'Numeral',
  'number',
  [],
  matching(/[+-]?\.?[0-9][0-9A-Za-z_.]*(?:(?<=[eEpP])[+-][0-9A-Za-z_.]*)*/, Array.from('+-.0123456789')),
)
export const Quoted = tokens.type('Quoted', 'string', [], matching(/"(?:[^"\\\n]|\\[^\n])*"|`[^`]*`/, ['"', '`']))
export const Char = tokens.type('Char', 'character', [], matching(/'(?:[^'\\\n]|\\[^\n])*'/, ["'"]))
export const Declare = tokens.punctuation('Declare', ':=')
export const Assign = tokens.punctuation('Assign', '=')
export const Pipe = tokens.punctuation('Pipe', '|')
export const Comma = tokens.punctuation('Comma', ',')
export const LeftParen = tokens.punctuation('LeftParen', '(')
export const RightParen = tokens.punctuation('RightParen', ')')
/** A name followed by a character that cannot follow it. No rule accepts it. */
export const Unended = tokens.type('Unended', 'name')
/** A keyword that is not after `{{`. No rule accepts it. */
const Misplaced = tokens.type('Misplaced', 'keyword')
/** A character that starts no token. No rule accepts it. */
export const Stray = tokens.type('Stray', 'character', [], { PATTERN: /[^]/, LINE_BREAKS: true })

const reserved = new Set(['break', 'continue', 'else', 'end', 'if', 'range', 'template', 'with', 'block', 'define'])

const lex = lazyLexer(() => ({
  modes: {
    text: [Comment, OpenComment, ...Object.values(openings), Open, Text],
    action: [
      Close,
      blanks(),
      Variable,
      Numeral,
      Field,
      Dot,
      Word,
      Quoted,
      Char,
      Declare,
      Assign,
      Pipe,
      Comma,
      LeftParen,
      RightParen,
      Stray,
    ],
  },
  defaultMode: 'text',
}))

const names: ReadonlySet<TokenType> = new Set([Variable, Field, Dot, Word])
const isAtEnd = new RegExp(END, 'y')

/** Splits a template into tokens. */
export function scan(source: string): Token[] {
  const { tokens: found } = lex(source)
  for (const token of found) {
    if (!names.has(token.tokenType)) continue
    isAtEnd.lastIndex = token.startOffset + token.image.length
    if (!isAtEnd.test(source)) retype(token, Unended)
    else if (token.tokenType === Word) {
      retype(token, reserved.has(token.image) ? Misplaced : (tokens.keywordOf(token.image) ?? Word))
    }
  }
  return found
}
