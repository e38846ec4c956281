import { codePointAt } from '../../base/index.ts'
import { isWordAt } from '../../data/index.ts'
import { lazyLexer, nonAsciiHint, SKIPPED, TokenBuilder, type LexedText } from '../kit/index.ts'
import { punctuations } from './tokens.ts'
import { endOfQuoted } from './unquote.ts'

/** Builder of the raw token types. `scan` converts raw tokens to the tokens of the grammar. */
const builder = new TokenBuilder()

/** Name of the lexer's token group that collects comments. */
export const COMMENTS = 'comments'
const QUOTES = ['"', "'", '`']
const ASCII = Array.from({ length: 128 }, (_, code) => code)
const WORD_CHARACTERS = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_')

// Patterns are functions, because Chevrotain analyses regular expressions at start, which takes longer than parsing a
// query.

const Blank = builder.type('Blank', '', [], {
  PATTERN: (text, offset) => matched(text, offset, endOfBlanks(text, offset)),
  START_CHARS_HINT: [...Array.from('\t\n\v\f\r '), ...nonAsciiHint],
  LINE_BREAKS: true,
  GROUP: SKIPPED,
})
const Comment = builder.type('Comment', '', [], {
  PATTERN: (text, offset) => (text[offset] === '#' ? matched(text, offset, endOfLine(text, offset)) : null),
  START_CHARS_HINT: ['#'],
  LINE_BREAKS: false,
  GROUP: COMMENTS,
})
export const RawWord = builder.type('RawWord', '', [], {
  PATTERN: (text, offset) => matched(text, offset, endOfWord(text, offset)),
  START_CHARS_HINT: [...WORD_CHARACTERS, ...nonAsciiHint],
  LINE_BREAKS: false,
})
export const RawParameter = builder.type('RawParameter', '', [], {
  PATTERN: (text, offset) => matched(text, offset, endOfParameter(text, offset)),
  START_CHARS_HINT: ['$'],
  LINE_BREAKS: false,
})
export const RawQuoted = builder.type('RawQuoted', '', [], {
  PATTERN: (text, offset) => (isQuote(text, offset) ? matched(text, offset, endOfQuoted(text, offset)) : null),
  START_CHARS_HINT: QUOTES,
  LINE_BREAKS: true,
})
export const RawUnclosed = builder.type('RawUnclosed', '', [], {
  PATTERN: (text, offset) => (isQuote(text, offset) ? [text.slice(offset)] : null),
  START_CHARS_HINT: QUOTES,
  LINE_BREAKS: true,
})
export const RawOther = builder.type('RawOther', '', [], {
  PATTERN: (text, offset) => matched(text, offset, endOfCharacter(text, offset)),
  START_CHARS_HINT: [...ASCII, ...nonAsciiHint],
  LINE_BREAKS: true,
})

const beforeParameters = [Blank, Comment, RawWord]
const afterParameters = [RawQuoted, RawUnclosed, ...punctuations, RawOther]
const withParameters = lazyLexer(() => [...beforeParameters, RawParameter, ...afterParameters])
const withoutParameters = lazyLexer(() => [...beforeParameters, ...afterParameters])

/** Splits a text into raw tokens; never fails. If `hasParameters` is false, `$` is an ordinary character. */
export function lex(text: string, hasParameters: boolean): LexedText {
  return hasParameters ? withParameters(text) : withoutParameters(text)
}

function matched(text: string, start: number, end: number): [string] | null {
  return end > start ? [text.slice(start, end)] : null
}

function isQuote(text: string, offset: number): boolean {
  return QUOTES.includes(text.charAt(offset))
}

function isBlank(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset)
  return unit === 32 || (unit >= 9 && unit <= 13) || (unit >= 0x80 && /\s/.test(text.charAt(offset)))
}

function endOfBlanks(text: string, start: number): number {
  let end = start
  while (end < text.length && isBlank(text, end)) end++
  return end
}

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  return newline === -1 ? text.length : newline
}

function endOfCharacter(text: string, start: number): number {
  return start + ((codePointAt(text, start) ?? 0) > 0xffff ? 2 : 1)
}

function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && isWordAt(text, end)) end = endOfCharacter(text, end)
  return end
}

const PARAMETER = /\$[A-Za-z_][A-Za-z0-9_]*/y

/**
 * Returns the end of the parameter `$name` at `start`; -1 if it directly follows a word or quoted string, and so is no
 * parameter.
 */
function endOfParameter(text: string, start: number): number {
  let before = start - 1
  while (before >= 0 && '+-/.'.includes(text.charAt(before))) before--
  const isGlued = before >= 0 && (isWordAt(text, before) || isQuote(text, before) || text[before] === '$')
  PARAMETER.lastIndex = start
  return !isGlued && PARAMETER.test(text) ? PARAMETER.lastIndex : -1
}
