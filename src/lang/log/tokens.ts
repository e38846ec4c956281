import type { BoundParameter } from './bound-parameter.ts'
import { createToken, EOF, Lexer, type IToken, type TokenType } from 'chevrotain'

/** What a quoted token stands for. */
export interface Token extends IToken {
  /** The text meant: without quotes and escapes for a quoted token, as written for others. */
  readonly value: string
  /** Of a parameter that has one: its value. */
  readonly parameter?: BoundParameter | undefined
}

function abstract(name: string, label: string): TokenType {
  return createToken({ name, pattern: Lexer.NA, label })
}

/** Any run of word characters, keywords included: every keyword may be a word. */
export const Word = abstract('Word', 'word')
/** Characters that glue words into one compound token when nothing stands between. */
export const Glue = abstract('Glue', 'glue')

function punctuation(name: string, text: string, categories: readonly TokenType[] = []): TokenType {
  return createToken({ name, pattern: text, label: text, categories: [...categories] })
}

/** A word that is not a keyword. */
export const Identifier = createToken({ name: 'Identifier', pattern: Lexer.NA, label: 'word', categories: [Word] })
/** The name of a pipe that a user has defined. */
export const CustomPipeName = createToken({
  name: 'CustomPipeName',
  pattern: Lexer.NA,
  label: 'defined pipe',
  categories: [Word],
})
export const Quoted = createToken({ name: 'Quoted', pattern: Lexer.NA, label: 'quoted text' })
/** `$name`: stands where a quoted text may, for a value that the caller gives. */
export const Parameter = createToken({ name: 'Parameter', pattern: Lexer.NA, label: 'parameter', categories: [Quoted] })
/** A quote that never closes; holds the rest of the text. */
export const Unclosed = createToken({ name: 'Unclosed', pattern: Lexer.NA, label: 'unclosed quote' })
/** A character that begins nothing. */
export const Other = createToken({ name: 'Other', pattern: Lexer.NA, label: 'character' })

export const Plus = punctuation('Plus', '+', [Glue])
export const Minus = punctuation('Minus', '-', [Glue])
export const Slash = punctuation('Slash', '/', [Glue])
export const Dot = punctuation('Dot', '.', [Glue])
export const Dollar = punctuation('Dollar', '$', [Glue])
export const Colon = punctuation('Colon', ':')
export const Star = punctuation('Star', '*')
export const LParen = punctuation('LParen', '(')
export const RParen = punctuation('RParen', ')')
export const LBracket = punctuation('LBracket', '[')
export const RBracket = punctuation('RBracket', ']')
export const LBrace = punctuation('LBrace', '{')
export const RBrace = punctuation('RBrace', '}')
export const Comma = punctuation('Comma', ',')
export const Semicolon = punctuation('Semicolon', ';')
export const Bar = punctuation('Bar', '|')
export const Bang = punctuation('Bang', '!')
export const Equals = punctuation('Equals', '=')
export const NotEquals = punctuation('NotEquals', '!=')
export const Tilde = punctuation('Tilde', '~')
export const EqualsTilde = punctuation('EqualsTilde', '=~')
export const NotTilde = punctuation('NotTilde', '!~')
export const Less = punctuation('Less', '<')
export const LessEquals = punctuation('LessEquals', '<=')
export const Greater = punctuation('Greater', '>')
export const GreaterEquals = punctuation('GreaterEquals', '>=')
export const Percent = punctuation('Percent', '%')
export const Caret = punctuation('Caret', '^')
export const Ampersand = punctuation('Ampersand', '&')

const longer = [NotEquals, NotTilde, EqualsTilde, LessEquals, GreaterEquals]
const gluing = [Plus, Minus, Slash, Dot, Dollar]
const brackets = [LParen, RParen, LBracket, RBracket, LBrace, RBrace]
const single = [Colon, Star, Comma, Semicolon, Bar, Bang, Equals, Tilde, Less, Greater, Percent, Caret, Ampersand]

/** Longer ones first. */
export const punctuations: readonly TokenType[] = [...longer, ...gluing, ...brackets, ...single]

const keywords = new Map<string, TokenType>()

/** The token type of a contextual keyword; the same one for the same word. Any case matches, and it stays a word. */
export function keyword(word: string): TokenType {
  const known = keywords.get(word)
  if (known !== undefined) return known
  const type = createToken({ name: `Kw_${word}`, pattern: Lexer.NA, label: word, categories: [Word] })
  keywords.set(word, type)
  return type
}

export function keywordOf(word: string): TokenType | undefined {
  return keywords.get(word)
}

/** Everything a parser must know; complete once all pipes and filters are loaded. */
export function vocabulary(): TokenType[] {
  return [
    Word,
    Glue,
    Identifier,
    CustomPipeName,
    Quoted,
    Parameter,
    Unclosed,
    Other,
    ...punctuations,
    ...keywords.values(),
  ]
}

/** What compares a field with a value. */
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

export { EOF, type TokenType }
