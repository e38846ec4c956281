import { codePointAt, present } from '../../../base/index.ts'
import { quoteChar, quoteText } from '../text/go-text.ts'
import { scanNumber } from '../text/number-text.ts'
import { scanString } from '../text/string-text.ts'
import { inTextOrder, retype, type Token } from '../../kit/index.ts'
import * as tokens from './tokens.ts'
import type { LexFault } from './tokens.ts'

/**
 * Context of a position, named like the states of Prometheus's lexer. Decides how a message names an unexpected
 * character.
 */
type LexerState = 'query' | 'braces' | 'range' | 'rest-of-range'

/**
 * Assigns final types to raw tokens: words may become keywords, and numbers may become durations. Unexpected
 * characters, unmatched brackets and an early end of the text become `Fault` tokens.
 */
class Refiner {
  readonly #text: string
  readonly #result: Token[] = []
  #place: LexerState = 'query'
  #outerState: LexerState = 'query'
  #parenDepth = 0
  #hasColon = false
  #hasLength = false
  #hasFault = false

  constructor(text: string) {
    this.#text = text
  }

  run(): Token[] {
    inTextOrder(
      tokens.lex(this.#text),
      (token) => this.#addToken(token),
      (at) => this.#addStray(at),
    )
    this.#addEnd()
    return this.#result
  }

  #fault(message: string, start: number): void {
    this.#hasFault = true
    this.#result.push(tokens.makeFault({ message, start }))
  }

  #addStray(offset: number): void {
    const char = String.fromCodePoint(present(codePointAt(this.#text, offset)))
    this.#fault(this.#describeStray(char, this.#charAt(offset + 1)), offset)
  }

  #charAt(offset: number): string | undefined {
    const code = codePointAt(this.#text, offset)
    return code === undefined ? undefined : String.fromCodePoint(code)
  }

  #describeStray(char: string, next: string | undefined): string {
    const quoted = quoteChar(char)
    switch (this.#place) {
      case 'braces':
        if (char === '!') return `unexpected character after '!' inside braces: ${quoteChar(next)}`
        if (char === '{') return `unexpected left brace ${quoted}`
        return `unexpected character inside braces: ${quoted}`
      case 'range':
        return `unexpected character in duration expression: ${quoted}`
      case 'rest-of-range':
      case 'query':
        if (char === '!') return `unexpected character after '!': ${quoteChar(next)}`
        if (char === '[') return `unexpected left bracket ${quoted}`
        if (char === ']') return `unexpected right bracket ${quoted}`
        return `unexpected character: ${quoted}`
    }
  }

  #addToken(token: Token): void {
    const { raw } = tokens
    switch (token.tokenType) {
      case raw.RawWord:
        this.#addWord(token)
        return
      case raw.LabelName:
        retype(token, tokens.Identifier)
        break
      case raw.RangeWord:
      case raw.RestWord:
        this.#addRangeWord(token)
        return
      case raw.RawNumber:
        this.#addNumber(token)
        return
      case raw.FirstRangeNumber:
        this.#hasLength = true
        this.#place = 'rest-of-range'
        this.#addNumber(token)
        return
      case tokens.StringToken: {
        const { error } = scanString(this.#text, token.startOffset)
        if (error !== undefined) {
          this.#fault(error, token.startOffset)
          return
        }
        break
      }
      case tokens.Equal:
        if (this.#place !== 'braces' && this.#text[token.startOffset + 1] === '~') {
          this.#fault(`unexpected character after '=': '~'`, token.startOffset)
          return
        }
        break
      default:
        if (!this.#trackBrackets(token)) return
    }
    this.#result.push(token)
  }

  /** Updates the open brackets for a token. Returns false if the token was replaced by a `Fault` token. */
  #trackBrackets(token: Token): boolean {
    switch (token.tokenType) {
      case tokens.LParen:
        this.#parenDepth++
        return true
      case tokens.RParen:
        this.#parenDepth--
        if (this.#parenDepth >= 0) return true
        this.#parenDepth = 0
        this.#fault(`unexpected right parenthesis ')'`, token.startOffset + 1)
        return false
      case tokens.LBrace:
        this.#outerState = this.#place
        this.#place = 'braces'
        return true
      case tokens.RBrace:
        this.#place = this.#outerState
        return true
      case tokens.LBracket:
        this.#place = 'range'
        this.#hasColon = false
        return true
      case tokens.RBracket:
        this.#place = 'query'
        return true
      case tokens.Colon:
        return this.#addColon(token)
      default:
        return true
    }
  }

  #addColon(token: Token): boolean {
    const isFirst = this.#place === 'range'
    if (isFirst && !this.#hasLength) {
      this.#fault('unexpected colon before duration in duration expression', token.startOffset + 1)
      return false
    }
    if (this.#hasColon) {
      if (isFirst) this.#fault('unexpected repeated colon in duration expression', token.startOffset + 1)
      else this.#fault(`unexpected colon ':'`, token.startOffset)
      return false
    }
    this.#hasColon = true
    return true
  }

  #addWord(token: Token): void {
    const type = tokens.wordType(token.image)
    const isFreeFill = tokens.isFillWord(type) && !/^[ \t\r\n]*\(/.test(this.#rest(token))
    retype(token, isFreeFill ? tokens.Identifier : type)
    this.#result.push(token)
  }

  #rest(token: Token): string {
    const end = token.startOffset + token.image.length
    let at = end
    while (at < this.#text.length && ' \t\r\n'.includes(this.#text.charAt(at))) at++
    return this.#text.slice(end, at + 1)
  }

  #addRangeWord(token: Token): void {
    const type = tokens.rangeWordType(token.image)
    if (type !== undefined) {
      this.#hasLength = true
      retype(token, type)
      this.#result.push(token)
      return
    }
    const quoted = quoteChar(token.image[0])
    if (this.#place === 'range')
      this.#fault(`unexpected character in duration expression: ${quoted}`, token.startOffset)
    else this.#fault(`unexpected character: ${quoted}, expected ':'`, token.startOffset)
  }

  #addNumber(token: Token): void {
    const { kind } = scanNumber(this.#text, token.startOffset)
    if (kind === 'bad') {
      this.#fault(`bad number or duration syntax: ${quoteText(token.image)}`, token.startOffset)
      return
    }
    retype(token, kind === 'number' ? tokens.NumberToken : tokens.DurationToken)
    this.#result.push(token)
  }

  #addEnd(): void {
    // After a fault the open brackets are uncertain, so no further faults are reported.
    if (this.#hasFault) return
    const end = this.#text.length
    if (this.#place === 'braces') this.#fault('unexpected end of input inside braces', end)
    else if (this.#place === 'range') this.#fault('unexpected end of input in duration expression', end)
    else if (this.#parenDepth !== 0) this.#fault('unclosed left parenthesis', end)
    else if (this.#place === 'rest-of-range') this.#fault('unclosed left bracket', end)
  }
}

/** Splits a text into the tokens of the grammar, without white space and comments; never fails. */
export function tokenize(text: string): Token[] {
  return new Refiner(text).run()
}

export type { LexFault, Token }
