import type { Diagnostic, Span } from '../../base/index.ts'
import { endToken, LanguageParser, LimitFault, type Token, type TokenType } from '../kit/index.ts'
import type { GoSession } from './session.ts'

/** The token types of one language that its parser uses. */
export interface ParsedTypes {
  readonly vocabulary: () => TokenType[]
  readonly LParen: TokenType
  readonly RParen: TokenType
  readonly LBrace: TokenType
  readonly RBrace: TokenType
  readonly Comma: TokenType
  readonly Pipe: TokenType
}

/** Limits of the session in which Chevrotain records the grammar rules. */
export const RECORDING_LIMITS = { nesting: 0, operators: 0 }

/** A parser for languages with parentheses, braces, commas and pipes, and with a limit on operators. */
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

  /** Returns the diagnostic for a text with more operators than allowed. */
  protected abstract explainOperators(limit: number, where: Span): Diagnostic

  protected countOperator(token: Token): void {
    const limit = this.session.limits.operators
    if (++this.session.operators > limit) throw new LimitFault(this.explainOperators(limit, this.tokenSpan(token)))
  }
}

/** Fallback of rules without a value: after an invalid list item, parsing continues with the next item. */
export function ignore(): void {}

/** Replaces each token category by its member types. */
export function expand(types: readonly TokenType[], vocabulary: readonly TokenType[]): readonly TokenType[] {
  const expanded = types.flatMap((type) => {
    const members = vocabulary.filter(({ CATEGORIES }) => CATEGORIES?.includes(type))
    return members.length > 0 ? members : [type]
  })
  return [...new Set(expanded)]
}

/**
 * Sorts token types by their position in the vocabulary, which is their order in the reference implementation's
 * messages.
 */
export function inReferenceOrder(types: readonly TokenType[], vocabulary: readonly TokenType[]): readonly TokenType[] {
  return vocabulary.filter((type) => types.includes(type))
}
