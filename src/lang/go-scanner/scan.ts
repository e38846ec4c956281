import { codePointAt, present } from '../../base/index.ts'
import { inTextOrder, retype, type LexedText, type Token, type TokenType } from '../kit/index.ts'
import { characterFault, openComment, stringFault, type ScanFault } from './faults.ts'
import type { RawTypes } from './patterns.ts'

/** Token types of one language that its scanner needs. */
export interface ScannedTypes {
  readonly lex: (text: string) => LexedText
  readonly raw: RawTypes
  readonly Identifier: TokenType
  readonly StringToken: TokenType
  /** Type of a part of the text that is no token; no grammar rule accepts it. */
  readonly Fault: TokenType
}

/** Gives a token of the lexer its type in the grammar, and says what is wrong with it. */
type Refine<F> = (token: Token, text: string) => F | undefined

/**
 * Returns the function that splits a text into the tokens of a grammar. What is no token is a `Fault` in its place.
 * `refine` gets the tokens whose meaning differs between the languages.
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
      // A character that begins no token is a name of its own, as in the reference, which then finds it out of place.
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
