import type { Diagnostic, Span } from '../../base/index.ts'
import { endToken, LanguageParser, LimitFault, type Token, type TokenType } from '../kit/index.ts'
import type { GoSession } from './session.ts'

/** Token types of one language that its parser needs. */
export interface ParsedTypes {
  readonly vocabulary: () => TokenType[]
  readonly LParen: TokenType
  readonly RParen: TokenType
  readonly LBrace: TokenType
  readonly RBrace: TokenType
  readonly Comma: TokenType
  readonly Pipe: TokenType
}

/** Limits of the session with which rules are recorded. */
export const RECORDING_LIMITS = { nesting: 0, operators: 0 }

/** A parser whose texts have parentheses, braces, commas and pipes, and a limited number of operators. */
export abstract class GoSyntax<S extends GoSession> extends LanguageParser<S, Token> {
  constructor(recording: S, types: ParsedTypes, isValidated: boolean) {
    super(recording, endToken(), {
      vocabulary: types.vocabulary(),
      brackets: [
        [types.LParen, types.RParen],
        [types.LBrace, types.RBrace],
      ],
      resumeAt: [types.Comma, types.Pipe],
      isValidated,
    })
  }

  /** Returns the diagnostic for a text with more operators than the session allows. */
  protected abstract explainOperators(limit: number, where: Span): Diagnostic

  protected countOperator(token: Token): void {
    const limit = this.session.limits.operators
    if (++this.session.operators > limit) throw new LimitFault(this.explainOperators(limit, this.tokenSpan(token)))
  }
}

/** Fallback for parts without a value: a list goes on without an item that could not be parsed. */
export function ignore(): void {}

/** Replaces categories by their members. */
export function expand(types: readonly TokenType[], vocabulary: readonly TokenType[]): readonly TokenType[] {
  const expanded = types.flatMap((type) => {
    const members = vocabulary.filter(({ CATEGORIES }) => CATEGORIES?.includes(type))
    return members.length > 0 ? members : [type]
  })
  return [...new Set(expanded)]
}

/** Sorts token types as the reference lists them, by their declaration in the vocabulary. */
export function inReferenceOrder(types: readonly TokenType[], vocabulary: readonly TokenType[]): readonly TokenType[] {
  return vocabulary.filter((type) => types.includes(type))
}
