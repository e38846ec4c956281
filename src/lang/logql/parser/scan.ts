import { codePointAt, present } from '../../../base/index.ts'
import { characterFault, openComment, readRange, stringFault } from '../../go-scanner/index.ts'
import { inTextOrder, retype, type Token } from '../../kit/index.ts'
import * as t from './tokens.ts'

function faulty(token: Token, fault: t.LexFault | undefined): Token {
  return fault === undefined ? token : t.makeFault(token.image, token.startOffset, fault)
}

/** Gives a word its type: a keyword in any case, a function if it is called, else a label. */
function typeWord(text: string, token: Token): void {
  const word = token.image.toLowerCase()
  const called = t.functionOf(word)
  if (called !== undefined && isCalled(text, token.startOffset + token.image.length)) retype(token, called)
  else retype(token, t.keywordOf(word) ?? t.Identifier)
}

/** True if `(`, `by (` or `without (` follows. Comments between do not count as white space. */
function isCalled(text: string, offset: number): boolean {
  const call = /\s*(?:(?:by|without)\s*)?\(/iy
  call.lastIndex = offset
  return call.test(text)
}

function rangeFault(image: string): t.LexFault | undefined {
  if (!image.endsWith(']')) return { kind: 'range', message: "missing closing ']' in duration" }
  const range = readRange(image.slice(1, -1))
  return 'error' in range ? { kind: 'range', message: range.error } : undefined
}

function refine(text: string, token: Token): Token {
  switch (token.tokenType) {
    case t.raw.Word:
      typeWord(text, token)
      return token
    case t.raw.Character:
      retype(token, t.Identifier)
      return faulty(token, characterFault(token.image))
    case t.raw.OpenComment:
      return faulty(token, openComment)
    case t.StringToken:
      return faulty(token, stringFault(token.image))
    case t.Range:
      return faulty(token, rangeFault(token.image))
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
    (token) => result.push(refine(text, token)),
    (at) => result.push(strayToken(text, at)),
  )
  return result
}
