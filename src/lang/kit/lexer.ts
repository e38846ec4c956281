import type { IMultiModeLexerDefinition } from 'chevrotain'
import { loadEngine } from './load.cjs'
import type { Token, TokenType } from './tokens.ts'

export interface LexedText {
  readonly tokens: Token[]
  /** Tokens of the types that have a `GROUP`, such as comments. */
  readonly groups: Readonly<Record<string, readonly Token[]>>
  /** Offsets at which no token begins. */
  readonly strays: readonly number[]
}

export type LexerDefinition = IMultiModeLexerDefinition | TokenType[]

/** Chevrotain's lexer, built when the first text is read: building takes some 10 ms of processor time. */
export function lazyLexer(define: () => LexerDefinition): (text: string) => LexedText {
  let lexer: ReturnType<ReturnType<typeof loadEngine>['createLexer']> | undefined
  return (text) => {
    lexer ??= loadEngine().createLexer(define())
    const { tokens, groups, errors } = lexer.tokenize(text)
    return { tokens, groups, strays: errors.map(({ offset }) => offset) }
  }
}

/** Length of the blocks in which Chevrotain's lexer groups the first characters from `FIRST_GROUPED` on. */
const BLOCK_LENGTH = 255
const FIRST_GROUPED = 256

/** A `START_CHARS_HINT` for patterns that may begin with any character beyond ASCII. */
export const nonAsciiHint: readonly number[] = [
  ...Array.from({ length: FIRST_GROUPED - 128 }, (_, i) => 128 + i),
  ...Array.from({ length: 0x10000 / BLOCK_LENGTH }, (_, i) => Math.max(FIRST_GROUPED, (i + 1) * BLOCK_LENGTH)),
]
