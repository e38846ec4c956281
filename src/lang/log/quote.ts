import { isWordCodePoint } from '../../data/index.ts'

const NAMED: ReadonlyMap<number, string> = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
  [34, '\\"'],
  [92, '\\\\'],
])

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** The text in double quotes, with every character that would not print as an escape; reads back to the same text. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code >= 32 && code < 127 && code !== 34 && code !== 92) quoted += char
    else quoted += NAMED.get(code) ?? escaped(char, code)
  }
  return `${quoted}"`
}

function escaped(char: string, code: number): string {
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  // A byte that is no UTF-8 travels as a lone surrogate, see `unquote`.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`
  if (PRINTABLE.test(char)) return char
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** One maximal run of word characters and nothing else. */
export function isPlainWord(text: string): boolean {
  if (text === '') return false
  for (const char of text) if (!isWordCodePoint(char.codePointAt(0) ?? 0)) return false
  return true
}
