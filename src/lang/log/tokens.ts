import type { BoundParameter } from './bound-parameter.ts'

/** What tokens are told apart by. */
export interface TokenType {
  readonly name: string
  /** As messages call it. */
  readonly label: string
  /** Rules that ask for one of these take it too. */
  readonly categories: readonly TokenType[]
}

/** A piece of the text; `image` is how it is written. */
export interface Token {
  readonly tokenType: TokenType
  readonly image: string
  /** Index of its first UTF-16 unit in the text. */
  readonly startOffset: number
  /** Index of its last one. */
  readonly endOffset: number
  /** The text meant: without quotes and escapes for a quoted token, as written for others. */
  readonly value: string
  /** Of a parameter that has one: its value. */
  readonly parameter?: BoundParameter | undefined
}

function tokenType(name: string, label: string, categories: readonly TokenType[] = []): TokenType {
  return { name, label, categories }
}

function outside(tokenType: TokenType): Token {
  return Object.freeze({ tokenType, image: '', startOffset: -1, endOffset: -1, value: '' })
}

/** Behind the last token of a text. */
export const EOF = tokenType('EOF', 'EOF')
export const END = outside(EOF)
/** What rules read while they run without a text. */
export const RECORDED = outside(tokenType('Recorded', 'recorded'))

/** Any run of word characters, keywords included: every keyword may be a word. */
export const Word = tokenType('Word', 'word')
/** Characters that glue words into one compound token when nothing stands between. */
export const Glue = tokenType('Glue', 'glue')

function punctuation(name: string, text: string, categories: readonly TokenType[] = []): TokenType {
  return tokenType(name, text, categories)
}

/** A word that is not a keyword. */
export const Identifier = tokenType('Identifier', 'word', [Word])
/** The name of a pipe that a user has defined. */
export const CustomPipeName = tokenType('CustomPipeName', 'defined pipe', [Word])
export const Quoted = tokenType('Quoted', 'quoted text')
/** `$name`: stands where a quoted text may, for a value that the caller gives. */
export const Parameter = tokenType('Parameter', 'parameter', [Quoted])
/** A quote that never closes; holds the rest of the text. */
export const Unclosed = tokenType('Unclosed', 'unclosed quote')
/** A character that begins nothing. */
export const Other = tokenType('Other', 'character')

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
  const type = tokenType(`Kw_${word}`, word, [Word])
  keywords.set(word, type)
  return type
}

export function keywordOf(word: string): TokenType | undefined {
  return keywords.get(word)
}

/** How many keywords there are by now. */
export function keywordCount(): number {
  return keywords.size
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
