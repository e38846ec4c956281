/**
 * Characters that control a terminal, change the writing direction or end a line other than `
 * `: C0, DEL, C1, direction marks, line and paragraph separators; and halves of surrogate pairs.
 */
// oxlint-disable-next-line no-control-regex -- these are what a text must not send to a terminal
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu

/**
 * Escapes characters below U+0020 as `\x1b` and others, which JSON does not escape, as `\u009b`, so that displayed JSON
 * stays JSON.
 */
function shown(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x20 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Returns a text in one line for a terminal, with control and direction characters escaped. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    if (character === '\n') return '⏎'
    return character === '\t' ? ' ' : shown(character)
  })
}

/** Like `printable`, for a text of several lines: line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character, at: number) => {
    const isPlain = character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n')
    return isPlain ? character : shown(character)
  })
}
