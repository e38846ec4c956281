import { MAX_UINT64, MIN_INT64 } from '../../base/index.ts'
import { isSurrogate, readEscape, TextBuilder } from '../../data/index.ts'
import { parseFloat64 } from '../../functions/go-template/index.ts'
import { shown } from './lexing.ts'

/** True if underscores stand only between digits, or between a base prefix and a digit. */
function hasGoodUnderscores(text: string): boolean {
  const body = text.replace(/^[+-]/, '').replace(/^0[xXbBoO]/, '0')
  return /^[+-]?0[xX]/.test(text) ? !/_(?![0-9a-fA-F])|(?<![0-9a-fA-F])_/.test(body) : !/_(?!\d)|(?<!\d)_/.test(body)
}

const INTEGER = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/

function readInteger(plain: string): bigint | undefined {
  const [, sign, digits] = INTEGER.exec(plain) ?? []
  if (digits === undefined) return undefined
  const value = BigInt(/^0[0-7]/.test(digits) ? `0o${digits}` : digits)
  return sign === '-' ? -value : value
}

/** Parses a Go number. For an invalid number, `fault` is a sentence that says why. */
export function readNumber(text: string): { readonly value: bigint | number } | { readonly fault: string } {
  if (text.endsWith('i') && !/^[+-]?0[xX]/.test(text))
    return { fault: `Imaginary numbers such as \`${text}\` are not supported.` }
  const fault = `\`${shown(text)}\` is not a number.`
  if (!hasGoodUnderscores(text)) return { fault }
  const plain = text.replaceAll('_', '')
  const integer = readInteger(plain)
  if (integer !== undefined) {
    if (integer <= MAX_UINT64 && integer >= MIN_INT64) return { value: integer }
    return { fault: `\`${shown(text)}\` does not fit 64 bits.` }
  }
  const value = /[.eEpP]/.test(plain) ? parseFloat64(plain) : undefined
  return value === undefined || !Number.isFinite(value) ? { fault } : { value }
}

/**
 * Decodes a quoted string or character constant; `undefined` if an escape is invalid. In Go, only the enclosing kind of
 * quote may be escaped; with `takesBothQuotes`, both kinds may.
 */
export function unquote(literal: string, takesBothQuotes = false): string | undefined {
  const quote = literal.charAt(0)
  const inner = literal.slice(1, -1)
  if (quote === '`') return inner.replaceAll('\r', '')
  const value = new TextBuilder()
  for (let at = 0; at < inner.length;) {
    if (inner[at] !== '\\') {
      value.addText(inner.charAt(at++))
      continue
    }
    const escape = readEscape(inner, at)
    const isOtherQuote = `'"`.includes(inner.charAt(at + 1)) && inner[at + 1] !== quote
    if (isOtherQuote && !takesBothQuotes) return undefined
    if (escape.kind === 'byte') value.addByte(escape.byte)
    else if (escape.kind === 'text') value.addText(escape.text)
    else return undefined
    at += escape.length
  }
  return value.finish()
}

/** Decodes a character constant such as `'a'`; `undefined` unless it is exactly one character. */
export function readChar(literal: string): bigint | undefined {
  const [char, ...more] = unquote(literal) ?? ''
  const code = char?.codePointAt(0)
  if (code === undefined || more.length > 0) return undefined
  // A byte that is not valid UTF-8 is stored as a lone surrogate; see `decodeBytes`.
  return BigInt(isSurrogate(code) ? code & 0xff : code)
}
