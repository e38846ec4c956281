import { codePointAt, present } from '../../../base/index.ts'
import { characterFault, openComment, readNumber, stringFault } from '../../go-scanner/index.ts'
import { inTextOrder, retype, type Token } from '../../kit/index.ts'
import { quoteText } from '../../promql/text/go-text.ts'
import { attributeFault } from '../text/attribute.ts'
import * as t from './tokens.ts'

function faulty(token: Token, fault: t.LexFault | undefined): Token {
  return fault === undefined ? token : t.makeFault(token.image, token.startOffset, fault)
}

const INT_LIMIT = 2n ** 63n

/** Says why a number token is none, as the reference does: what its scanner refuses, else what reads the value. */
function numberFault(image: string, isWhole: boolean): t.LexFault | undefined {
  const { tokenFault, valueFault } = readNumber(image)
  if (tokenFault !== undefined) return { kind: 'number', message: tokenFault }
  const isDecimal = /^[0-9]+$/.test(image)
  const isTooLarge = isDecimal && BigInt(image) >= INT_LIMIT
  const fault = !isWhole ? valueFault : isTooLarge ? 'value out of range' : isDecimal ? undefined : 'invalid syntax'
  if (fault === undefined) return undefined
  const reader = isWhole ? 'strconv.Atoi' : 'strconv.ParseFloat'
  return { kind: 'number', message: `${reader}: parsing ${quoteText(image)}: ${fault}` }
}

/** True if Go's scanner takes a number for a whole one. */
function isWholeNumber(image: string): boolean {
  return /^0[xX]/.test(image) ? !/[.pP]/.test(image) : !/[.eE]/.test(image)
}

function refine(token: Token): Token {
  switch (token.tokenType) {
    case t.raw.Word:
      retype(token, t.keywordOf(token.image) ?? t.Identifier)
      return token
    case t.raw.Character:
      retype(token, t.Identifier)
      return faulty(token, characterFault(token.image))
    case t.raw.OpenComment:
      return faulty(token, openComment)
    case t.StringToken:
      return faulty(token, stringFault(token.image))
    case t.Attribute:
      return faulty(token, attributeFault(token.image))
    case t.Integer: {
      const isWhole = isWholeNumber(token.image)
      if (!isWhole) retype(token, t.Float)
      return faulty(token, numberFault(token.image, isWhole))
    }
    default:
      return token
  }
}

/** A character that begins no token is a name of its own, as in the reference, which then finds it out of place. */
function strayToken(text: string, startOffset: number): Token {
  const image = String.fromCodePoint(present(codePointAt(text, startOffset)))
  return { image, startOffset, tokenType: t.Identifier, tokenTypeIdx: t.Identifier.tokenTypeIdx ?? 0 }
}

/** Splits a text into the tokens of the grammar. What is no token is a `Fault` in its place. */
export function scan(text: string): Token[] {
  const result: Token[] = []
  inTextOrder(
    t.lex(text),
    (token) => result.push(refine(token)),
    (at) => result.push(strayToken(text, at)),
  )
  return result
}
