import { escapeCodePoint, isPrintable, isSurrogate } from '../../../data/index.ts'

export { printNumber, printNumberShort } from '../../../functions/go-template/format/index.ts'

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

/** Rounds to the nearest integer; halves are rounded away from zero. */
export function roundAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value)
}
