/**
 * Characters that steer a terminal, turn the direction of writing or end a line elsewhere than at `\n`: C0, DEL, C1, marks of
 * direction, separators of lines and paragraphs; and halves of surrogate pairs.
 */
// oxlint-disable-next-line no-control-regex -- these are what a text must not send to a terminal
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu

/** Below U+0020 as `\x1b`; the others, which JSON has as they are, as `\u009b`: JSON that is shown stays JSON. */
function shown(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x20 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** A text in one line as a terminal may show it: what would steer the terminal or turn the direction of writing is escaped. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    if (character === '\n') return '⏎'
    return character === '\t' ? ' ' : shown(character)
  })
}

/** As `printable`, of a text of several lines: its line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character, at: number) => {
    const isPlain = character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n')
    return isPlain ? character : shown(character)
  })
}
