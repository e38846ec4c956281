import { codePointAt, present } from '../../base/index.ts'
import { inTextOrder, retype, type LexedText, type Token, type TokenType } from '../kit/index.ts'
import { characterFault, openComment, stringFault, type ScanFault } from './faults.ts'
import type { RawTypes } from './patterns.ts'

/** The token types of one language that its scanner uses. */
export interface ScannedTypes {
  readonly lex: (text: string) => LexedText
  readonly raw: RawTypes
  readonly Identifier: TokenType
  readonly StringToken: TokenType
  /** Type of a part of the text that is not a valid token. No grammar rule accepts it. */
  readonly Fault: TokenType
}

/** Assigns the grammar's token type to a token of the lexer, and returns its fault if it is invalid. */
type Refine<F> = (token: Token, text: string) => F | undefined

/**
 * Returns a function that splits a text into the tokens of a grammar. Invalid parts become `Fault` tokens. `refine` is
 * called for tokens whose types depend on the language.
 */
export function scanner<F extends ScanFault<string>>(
  types: ScannedTypes,
  refine: Refine<F>,
): (text: string) => Token[] {
  const faultIn = (token: Token, text: string): ScanFault<string> | undefined => {
    switch (token.tokenType) {
      case types.raw.Character:
        retype(token, types.Identifier)
        return characterFault(token.image)
      case types.raw.OpenComment:
        return openComment
      case types.StringToken:
        return stringFault(token.image)
      default:
        return refine(token, text)
    }
  }
  return (text) => {
    const result: Token[] = []
    inTextOrder(
      types.lex(text),
      (token) => {
        const payload = faultIn(token, text)
        result.push(payload === undefined ? token : { ...newToken(types.Fault, token), payload })
      },
      // A character that starts no token becomes a `Fault` token whose name is the character. The grammar then rejects
      // it, as in Loki and Tempo.
      (startOffset) => {
        const image = String.fromCodePoint(present(codePointAt(text, startOffset)))
        result.push(newToken(types.Identifier, { image, startOffset }))
      },
    )
    return result
  }
}

function newToken(tokenType: TokenType, { image, startOffset }: Pick<Token, 'image' | 'startOffset'>): Token {
  return { image, startOffset, tokenType, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0 }
}
