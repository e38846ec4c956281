import { defineDiagnostics } from '../../base/index.ts'
import { nonAsciiHint, SKIPPED, type Lexed, type Token, type TokenBuilder, type TokenType } from '../kit/index.ts'

/** Lexer helpers that both template languages share. White space means space, tab, carriage return and line feed. */

export const BLANKS = '[ \\t\\r\\n]'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'

/** Possible first characters of words, for `START_CHARS_HINT`. */
export const wordStarts: readonly (string | number)[] = [...Array.from(LETTERS), ...nonAsciiHint]

/** Returns the lexer settings for a pattern. The pattern may use all JavaScript syntax. */
export function matching(pattern: RegExp, starts: readonly (string | number)[]): Lexed {
  const sticky = new RegExp(pattern.source, 'uy')
  return {
    PATTERN: (text: string, offset: number) => {
      sticky.lastIndex = offset
      return sticky.exec(text)
    },
    START_CHARS_HINT: [...starts],
    LINE_BREAKS: true,
  }
}

/**
 * Returns the lexer settings for a token that starts with `open` and extends to the first `close`. The pattern `end`
 * must match from that `close` on.
 */
export function enclosed(open: RegExp, close: string, end: RegExp): Lexed {
  const [head, tail] = [new RegExp(open.source, 'y'), new RegExp(end.source, 'y')]
  return {
    PATTERN: (text: string, offset: number) => {
      head.lastIndex = offset
      if (!head.test(text)) return null
      tail.lastIndex = text.indexOf(close, head.lastIndex)
      return tail.lastIndex !== -1 && tail.test(text) ? [text.slice(offset, tail.lastIndex)] : null
    },
    START_CHARS_HINT: ['{'],
    LINE_BREAKS: true,
  }
}

/**
 * Returns the lexer settings for an unclosed token, from `open` to the end of a text without a later `close`. Keeps
 * scanning linear: without this token, every further `open` would search the rest of the text for `close`.
 */
export function unclosed(open: RegExp, close: string): Lexed {
  const head = new RegExp(open.source, 'y')
  return {
    PATTERN: (text: string, offset: number) => {
      head.lastIndex = offset
      return head.test(text) && !text.includes(close, head.lastIndex) ? [text.slice(offset)] : null
    },
    START_CHARS_HINT: ['{'],
    LINE_BREAKS: true,
  }
}

/** Returns the token type for white space, which is skipped. */
export function blanks(): TokenType {
  return { name: 'Blank', ...matching(new RegExp(`${BLANKS}+`), Array.from(' \t\r\n')), GROUP: SKIPPED }
}

/** The first token of an action or statement. */
interface Opening {
  readonly delimiter: '{{' | '{%'
  /** Pattern of the trim marker. */
  readonly marker: string
  /**
   * Pattern of the keywords after the delimiter, such as `else if`; `end` is the pattern that must follow them. Both
   * are missing for the delimiter alone.
   */
  readonly words?: string
  readonly end?: string
}

/**
 * Returns one token type for a delimiter together with its keywords, so that a single token decides which rule applies.
 */
export function opening(tokens: TokenBuilder, { delimiter, marker, words = '', end = '' }: Opening): TokenType {
  const keywords = words === '' ? '' : `${BLANKS}*${words.replaceAll(' ', `${BLANKS}+`)}${end}`
  return tokens.type(`Open_${words.replaceAll(' ', '_')}`, `${delimiter} ${words}`.trim(), [], {
    ...matching(new RegExp(`${delimiter.replaceAll('{', '\\{')}${marker}${keywords}`), ['{']),
    PUSH_MODE: 'action',
  })
}

/** Removes white space at an end of the text if the adjacent delimiter has a trim marker (`-`). */
export function trimText(text: string, before: Token, after: Token): string {
  let [start, end] = [0, text.length]
  if (/-[%#}]\}$/.test(before.image)) while (start < end && ' \t\r\n'.includes(text.charAt(start))) start++
  if (/^\{[{%#]-/.test(after.image)) while (end > start && ' \t\r\n'.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Maximum number of characters of a token that a message quotes. */
const SHOWN_CHARS = 40

/** Shortens a token for a message. */
export function shown(image: string): string {
  return image.length > SHOWN_CHARS ? `${image.slice(0, SHOWN_CHARS)}…` : image
}

function listed(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

export const templateDiagnostic = defineDiagnostics('template', {
  unexpected: (d: { found: string; expected: readonly string[] }) => ({
    message: `${d.found === '' ? 'The template ends too early.' : `\`${shown(d.found)}\` does not belong here.`} Expected ${listed(d.expected)}.`,
  }),
  'no-end': (d: { name: string }) => ({ message: `A space must follow \`${shown(d.name)}\`.` }),
  'not-closed': (d: { what: string }) => ({ message: `The ${d.what} is not closed.` }),
  'too-deep': (d: { limit: number }) => ({ message: `Blocks and parentheses nest deeper than ${d.limit}.` }),
  'unknown-function': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no function named \`${shown(d.name)}\`.${d.near.length === 0 ? '' : ` Did you mean ${listed(d.near)}?`}`,
  }),
  'unknown-variable': (d: { name: string }) => ({
    message: `There is no variable \`${d.name}\` here. Declare it with \`${d.name} := …\`.`,
  }),
  'outside-range': (d: { word: string }) => ({ message: `\`${d.word}\` stands outside of \`range\`.` }),
  'defined-twice': (d: { name: string }) => ({ message: `The template \`${d.name}\` is defined twice.` }),
  'bad-constant': (d: { fault: string }) => ({ message: d.fault }),
})
