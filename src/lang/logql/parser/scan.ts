import { readRange, scanner } from '../../go-scanner/index.ts'
import { retype, type Token } from '../../kit/index.ts'
import * as t from './tokens.ts'

/** Sets the token type of a word: a keyword (in any case), a function if it is called, else a label. */
function typeWord(text: string, token: Token): void {
  const word = token.image.toLowerCase()
  const called = t.functionOf(word)
  if (called !== undefined && isCalled(text, token.startOffset + token.image.length)) retype(token, called)
  else retype(token, t.keywordOf(word) ?? t.Identifier)
}

/** True if `(`, `by (` or `without (` follows at an offset, after optional white space but no comments. */
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

/** Splits a text into the tokens of the grammar. Invalid parts become `Fault` tokens. */
export const scan = scanner(t, (token, text): t.LexFault | undefined => {
  if (token.tokenType === t.raw.Word) typeWord(text, token)
  return token.tokenType === t.Range ? rangeFault(token.image) : undefined
})
