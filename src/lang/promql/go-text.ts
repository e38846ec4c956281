/**
 * Texts as the reference writes them: quoted strings, quoted characters, numbers.
 * Its messages and its canonical form are compared byte for byte.
 */

const NAMED_ESCAPES: ReadonlyMap<number, string> = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [12, '\\f'],
  [10, '\\n'],
  [13, '\\r'],
  [9, '\\t'],
  [11, '\\v'],
  [92, '\\\\'],
])

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
const REPLACEMENT = 0xfffd

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

/** A byte that belongs to no character is kept as a lone surrogate, U+DC80 to U+DCFF. */
const ESCAPED_BYTE = 0xdc00

function isEscapedByte(code: number): boolean {
  return code >= ESCAPED_BYTE + 0x80 && code <= ESCAPED_BYTE + 0xff
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1
  if (first >= 0xc2 && first < 0xe0) return 2
  if (first >= 0xe0 && first < 0xf0) return 3
  return first >= 0xf0 && first < 0xf5 ? 4 : 0
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeSequence(bytes: readonly number[]): string | undefined {
  try {
    return strictUtf8.decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}

/** UTF-8 bytes as text. Bytes that make no character become lone surrogates, so that none of them is lost. */
export function decodeBytes(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at])
    const isWhole = length > 0 && at + length <= bytes.length
    const char = isWhole ? decodeSequence(bytes.slice(at, at + length)) : undefined
    text += char ?? String.fromCharCode(ESCAPED_BYTE + bytes[at])
    at += char === undefined ? 1 : length
  }
  return text
}

function escapeCodePoint(code: number, quote: number): string {
  if (code === quote) return `\\${String.fromCodePoint(code)}`
  const named = NAMED_ESCAPES.get(code)
  if (named !== undefined) return named
  if (isEscapedByte(code)) return `\\x${hex(code & 0xff, 2)}`
  if (isSurrogate(code) || code === REPLACEMENT) return '\\ufffd'
  const char = String.fromCodePoint(code)
  if (code < 0x7f && code >= 0x20) return char
  if (code < 0x80) return `\\x${hex(code, 2)}`
  if (PRINTABLE.test(char)) return char
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

/** In double quotes, with every character escaped that does not print. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const char of text) quoted += escapeCodePoint(char.codePointAt(0)!, 34)
  return `${quoted}"`
}

/** One character in single quotes; undefined stands for the end of the text. */
export function quoteChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  return code === REPLACEMENT ? `'${String.fromCodePoint(REPLACEMENT)}'` : `'${escapeCodePoint(code, 39)}'`
}

/** As in `U+0027 '''`. */
export function describeChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return char !== undefined && PRINTABLE.test(char) ? `${name} '${char}'` : name
}

/** Digits and the position of the decimal point of a finite number: value = 0.d1d2… × 10^point. */
function shortestDigits(value: number): { digits: string; point: number } {
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e')
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

function notFinite(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN'
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : undefined
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : ''
}

/** The shortest decimal that reads back as the same number, never with an exponent. */
export function printNumber(value: number): string {
  const special = notFinite(value)
  if (special !== undefined) return special
  if (value === 0) return `${signOf(value)}0`
  const { digits, point } = shortestDigits(value)
  if (point <= 0) return `${signOf(value)}0.${'0'.repeat(-point)}${digits}`
  if (digits.length <= point) return `${signOf(value)}${digits}${'0'.repeat(point - digits.length)}`
  return `${signOf(value)}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** The shortest form, with an exponent below 1e-4 and from `10^digits` on. */
export function printNumberShort(value: number, digits = 21): string {
  const special = notFinite(value)
  if (special !== undefined) return special
  const { digits: all, point } = shortestDigits(value)
  const exponent = point - 1
  if (value === 0 || (exponent >= -4 && exponent < digits)) return printNumber(value)
  const fraction = all.length > 1 ? `.${all.slice(1)}` : ''
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${signOf(value)}${all[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`
}

/** Bytes of the text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string, end = text.length): number {
  let bytes = 0
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text, i + 1)) {
      bytes += 4
      i++
    } else bytes += 3
  }
  return bytes
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}

/** Half away from zero. */
export function roundAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value)
}
