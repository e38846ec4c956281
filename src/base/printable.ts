/**
 * Characters that control a terminal, change the writing direction or end a line (C0, DEL, C1, direction marks, line
 * and paragraph separators), and lone surrogates.
 */
// oxlint-disable-next-line no-control-regex -- these are what a text must not send to a terminal
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu

/**
 * Escapes a character: below U+0020 as `\x1b`; others as `\u009b`, a JSON escape, so that printed JSON remains valid
 * JSON.
 */
function shown(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x20 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Returns a string for one line of a terminal, with control and direction characters escaped. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    if (character === '\n') return '⏎'
    return character === '\t' ? ' ' : shown(character)
  })
}

/** Like `printable`, for several lines: line feeds and tabs are not escaped. */
export function printableLines(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character, at: number) => {
    const isPlain = character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n')
    return isPlain ? character : shown(character)
  })
}
