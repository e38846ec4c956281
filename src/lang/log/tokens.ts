import { EOF, TokenBuilder, endToken, type Token as KitToken, type TokenType } from '../kit/index.ts'
import type { BoundParameter } from './bound-parameter.ts'

export { EOF, type TokenType }

/** A token of a query. `image` is the text as written. */
export interface Token extends KitToken {
  /** Offset of the last UTF-16 unit of the token. */
  readonly endOffset: number
  /** Content of a quoted token, without quotes and escapes; for other tokens the text as written. */
  readonly value: string
  /** Parameter that supplied this token's value. */
  readonly parameter?: BoundParameter | undefined
}

/** Token that stands for the end of the text. */
export const END: Token = Object.freeze({ ...endToken(), endOffset: -1, value: '' })

const builder = new TokenBuilder()

/**
 * Returns all token types. The list is complete only after the parser has registered the keywords of pipes and filters.
 */
export function vocabulary(): TokenType[] {
  return builder.vocabulary
}

/** Token type of a run of word characters. Keywords are subtypes, so that every keyword can be used as a word. */
export const Word = builder.type('Word', 'word')
/** Token type of a character, such as `-`, that joins adjacent words into one compound word. */
export const Glue = builder.type('Glue', 'glue')
/** Token type of a word that is not a keyword. */
export const Identifier = builder.type('Identifier', 'word', [Word])
/** Name of a user-defined pipe. */
export const CustomPipeName = builder.type('CustomPipeName', 'defined pipe', [Word])
export const Quoted = builder.type('Quoted', 'quoted text')
/** Token type of a parameter, `$name`, whose value the caller supplies. Allowed wherever a quoted string is. */
export const Parameter = builder.type('Parameter', 'parameter', [Quoted])
/** Token type of a quote that is never closed, together with the rest of the text. */
export const Unclosed = builder.type('Unclosed', 'unclosed quote')
/** Token type of a character that cannot begin any other token. */
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

/** All punctuation. Longer marks come first, so that the longest possible mark matches. */
export const punctuations: readonly TokenType[] = [...longer, ...gluing, ...brackets, ...single]

/**
 * Returns the token type of a keyword, created on first use. The keyword matches in any case, and can still be used as
 * an ordinary word.
 */
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
