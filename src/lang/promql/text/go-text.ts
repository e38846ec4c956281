import { escapeCodePoint, formatNumber, isPrintable, isSurrogate } from '../../../data/index.ts'

/**
 * Formats strings, characters and numbers as Prometheus does. Messages and canonical texts are compared byte for byte.
 */

const REPLACEMENT = 0xfffd

/** Unpaired surrogates that represent no byte are written as the replacement character. */
function escapedChar(code: number, quote: string): string {
  const isByte = code >= 0xdc80 && code <= 0xdcff
  return escapeCodePoint(isSurrogate(code) && !isByte ? REPLACEMENT : code, quote).replace('\ufffd', '\\ufffd')
}

/** Double-quoted, with every character escaped that does not print. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const char of text) quoted += escapedChar(char.codePointAt(0) ?? 0, '"')
  return `${quoted}"`
}

/** A character in single quotes; undefined is the end of the text. */
export function quoteChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  return code === REPLACEMENT ? `'${String.fromCodePoint(REPLACEMENT)}'` : `'${escapedChar(code, "'")}'`
}

/** As in `U+0027 '''`. */
export function describeChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return char !== undefined && isPrintable(char) ? `${name} '${char}'` : name
}

/** Digits and decimal exponent of a finite number: value = 0.d1d2… × 10^point. */
function shortestDigits(value: number): { digits: string; point: number } {
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e')
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : ''
}

/** Shortest decimal that parses to the same number, without an exponent. */
export function printNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : formatNumber(value)
}

/** Shortest form, with an exponent below 1e-4 and from `10^digits` on. */
export function printNumberShort(value: number, digits = 21): string {
  if (!Number.isFinite(value)) return formatNumber(value)
  const { digits: all, point } = shortestDigits(value)
  const exponent = point - 1
  if (value === 0 || (exponent >= -4 && exponent < digits)) return printNumber(value)
  const fraction = all.length > 1 ? `.${all.slice(1)}` : ''
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${signOf(value)}${all[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`
}

/** Rounds half away from zero. */
export function roundAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value)
}
