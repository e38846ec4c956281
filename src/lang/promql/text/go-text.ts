import { escapeAsGo, isPrintable } from '../../../data/index.ts'

export { quoteAsGo as quoteText } from '../../../data/index.ts'

export { printNumber, printNumberShort } from '../../../functions/go-template/format/index.ts'

/** The functions of this module format strings, characters and numbers exactly as Prometheus does. */

const REPLACEMENT = 0xfffd

/** Returns a character in single quotes, for messages. `undefined` means the end of the text. */
export function quoteChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  return code === REPLACEMENT ? `'${String.fromCodePoint(REPLACEMENT)}'` : `'${escapeAsGo(code, "'")}'`
}

/** Returns the code point and the character, for messages: `U+0027 '''`. */
export function describeChar(char: string | undefined): string {
  const code = char?.codePointAt(0) ?? REPLACEMENT
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return char !== undefined && isPrintable(char) ? `${name} '${char}'` : name
}

/** Rounds to the nearest integer; halves are rounded away from zero. */
export function roundAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value)
}
