import { readNumber, scanner } from '../../go-scanner/index.ts'
import { retype } from '../../kit/index.ts'
import { quoteText } from '../../promql/text/go-text.ts'
import { attributeFault } from '../text/attribute.ts'
import * as t from './tokens.ts'

const INT_LIMIT = 2n ** 63n

/**
 * Returns why a number token is invalid, with Tempo's wording and order: the scanner's error, else the error of the
 * value.
 */
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

/** True if Go's scanner classifies a number as an integer. */
function isWholeNumber(image: string): boolean {
  return /^0[xX]/.test(image) ? !/[.pP]/.test(image) : !/[.eE]/.test(image)
}

/** Splits a text into the tokens of the grammar. Invalid parts become `Fault` tokens. */
export const scan = scanner(t, (token): t.LexFault | undefined => {
  switch (token.tokenType) {
    case t.raw.Word:
      retype(token, t.keywordOf(token.image) ?? t.Identifier)
      return undefined
    case t.Attribute:
      return attributeFault(token.image)
    case t.Integer: {
      const isWhole = isWholeNumber(token.image)
      if (!isWhole) retype(token, t.Float)
      return numberFault(token.image, isWhole)
    }
    default:
      return undefined
  }
})
