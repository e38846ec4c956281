import { escapeCodePoint, formatNumber, isPrintable, isSurrogate } from '../../../data/index.ts'

/** Functions of this module format strings, characters and numbers exactly as Prometheus does, byte for byte. */

const REPLACEMENT = 0xfffd

/**
 * Escapes a character in a quoted string. A surrogate without its partner that represents no byte becomes the
 * replacement character.
 */
function escapedChar(code: number, quote: string): string {
  const isByte = code >= 0xdc80 && code <= 0xdcff
  return escapeCodePoint(isSurrogate(code) && !isByte ? REPLACEMENT : code, quote).replace('\ufffd', '\\ufffd')
}

/** Returns a string in double quotes, with escapes for all characters that do not print. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const char of text) quoted += escapedChar(char.codePointAt(0) ?? 0, '"')
  return `${quoted}"`
}

/** Returns a character in single quotes; `undefined` stands for the end of the text. */
export function quoteChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  return code === REPLACEMENT ? `'${String.fromCodePoint(REPLACEMENT)}'` : `'${escapedChar(code, "'")}'`
}

/** Returns code point and character for messages: `U+0027 '''`. */
export function describeChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return char !== undefined && isPrintable(char) ? `${name} '${char}'` : name
}

/** Returns the shortest digits and the decimal exponent of a finite number: value = 0.d1d2… × 10^point. */
function shortestDigits(value: number): { digits: string; point: number } {
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e')
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : ''
}

/** Returns the shortest decimal without an exponent that parses to the same number. */
export function printNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : formatNumber(value)
}

/**
 * Returns the shortest decimal that parses to the same number. It has an exponent below 1e-4 and from `10^digits` on.
 */
export function printNumberShort(value: number, digits = 21): string {
  if (!Number.isFinite(value)) return formatNumber(value)
  const { digits: all, point } = shortestDigits(value)
  const exponent = point - 1
  if (value === 0 || (exponent >= -4 && exponent < digits)) return printNumber(value)
  const fraction = all.length > 1 ? `.${all.slice(1)}` : ''
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${signOf(value)}${all[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`
}

/** Rounds to the nearest integer; halves are rounded away from zero. */
export function roundAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value)
}
