import { codePointAt } from '../../../base/index.ts'
import { isSurrogate, letterEscapes, TextBuilder } from '../../../data/index.ts'
import { describeChar } from './go-text.ts'

export interface ScannedString {
  /** Offset after the closing quote; after an error, the offset where parsing continues. */
  readonly end: number
  readonly value: string
  readonly error: string | undefined
}

interface EscapeShape {
  readonly length: number
  readonly base: 8 | 16
  readonly max: number
  /** True if the value is one byte of UTF-8, false if it is a code point. */
  readonly isByte: boolean
}

const OCTAL: EscapeShape = { length: 3, base: 8, max: 255, isByte: true }
const NUMERIC_ESCAPES: ReadonlyMap<string, EscapeShape> = new Map([
  ['x', { length: 2, base: 16, max: 255, isByte: true }],
  ['u', { length: 4, base: 16, max: 0x10ffff, isByte: false }],
  ['U', { length: 8, base: 16, max: 0x10ffff, isByte: false }],
])

function charAt(text: string, at: number): string | undefined {
  const code = codePointAt(text, at)
  return code === undefined ? undefined : String.fromCodePoint(code)
}

/** True for a lone surrogate, and for U+FFFD, which replaces invalid UTF-8. */
function isBrokenChar(char: string): boolean {
  const code = char.codePointAt(0)!
  return code === 0xfffd || isSurrogate(code)
}

function digitOf(char: string | undefined, base: 8 | 16): number | undefined {
  if (char === undefined || !/^[0-9a-fA-F]$/.test(char)) return undefined
  const digit = parseInt(char, 16)
  return digit < base ? digit : undefined
}

type Escape = { readonly end: number; readonly error: string | undefined }

function readNumericEscape(text: string, from: number, shape: EscapeShape, out: TextBuilder): Escape {
  let value = 0
  let at = from
  for (let i = 0; i < shape.length; i++) {
    const char = charAt(text, at)
    const digit = digitOf(char, shape.base)
    if (digit === undefined) {
      if (char === undefined) return { end: at, error: 'escape sequence not terminated' }
      return { end: at, error: `illegal character ${describeChar(char)} in escape sequence` }
    }
    value = value * shape.base + digit
    at++
  }
  if (value > shape.max || isSurrogate(value)) {
    return { end: at, error: 'escape sequence is an invalid Unicode code point' }
  }
  if (shape.isByte) out.addByte(value)
  else out.addText(String.fromCodePoint(value))
  return { end: at, error: undefined }
}

/** Parses an escape sequence; `at` is the offset after the backslash. */
function readEscape(text: string, at: number, quote: string, out: TextBuilder): Escape {
  const char = charAt(text, at)
  if (char === undefined) return { end: at, error: 'escape sequence not terminated' }
  const simple = char === quote ? quote : letterEscapes.get(char)
  if (simple !== undefined) {
    out.addText(simple)
    return { end: at + 1, error: undefined }
  }
  if (char >= '0' && char <= '7') return readNumericEscape(text, at, OCTAL, out)
  const shape = NUMERIC_ESCAPES.get(char)
  if (shape !== undefined) return readNumericEscape(text, at + 1, shape, out)
  return { end: at + char.length, error: `unknown escape sequence ${describeChar(char)}` }
}

/**
 * Returns where parsing continues after an error: after the closing quote. Without one, at the end of the line, or of
 * the text for back quotes.
 */
function skipBroken(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\n' && quote !== '`') return at
    if (text[at] === '\\' && quote !== '`') at++
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

/** Scans the string whose opening quote (`"`, `'` or a back quote) is at `start`. */
export function scanString(text: string, start: number): ScannedString {
  const quote = text.charAt(start)
  const isRaw = quote === '`'
  const out = new TextBuilder()
  let at = start + 1
  for (;;) {
    const char = charAt(text, at)
    if (char === undefined || (char === '\n' && !isRaw)) {
      const error = isRaw ? 'unterminated raw string' : 'unterminated quoted string'
      return { end: at, value: out.finish(), error }
    }
    if (char === quote) return { end: at + 1, value: out.finish(), error: undefined }
    let error: string | undefined
    if (char === '\\' && !isRaw) {
      const escape = readEscape(text, at + 1, quote, out)
      at = escape.end
      error = escape.error
    } else if (isBrokenChar(char)) {
      error = 'invalid UTF-8 rune'
      at += char.length
    } else {
      out.addText(char)
      at += char.length
    }
    if (error !== undefined) return { end: skipBroken(text, at, quote), value: out.finish(), error }
  }
}
