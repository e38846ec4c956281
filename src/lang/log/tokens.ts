import { EOF, TokenBuilder, endToken, type Token as KitToken, type TokenType } from '../kit/index.ts'
import type { BoundParameter } from './bound-parameter.ts'

export { EOF, type TokenType }

/** A token of a query; `image` is its text. */
export interface Token extends KitToken {
  /** Offset of its last UTF-16 unit. */
  readonly endOffset: number
  /** Meaning of the token: a quoted token without quotes and escapes, others as written. */
  readonly value: string
  /** Value of a parameter. */
  readonly parameter?: BoundParameter | undefined
}

/** Token after the end of the text. */
export const END: Token = Object.freeze({ ...endToken(), endOffset: -1, value: '' })

const builder = new TokenBuilder()

/** All token types; complete after the parser has registered pipes and filters. */
export function vocabulary(): TokenType[] {
  return builder.vocabulary
}

/** Any run of word characters; every keyword can be a word. */
export const Word = builder.type('Word', 'word')
/** Characters that join adjacent words into one compound token. */
export const Glue = builder.type('Glue', 'glue')
/** A word that is not a keyword. */
export const Identifier = builder.type('Identifier', 'word', [Word])
/** Name of a user-defined pipe. */
export const CustomPipeName = builder.type('CustomPipeName', 'defined pipe', [Word])
export const Quoted = builder.type('Quoted', 'quoted text')
/** `$name`: a value of the caller, where a quoted string may stand. */
export const Parameter = builder.type('Parameter', 'parameter', [Quoted])
/** An unclosed quote with the rest of the text. */
export const Unclosed = builder.type('Unclosed', 'unclosed quote')
/** A character that begins no token. */
export const Other = builder.type('Other', 'character')

export const Plus = builder.punctuation('Plus', '+', [Glue])
export const Minus = builder.punctuation('Minus', '-', [Glue])
export const Slash = builder.punctuation('Slash', '/', [Glue])
export const Dot = builder.punctuation('Dot', '.', [Glue])
export const Dollar = builder.punctuation('Dollar', '$', [Glue])
export const Colon = builder.punctuation('Colon', ':')
export const Star = builder.punctuation('Star', '*')
export const LParen = builder.punctuation('LParen', '(')
export const RParen = builder.punctuation('RParen', ')')
export const LBracket = builder.punctuation('LBracket', '[')
export const RBracket = builder.punctuation('RBracket', ']')
export const LBrace = builder.punctuation('LBrace', '{')
export const RBrace = builder.punctuation('RBrace', '}')
export const Comma = builder.punctuation('Comma', ',')
export const Semicolon = builder.punctuation('Semicolon', ';')
export const Bar = builder.punctuation('Bar', '|')
export const Bang = builder.punctuation('Bang', '!')
export const Equals = builder.punctuation('Equals', '=')
export const NotEquals = builder.punctuation('NotEquals', '!=')
export const Tilde = builder.punctuation('Tilde', '~')
export const EqualsTilde = builder.punctuation('EqualsTilde', '=~')
export const NotTilde = builder.punctuation('NotTilde', '!~')
export const Less = builder.punctuation('Less', '<')
export const LessEquals = builder.punctuation('LessEquals', '<=')
export const Greater = builder.punctuation('Greater', '>')
export const GreaterEquals = builder.punctuation('GreaterEquals', '>=')
export const Percent = builder.punctuation('Percent', '%')
export const Caret = builder.punctuation('Caret', '^')
export const Ampersand = builder.punctuation('Ampersand', '&')

const longer = [NotEquals, NotTilde, EqualsTilde, LessEquals, GreaterEquals]
const gluing = [Plus, Minus, Slash, Dot, Dollar]
const brackets = [LParen, RParen, LBracket, RBracket, LBrace, RBrace]
const single = [Colon, Star, Comma, Semicolon, Bar, Bang, Equals, Tilde, Less, Greater, Percent, Caret, Ampersand]

/** Longer ones first. */
export const punctuations: readonly TokenType[] = [...longer, ...gluing, ...brackets, ...single]

/** Token type of a contextual keyword, one for each word. Any case matches, and it remains a word. */
export function keyword(word: string): TokenType {
  return builder.keyword(word, [Word])
}

export function keywordOf(word: string): TokenType | undefined {
  return builder.keywordOf(word)
}

/** Operators that compare a field with a value. */
export const comparisons: ReadonlySet<TokenType> = new Set([
  Equals,
  NotEquals,
  Tilde,
  NotTilde,
  Less,
  LessEquals,
  Greater,
  GreaterEquals,
])

export const And = keyword('and')
export const Or = keyword('or')
export const Not = keyword('not')
