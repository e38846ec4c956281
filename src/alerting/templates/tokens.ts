import { defineDiagnostics } from '../../base/index.ts'
import {
  nonAsciiHint,
  SKIPPED,
  type Lexed,
  type Token,
  type TokenBuilder,
  type TokenType,
} from '../../lang/kit/index.ts'

/** Parts of the lexers that both template languages share. White space is space, tab, carriage return and newline. */

export const BLANKS = '[ \\t\\r\\n]'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'

/** First characters of words, for `START_CHARS_HINT`. */
export const wordStarts: readonly (string | number)[] = [...Array.from(LETTERS), ...nonAsciiHint]

/** Returns the lexer settings of a pattern, which may use all of JavaScript's syntax. */
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

/** Returns the token type of skipped white space. */
export function blanks(): TokenType {
  return { name: 'Blank', ...matching(new RegExp(`${BLANKS}+`), Array.from(' \t\r\n')), GROUP: SKIPPED }
}

/** What stands at the beginning of an action or statement. */
interface Opening {
  readonly delimiter: '{{' | '{%'
  /** Pattern of the trim marker. */
  readonly marker: string
  /** Keywords after the delimiter, such as `else if`, and the pattern of their end; none for the delimiter alone. */
  readonly words?: string
  readonly end?: string
}

/** Returns one token type for a delimiter with its keywords, so that one token decides which rule follows. */
export function opening(tokens: TokenBuilder, { delimiter, marker, words = '', end = '' }: Opening): TokenType {
  const keywords = words === '' ? '' : `${BLANKS}*${words.replaceAll(' ', `${BLANKS}+`)}${end}`
  return tokens.type(`Open_${words.replaceAll(' ', '_')}`, `${delimiter} ${words}`.trim(), [], {
    ...matching(new RegExp(`${delimiter.replaceAll('{', '\\{')}${marker}${keywords}`), ['{']),
    PUSH_MODE: 'action',
  })
}

/** Removes white space from a text where the delimiter before or after it has a trim marker (`-`). */
export function trimText(text: string, before: Token, after: Token): string {
  const start = /-[%#}]\}$/.test(before.image) ? text.replace(/^[ \t\r\n]+/, '') : text
  return /^\{[{%#]-/.test(after.image) ? start.replace(/[ \t\r\n]+$/, '') : start
}

function listed(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

/** Diagnostics of both template languages. */
export const templateDiagnostic = defineDiagnostics('template', {
  unexpected: (d: { found: string; expected: readonly string[] }) => ({
    message: `${d.found === '' ? 'The template ends too early.' : `\`${d.found}\` does not belong here.`} Expected ${listed(d.expected)}.`,
  }),
  'too-deep': (d: { limit: number }) => ({ message: `Blocks and parentheses nest deeper than ${d.limit}.` }),
  'too-long': (d: { limit: number }) => ({ message: `The template has more than ${d.limit} characters.` }),
  'unknown-function': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no function named \`${d.name}\`.${d.near.length === 0 ? '' : ` Did you mean ${listed(d.near)}?`}`,
  }),
  'unknown-variable': (d: { name: string }) => ({
    message: `There is no variable \`${d.name}\` here. Declare it with \`${d.name} := …\`.`,
  }),
  'outside-range': (d: { word: string }) => ({ message: `\`${d.word}\` stands outside of \`range\`.` }),
  'defined-twice': (d: { name: string }) => ({ message: `The template \`${d.name}\` is defined twice.` }),
  'bad-constant': (d: { fault: string }) => ({ message: d.fault }),
})
