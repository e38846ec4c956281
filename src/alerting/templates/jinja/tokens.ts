import { lazyLexer, retype, TokenBuilder, type Token, type TokenType } from '../../../lang/kit/index.ts'
import { blanks, enclosed, matching, opening, unclosed, wordStarts } from '../../../lang/go-template/index.ts'

const tokens = new TokenBuilder()

/** Returns all token types of the grammar. */
export function vocabulary(): TokenType[] {
  return tokens.vocabulary
}

const statements = ['if', 'elif', 'else', 'endif', 'for', 'endfor'] as const
const END = '(?![A-Za-z0-9_])'
const MARKER = '-?'

/** Token types of `{%` followed by a keyword. */
export const openings = Object.fromEntries(
  statements.map((words) => [words, opening(tokens, { delimiter: '{%', marker: MARKER, words, end: END })]),
) as Readonly<Record<(typeof statements)[number], TokenType>>

export const Open = opening(tokens, { delimiter: '{{', marker: MARKER })
export const Close = tokens.type('Close', '}}', [], { ...matching(/-?\}\}/, ['-', '}']), POP_MODE: true })
export const CloseStatement = tokens.type('CloseStatement', '%}', [], {
  ...matching(/-?%\}/, ['-', '%']),
  POP_MODE: true,
})
export const Text = tokens.type('Text', 'text', [], { PATTERN: /(?:[^{]|\{(?![{%#]))+/, LINE_BREAKS: true })
export const Comment = tokens.type('Comment', 'comment', [], enclosed(/\{#/, '#}', /#\}/))
/** An unterminated comment or statement; no rule accepts it. */
const OpenComment = tokens.type('OpenComment', 'comment', [], unclosed(/\{#/, '#}'))
const OpenStatement = tokens.type('OpenStatement', 'statement', [], unclosed(/\{%/, '%}'))
/** A statement with an unknown keyword. */
export const OtherStatement = tokens.type('OtherStatement', 'statement', [], enclosed(/\{%/, '%}', /%\}/))

export const Word = tokens.type('Word', 'name', [], matching(/[\p{L}_][\p{L}\p{Nd}_]*/u, wordStarts))
export const And = tokens.keyword('and', [])
export const Or = tokens.keyword('or', [])
export const Not = tokens.keyword('not', [])
export const In = tokens.keyword('in', [])
export const If = tokens.keyword('if', [])
export const Else = tokens.keyword('else', [])
export const Numeral = tokens.type('Numeral', 'number', [], { PATTERN: /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/ })
export const Quoted = tokens.type(
  'Quoted',
  'string',
  [],
  matching(/"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/, ['"', "'"]),
)
export const Comparison = tokens.type('Comparison', 'comparison', [], { PATTERN: /[=!<>]=|[<>]/ })
export const Dot = tokens.punctuation('Dot', '.')
export const Comma = tokens.punctuation('Comma', ',')
export const Pipe = tokens.punctuation('Pipe', '|')
export const LeftParen = tokens.punctuation('LeftParen', '(')
export const RightParen = tokens.punctuation('RightParen', ')')
export const LeftBracket = tokens.punctuation('LeftBracket', '[')
export const RightBracket = tokens.punctuation('RightBracket', ']')
/** A character that starts no token; no rule accepts it. */
const Stray = tokens.type('Stray', 'character', [], { PATTERN: /[^]/, LINE_BREAKS: true })

const marks = [Comparison, Dot, Comma, Pipe, LeftParen, RightParen, LeftBracket, RightBracket]

const lex = lazyLexer(() => ({
  modes: {
    text: [Comment, OpenComment, OpenStatement, ...Object.values(openings), OtherStatement, Open, Text, Stray],
    action: [Close, CloseStatement, blanks(), Word, Numeral, Quoted, ...marks, Stray],
  },
  defaultMode: 'text',
}))

/** Splits a template into tokens. */
export function scan(source: string): Token[] {
  const { tokens: found } = lex(source)
  for (const token of found) if (token.tokenType === Word) retype(token, tokens.keywordOf(token.image) ?? Word)
  return found
}
