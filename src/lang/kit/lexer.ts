import type { IMultiModeLexerDefinition } from 'chevrotain'
import { loadEngine } from './load.cjs'
import type { Token, TokenType } from './tokens.ts'

/** The tokens of one text. */
export interface LexedText {
  readonly tokens: Token[]
  /** Tokens whose type has a `GROUP`, such as comments, by group. */
  readonly groups: Readonly<Record<string, readonly Token[]>>
  /** Offsets of characters that start no token. */
  readonly strays: readonly number[]
}

/** The token types of a lexer, in the order in which the lexer tries them, or one such list for each mode. */
export type LexerDefinition = IMultiModeLexerDefinition | TokenType[]

/**
 * Returns a function that splits a text into tokens. The lexer is built on the first call, because building takes
 * several milliseconds.
 */
export function lazyLexer(define: () => LexerDefinition): (text: string) => LexedText {
  let lexer: ReturnType<ReturnType<typeof loadEngine>['createLexer']> | undefined
  return (text) => {
    lexer ??= loadEngine().createLexer(define())
    const { tokens, groups, errors } = lexer.tokenize(text)
    return { tokens, groups, strays: errors.map(({ offset }) => offset) }
  }
}

/** Calls the callbacks with the tokens of a text, and with the offsets at which no token starts, in text order. */
export function inTextOrder(
  { tokens, strays }: LexedText,
  onToken: (token: Token) => void,
  onStray: (offset: number) => void,
): void {
  let next = 0
  const passStraysBefore = (end: number): void => {
    for (let at = strays[next]; at !== undefined && at < end; at = strays[++next]) onStray(at)
  }
  for (const token of tokens) {
    passStraysBefore(token.startOffset)
    onToken(token)
  }
  passStraysBefore(Infinity)
}

/**
 * Number of character codes in one block. Chevrotain groups possible first characters by block, from code
 * `FIRST_GROUPED` on.
 */
const BLOCK_LENGTH = 255
const FIRST_GROUPED = 256

/** `START_CHARS_HINT` for patterns that may start with any non-ASCII character. */
export const nonAsciiHint: readonly number[] = [
  ...Array.from({ length: FIRST_GROUPED - 128 }, (_, i) => 128 + i),
  ...Array.from({ length: 0x10000 / BLOCK_LENGTH }, (_, i) => Math.max(FIRST_GROUPED, (i + 1) * BLOCK_LENGTH)),
]
