import { codePointAt, present } from '../../../base/index.ts'
import { retype, type Token } from '../../kit/index.ts'
import { scanString } from '../../promql/text/string-text.ts'
import { readRange } from '../text/units.ts'
import * as t from './tokens.ts'

function fault(token: Token, kind: t.LexFault['kind'], message: string): Token {
  return t.makeFault(token.image, token.startOffset, { kind, message })
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

function refine(text: string, token: Token): Token {
  switch (token.tokenType) {
    case t.raw.Word:
      typeWord(text, token)
      return token
    case t.raw.Character: {
      const isClosed = token.image.length > 1 && token.image.endsWith("'")
      if (isClosed && /^'(?:\\[^]+|[^\\])'$/u.test(token.image)) {
        retype(token, t.Identifier)
        return token
      }
      return fault(token, 'character', isClosed ? 'invalid char literal' : 'literal not terminated')
    }
    case t.raw.OpenComment:
      return fault(token, 'comment', 'comment not terminated')
    case t.StringToken: {
      const { error } = scanString(token.image, 0)
      if (error === undefined) return token
      if (error.startsWith('unterminated')) return fault(token, 'string', 'literal not terminated')
      // The scanner does not look at the value of an escape; what reads the string does.
      const isValue = error.startsWith('escape sequence is')
      return fault(token, 'escape', isValue ? 'invalid syntax' : 'invalid char escape')
    }
    case t.Range: {
      if (!token.image.endsWith(']')) return fault(token, 'range', "missing closing ']' in duration")
      const range = readRange(token.image.slice(1, -1))
      return 'error' in range ? fault(token, 'range', range.error) : token
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
  const { tokens, strays } = t.lex(text)
  const result: Token[] = []
  let next = 0
  const addStraysBefore = (end: number): void => {
    for (let at = strays[next]; at !== undefined && at < end; at = strays[++next]) result.push(strayToken(text, at))
  }
  for (const token of tokens) {
    addStraysBefore(token.startOffset)
    result.push(refine(text, token))
  }
  addStraysBefore(Infinity)
  return result
}
